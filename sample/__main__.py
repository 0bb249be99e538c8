"""Index a folder, search it, compose a story, write a page of answers, open the window."""

import argparse
import os
import subprocess
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path

from app.commands.terminal import Terminal
from app.startup import opened_engine
from core.domain.query import ComposedQuery, ReferencePhoto
from core.domain.story import StoryBrief
from core.engine import Engine
from core.errors import Cancelled, PhotoAppError
from core.search.request import SearchOptions
from core.story.options import StoryOptions
from sample.page import write_page
from sample.photographs import make_samples

PACKAGES = Path(".venv/samples")


@dataclass(frozen=True, slots=True)
class Tour:
    """What the first run asks: folders to index, one composed query, one story brief."""

    folder: Path
    query: ComposedQuery
    brief: StoryBrief


def main() -> int:
    """Take the tour and return the exit code."""
    grammar = argparse.ArgumentParser(prog="python -m sample", description=__doc__)
    grammar.add_argument("--library", type=Path, required=True)
    grammar.add_argument("--photos", type=Path, help="your own folder; without it, samples")
    options = grammar.parse_args()
    terminal = Terminal.make(as_json=False, quiet=False)
    try:
        with terminal.interruptible(), opened_engine(options.library) as engine:
            page = _take(engine, options.photos, terminal)
    except (Cancelled, KeyboardInterrupt):
        return 130
    except PhotoAppError as error:
        terminal.fail(error)
        return 1
    terminal.line(f"Answers with their pictures: {page}")
    return _open_window(options.library, page, terminal)


def _take(engine: Engine, photos: Path | None, terminal: Terminal) -> Path:
    folder = photos.expanduser().absolute() if photos else _samples(engine)
    report = engine.index([folder], terminal.progress)
    terminal.line(
        f"Indexed {folder}: {report.added} added, {report.unchanged} unchanged, "
        f"{len(report.problems)} files not taken ({report.rate:.1f} photos a second)"
    )
    tour = _own_tour(engine, folder) if photos else _sample_tour(folder)
    answer = engine.search(tour.query, SearchOptions(top=4), terminal.progress)
    start = f" from {tour.query.reference.path.name}" if tour.query.reference else ""
    terminal.line(f"Searched: {tour.query.text!r}{start}")
    story = engine.compose_story(tour.brief, StoryOptions(bundles=1), terminal.progress)
    terminal.line(f"Composed: {tour.brief.text!r}")
    return write_page(engine, tour.query, answer, story, engine.library.paths.root / "answers.html")


def _samples(engine: Engine) -> Path:
    folder = engine.library.paths.root.parent / "sample-photos"
    made = make_samples(PACKAGES.absolute(), folder)
    if not made:
        raise PhotoAppError(
            "No sample photographs are installed.", "Name your own: make run PHOTOS=DIR."
        )
    return folder


def _sample_tour(folder: Path) -> Tour:
    reference = ReferencePhoto(folder / "cheetah-portrait.jpg")
    query = ComposedQuery("the same animal, but running, and no people", reference)
    return Tour(folder, query, StoryBrief("our safari in Tanzania, big cats"))


def _own_tour(engine: Engine, folder: Path) -> Tour:
    """The newest photo without people, and the longest trip or else the largest session."""
    newest = next(section.photo_ids[-1] for section in engine.timeline())
    (photo,) = engine.photos([newest])
    query = ComposedQuery("the same, but without people", ReferencePhoto(photo.path, photo.id))
    runs = [*engine.trips(), *engine.sessions()]
    largest = max(runs, key=lambda run: len(run.photo_ids), default=None)
    place = largest.place if largest else ""
    return Tour(folder, query, StoryBrief(f"a story of our trip to {place}".removesuffix(" to ")))


def _open_window(library: Path, page: Path, terminal: Terminal) -> int:
    on_screen = sys.platform in ("win32", "darwin") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if not on_screen:
        terminal.line("No display here: open the page above in a browser.")
        return 0
    webbrowser.open(page.as_uri())
    return subprocess.run(
        [sys.executable, "-m", "app", "--library", str(library)], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
