"""Compares folders with the library: what is new or changed, what has gone, what is as it was.

The walk and the library's files, problems and companions come in the same order and are merged,
so that a folder of any size is compared in bounded memory, and an unchanged file costs no query.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.photo import FileStamp
from core.domain.problem import ProblemReason
from core.ingest.decoding.jobs import DecodeJob
from core.ingest.folders.cursor import Cursor
from core.ingest.folders.mates import has_media, paths_of, told
from core.ingest.folders.mounts import away, known_mounts, remember_mounts
from core.ingest.folders.other_spelling import renamed_from
from core.ingest.folders.parts import Part
from core.ingest.folders.refusal import refusal
from core.ingest.folders.save_problems import RefusedFile, save_problems
from core.ingest.folders.scan import Found, Walk
from core.ingest.folders.spool import JobSpool, PathSpool
from core.paths import is_empty, is_folder
from core.progress import Progress
from core.settings import Settings
from core.store.below import Below, StampRow
from core.store.companions import CompanionsRow
from core.store.library import Library

_BATCH = 500


@dataclass(slots=True)
class Survey:
    """What one run has to do.

    `fresh` are files to read, `gone` files to detach, `past` paths whose problems are over;
    `orphaned` parts hold companions whose main file was refused.
    """

    fresh: JobSpool = field(default_factory=JobSpool)
    gone: PathSpool = field(default_factory=PathSpool)
    past: PathSpool = field(default_factory=PathSpool)
    unchanged: int = 0
    seen: int = 0
    offline: list[Path] = field(default_factory=list)
    orphaned: set[Part] = field(default_factory=set)

    def close(self) -> None:
        """Free the lists."""
        for spool in (self.fresh, self.gone, self.past):
            spool.close()


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Surveys parts of one library's roots; `retry` reads files again that had a problem.

    `left` are files that are neither looked at nor forgotten.
    """

    library: Library
    settings: Settings
    retry: bool
    progress: Progress
    left: frozenset[Path] = frozenset()

    def survey(self, parts: Sequence[Part]) -> Survey:
        """Walk every part; raises Cancelled."""
        others = tuple(self.library.facts.roots())
        mounts = known_mounts(self.library)
        with ExitStack() as unfinished:
            survey = Survey()
            unfinished.callback(survey.close)
            for part in parts:
                if is_folder(part.root):
                    one = _Comparison(self, part, survey, self._walk(part, others))
                    mounts |= one.run(mounts)
                elif part.root not in survey.offline:
                    survey.offline.append(part.root)
            unfinished.pop_all()
        remember_mounts(self.library, mounts)
        return survey

    def _walk(self, part: Part, roots: Sequence[Path]) -> Walk:
        """A walk that enters no other root by a link, and not the library itself."""
        elsewhere = [root for root in roots if not root.is_relative_to(part.root)]
        return Walk(
            part.root,
            self.settings.scan,
            (self.library.paths.root, *elsewhere),
            part.folder,
            part.deep,
            self._failed,
            self.left,
        )

    def _failed(self, paths: Sequence[Path]) -> dict[Path, FileStamp]:
        return {} if self.retry else self.library.problems.stamps(paths)


@dataclass(slots=True)
class _Comparison:
    """One part compared with what the library knows of it."""

    by: Surveyor
    part: Part
    survey: Survey
    walk: Walk
    refused: list[RefusedFile] = field(default_factory=list)
    paired: list[Found] = field(default_factory=list)

    def run(self, mounts: set[Path]) -> set[Path]:
        """Fill the survey; returns the mounts that were met. `mounts` loses those that ended."""
        with PathSpool() as gone, PathSpool() as past:
            before = self.survey.seen
            self._merge(gone, past)
            self._flush()
            if self._is_offline(nothing=self.survey.seen == before, lost=len(gone) > 0):
                self.survey.offline.append(self.part.root)
                return set()
            absent = set(away(self.part, mounts))
            if self.part.deep:
                mounts -= {m for m in mounts if m.is_relative_to(self.part.folder)} - absent
            self.survey.offline += sorted(self._keep(gone, self.survey.gone, absent))
            self._keep(past, self.survey.past, absent)
        return set(self.walk.mounts)

    def _merge(self, gone: PathSpool, past: PathSpool) -> None:
        library, below = self.by.library, Below(self.part.folder, self.part.deep)
        known = Cursor(library.photos.below(below))
        failed = Cursor(library.problems.below(below))
        held = Cursor(library.companions.below(below))
        for found in self._items():
            if found.trouble is ProblemReason.UNREADABLE and found.stamp.path in self.walk.unread:
                self._unreadable(found)  # a folder: its name is not in the order of the files
                continue
            key = os.fsencode(found.stamp.path)
            self._add(gone, known.passed(key))
            self._add(past, failed.passed(key))
            self._sort_in(found, known.take(key), failed.take(key), held.take(key))
        self._add(gone, known.rest())
        self._add(past, failed.rest())

    def _items(self) -> Iterator[Found]:
        """The walk's items, none where the folder has gone; counts what was seen."""
        survey = self.survey
        for number, found in enumerate(self.walk.files() if is_folder(self.part.folder) else ()):
            survey.seen += found.trouble is not ProblemReason.UNREADABLE
            survey.seen += len(found.companions)
            if number % _BATCH == 0:
                self.by.progress.report("scan", survey.seen)
                self._flush()
            yield found
        self.by.progress.report("scan", survey.seen)

    def _add(self, spool: PathSpool, rows: Iterator[StampRow]) -> None:
        for row in rows:
            path = Path(os.fsdecode(row[0]))
            if path not in self.by.left:
                spool.add(path)

    def _sort_in(
        self,
        found: Found,
        known: StampRow | None,
        failed: StampRow | None,
        held: CompanionsRow | None,
    ) -> None:
        companions = held[1] if held else ()
        stamp = (found.stamp.size, found.stamp.modified_ns)
        if self.by.left and not self.by.left.isdisjoint(paths_of(companions)):
            return
        if known is not None and known[1:] == stamp:
            if companions == found.companions:
                self.survey.unchanged += 1
            elif told(companions) == told(found.companions):
                self.survey.unchanged += 1
                self.paired.append(found)
            else:
                self.survey.fresh.add(DecodeJob(found.stamp, False, found.companions))
        elif self.by.retry or failed is None or failed[1:] != stamp:
            self._new(found)

    def _new(self, found: Found) -> None:
        why = refusal(found, self.by.settings.decode)
        if why is not None:
            self.refused.append((found.stamp, *why))
            if has_media(found.companions):
                folder = found.stamp.path.parent
                self.survey.orphaned.add(Part(self.part.root, folder, deep=False))
        elif renamed_from(found.stamp, self.part.root, self.by.library):
            self.survey.unchanged += 1
            self.paired.append(found)
        else:
            only_new = not told(found.companions)
            self.survey.fresh.add(DecodeJob(found.stamp, only_new, found.companions))

    def _unreadable(self, folder: Found) -> None:
        known = self.by.library.problems.stamps([folder.stamp.path])
        if self.by.retry or folder.stamp.path not in known:
            self.refused.append((folder.stamp, ProblemReason.UNREADABLE, folder.detail))

    def _flush(self) -> None:
        if not self.refused and not self.paired:
            return
        with self.by.library.database.write():
            save_problems(self.by.library, self.refused)
            for found in self.paired:
                self.by.library.companions.replace(found.stamp.path, found.companions)
        self.refused, self.paired = [], []

    def _is_offline(self, *, nothing: bool, lost: bool) -> bool:
        """Whether the root is empty or cannot be listed: then nothing of it is gone."""
        root = self.part.root
        if self.part.folder == root and self.part.deep:
            return (nothing and lost) or root in self.walk.unread
        return lost and (root in self.walk.unread or is_empty(root))

    def _keep(self, spool: PathSpool, into: PathSpool, absent: set[Path]) -> set[Path]:
        """Pass on the paths that were in reach; returns the absent folders that held others."""
        holding = set()
        for path in spool:
            above = next((m for m in absent if path.is_relative_to(m)), None)
            if above is not None:
                holding.add(above)
            elif not any(path.is_relative_to(folder) for folder in self.walk.unread):
                into.add(path)
        return holding
