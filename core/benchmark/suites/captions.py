"""Text to image: each caption of a photo looks for that photo among all of them.

Captions are labels: they are asked, and never enter the library.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.benchmark.datasets.captions import CaptionedPhoto, CaptionSet, read_captions
from core.benchmark.figures import Figure
from core.benchmark.hardware import usable_cores
from core.benchmark.indexing import IndexingCost, indexing_cost
from core.benchmark.suites.suite import Floor, SuiteResult, SuiteRun, Switch
from core.benchmark.suites.text_to_image import DEPTH, SEARCHED, TOOLS, CaptionQuery, Found, ask
from core.domain.photo import Photo
from core.domain.report import IndexReport
from core.engine import Engine
from core.errors import DatasetError
from core.progress import Progress


class CaptionsSuite:
    """Captions look for their photos, with each retrieval tool and with the whole search."""

    name = "captions"
    about = "Text to image on captioned photos (--data DIR), and the speed of indexing them."
    floors: tuple[Floor, ...] = ()

    def run(self, run: SuiteRun, progress: Progress) -> SuiteResult:
        """Index the photos into a fresh library and ask for each by its captions."""
        captions = _captions(run)
        placed = lay_out(captions.photos, run.scratch / "photos", progress)
        engine = Engine.open(run.scratch / "library", run.backends)
        try:
            engine.loaded.perception(
                progress
            )  # loading the models is no part of the indexing speed
            report = engine.index([run.scratch / "photos"], progress)
            cost = indexing_cost(report, usable_cores())
            queries = _queries(engine, placed)
            found = ask(engine, queries, captions.split, progress)
            return _result(captions, report, cost, found)
        finally:
            engine.close()


def _captions(run: SuiteRun) -> CaptionSet:
    if run.data is None:
        raise DatasetError(
            "The suite captions needs a data set.",
            "Name its folder with --data: images/ and captions.csv (image,caption).",
        )
    return read_captions(run.data).first(run.limit, run.seed)


def lay_out(
    photos: Sequence[CaptionedPhoto], folder: Path, progress: Progress
) -> dict[Path, CaptionedPhoto]:
    """Put the photos into a folder of their own (linked where possible), by number.

    Their names go, so that no tool can read what a file is called.
    """
    folder.mkdir(parents=True)
    placed = {}
    for number, photo in enumerate(progress.track("lay out", photos, total=len(photos))):
        path = folder / f"photo-{number:06}{photo.path.suffix.lower()}"
        try:
            os.link(photo.path, path)
        except OSError:  # another file system, or one without links
            shutil.copyfile(photo.path, path)
        placed[path] = photo
    return placed


def _queries(engine: Engine, placed: Mapping[Path, CaptionedPhoto]) -> list[CaptionQuery]:
    """Every caption of every photo; a photo that was not indexed can never be found."""
    queries = []
    for path, captioned in placed.items():
        photo = engine.photo_at(path)
        target = None if photo is None else photo.id
        _demand_silence(photo, captioned)
        queries += [
            CaptionQuery(f"{captioned.name}#{i}", captioned.name, text, target)
            for i, text in enumerate(captioned.captions)
        ]
    return queries


def _demand_silence(photo: Photo | None, captioned: CaptionedPhoto) -> None:
    """Raise DatasetError where a photo's own metadata holds one of its captions."""
    if photo is None:
        return
    told = {text.casefold().strip() for text in (photo.facts.title, *photo.facts.keywords)}
    if told & {caption.casefold() for caption in captioned.captions}:
        raise DatasetError(
            f"{captioned.name} holds its own caption in its metadata: it would find itself.",
            "Take the metadata out of the images.",
        )


def _result(
    captions: CaptionSet, report: IndexReport, cost: IndexingCost, found: Found
) -> SuiteResult:
    photos = len(captions.photos)
    switches: dict[str, Switch] = {
        "tools": ", ".join(TOOLS),
        "search_depth": DEPTH,
        "searched_at_most": SEARCHED,
        "ties": "by id",
        "captions_in_library": False,
        "intervals": "bootstrap percentiles, captions of one photo drawn together",
    }
    data: dict[str, Switch] = {
        "photos": photos,
        "captions": captions.captions,
        "split": captions.split,
        "repeated_rows": captions.repeated,
        "not_indexed": photos - report.added,
    }
    return SuiteResult(switches, data, found.measures, _rates(cost), found.seconds, cost)


def _rates(cost: IndexingCost) -> tuple[Figure, ...]:
    named = {"rate": cost.rate, "rate_ceiling": cost.ceiling, "rate_ratio": cost.ratio}
    return tuple(
        Figure("index", "all", "all", metric, value, value, value, cost.photos)
        for metric, value in named.items()
    )
