"""Compares a folder with the library: what is new or changed, what has gone, what is as it was.

The walk and the library's files come in the same order and are merged, so that a folder of any
size is compared in bounded memory.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from core.domain.photo import FileStamp
from core.domain.problem import Problem, ProblemReason
from core.ingest.scan import Found, Walk, refusal
from core.ingest.spool import StampSpool
from core.paths import is_folder
from core.progress import Progress
from core.settings import Settings
from core.store.library import Library

_BATCH = 500


@dataclass(slots=True)
class Survey:
    """What one run has to do; `fresh` are files to read, `gone` files to detach."""

    fresh: StampSpool = field(default_factory=StampSpool)
    gone: StampSpool = field(default_factory=StampSpool)
    unchanged: int = 0
    seen: int = 0
    offline: list[Path] = field(default_factory=list)
    unread: list[Path] = field(default_factory=list)

    def close(self) -> None:
        """Free the lists."""
        self.fresh.close()
        self.gone.close()


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Surveys roots of one library; `retry` reads files again that had a problem."""

    library: Library
    settings: Settings
    retry: bool
    progress: Progress

    def survey(self, roots: Sequence[Path]) -> Survey:
        """Walk every root; raises Cancelled."""
        with ExitStack() as unfinished:
            survey = Survey()
            unfinished.callback(survey.close)
            for root in roots:
                self._root(root, survey)
            unfinished.pop_all()
        return survey

    def _root(self, root: Path, survey: Survey) -> None:
        walk = Walk(root, self.settings.scan, (self.library.paths.root,))
        known = self.library.photos.files_under(root)
        before = survey.seen
        lost = _missing_from(self._handled(walk, survey), known) if is_folder(root) else iter(())
        gone = (path for path in lost if not any(path.is_relative_to(f) for f in walk.unread))
        offline = False
        for path in gone:
            offline = survey.seen == before  # nothing was found at all, but something is known
            if offline:
                break
            survey.gone.add(FileStamp(path, 0, 0))
        survey.unread += walk.unread
        if offline or not is_folder(root) or root in walk.unread:
            survey.offline.append(root)

    def _handled(self, walk: Walk, survey: Survey) -> Iterator[Path]:
        """Sort the walk's files into the survey by batches; yields each path afterwards."""
        files = walk.files()
        while batch := list(islice(files, _BATCH)):
            self._batch(batch, survey)
            survey.seen += sum(found.trouble is not ProblemReason.UNREADABLE for found in batch)
            self.progress.report("scan", survey.seen)
            yield from (found.stamp.path for found in batch)

    def _batch(self, batch: Sequence[Found], survey: Survey) -> None:
        paths = [found.stamp.path for found in batch]
        known = self.library.photos.known_files(paths)
        failed = self.library.problems.stamps(paths)
        refused: list[tuple[FileStamp, ProblemReason, str]] = []
        for found in batch:
            stamp = found.stamp
            if stamp.path in known and known[stamp.path].stamp == stamp:
                survey.unchanged += 1
            elif self.retry or failed.get(stamp.path) != stamp:
                why = refusal(found, self.settings.decode)
                if why is None:
                    survey.fresh.add(stamp)
                else:
                    refused.append((stamp, *why))
        save_problems(self.library, refused)


def save_problems(
    library: Library, refused: Iterable[tuple[FileStamp, ProblemReason, str]]
) -> None:
    """Keep problems in one transaction; a file that was a photo is one no longer."""
    now = datetime.now(UTC).replace(microsecond=0)
    refused = list(refused)
    if not refused:
        return
    with library.database.write():
        library.photos.detach(stamp.path for stamp, _, _ in refused)
        for stamp, reason, detail in refused:
            library.problems.save(Problem(stamp.path, reason, detail, now), stamp)


def _missing_from(present: Iterable[Path], known: Iterator[Path]) -> Iterator[Path]:
    """Known paths that are not present; both in the order of their bytes."""
    candidate = next(known, None)
    for path in present:
        here = os.fsencode(path)
        while candidate is not None and os.fsencode(candidate) < here:
            yield candidate
            candidate = next(known, None)
        if candidate == path:
            candidate = next(known, None)
    while candidate is not None:
        yield candidate
        candidate = next(known, None)
