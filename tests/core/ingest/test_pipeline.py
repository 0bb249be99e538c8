"""Folders into a library: complete, unchanged, moved, offline, killed."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.backends.fakes import TinyGazetteer, fake_perception
from core.domain.problem import ProblemReason
from core.errors import Cancelled, FolderMissing
from core.ingest.pipeline import index_folders
from core.paths import LibraryPaths
from core.progress import Progress, ProgressReport
from core.store.library import open_library
from tests.core.ingest.decoding.odd_decoders import decode_or_die
from tests.core.ingest.houses import AREZZO, NOON, ONE_WORKER, CountingEncoder, House
from tests.core.pictures import Scene, draw


def test_everything_is_written_together(house: House) -> None:
    house.draw("a", "b")
    report = house.index()
    assert (report.added, report.embedded, report.problems) == (2, 2, ())
    photo, _ = house.library.photos.photos(house.library.photos.ids())
    assert photo.path == house.photos / "a.jpg"
    facts = photo.facts
    assert facts.place is not None and facts.place.name == "Arezzo"
    assert facts.taken is not None and facts.taken.zone == "Europe/Rome"
    assert facts.taken.offset is None and facts.order_key == 1_714_557_600  # 10:00 UTC
    assert house.library.paths.thumbnail(facts.content_hash).exists()
    profile = house.library.profiles.profiles([photo.id])[photo.id]
    for words in ("blue", "Arezzo", "afternoon", "May 2024", "spring"):
        assert words in profile.text
    counts = house.library.vectors.counts()
    assert counts == {"colours-1": 2, "colours-1+colours-1": 2}
    (session,) = house.library.sessions.sessions()
    assert session.place == "Arezzo, Tuscany, IT"
    assert report.rate > 0 and report.cpu_seconds["read"] > 0


def test_an_unchanged_folder_is_not_looked_at_again(house: House) -> None:
    house.draw("a", "b")
    house.index()
    report = house.index()
    assert (report.unchanged, report.added, report.embedded) == (2, 0, 0)
    assert house.encoder.looked_at == 2


def test_moved_and_copied_files_keep_their_photo(house: House) -> None:
    house.draw("a", "b")
    house.index()
    before = house.library.photos.ids()
    (house.photos / "sub").mkdir()
    (house.photos / "a.jpg").rename(house.photos / "sub" / "z.jpg")
    (house.photos / "c.jpg").write_bytes((house.photos / "b.jpg").read_bytes())
    report = house.index()
    assert (report.added, report.removed, report.embedded) == (2, 1, 0)
    assert house.library.photos.ids() == before
    assert house.names() == ["b.jpg", "c.jpg", "z.jpg"]


def test_copies_within_one_run_are_one_photo(house: House) -> None:
    house.draw("a")
    for name in ("b", "c"):
        (house.photos / f"{name}.jpg").write_bytes((house.photos / "a.jpg").read_bytes())
    report = house.index()
    assert (report.added, report.embedded) == (3, 1)
    assert house.library.photos.count() == 1


def test_a_changed_file_is_another_photo(house: House) -> None:
    house.draw("a")
    house.index()
    draw(house.photos, Scene("a", "green", "white", NOON, AREZZO), (128, 64))
    report = house.index()
    assert (report.added, report.changed, report.embedded) == (0, 1, 1)
    (photo,) = house.library.photos.photos(house.library.photos.ids())
    assert photo.facts.width == 128


def test_a_touched_file_is_the_same_photo(house: House) -> None:
    house.draw("a")
    house.index()
    os.utime(house.photos / "a.jpg", (1, 1))
    report = house.index()
    assert (report.changed, report.unchanged, report.embedded) == (0, 1, 0)


def test_every_file_is_accounted_for(house: House) -> None:
    house.draw("a", "crash", "hang")
    (house.photos / "notes.txt").write_text("hello")
    (house.photos / "film.mp4").write_bytes(b"x")
    (house.photos / "broken.jpg").write_bytes(b"x")
    (house.photos / "empty.png").touch()
    report = house.index(decode=decode_or_die)
    assert {p.path.name: p.reason for p in report.problems} == {
        "crash.jpg": ProblemReason.DECODER_CRASHED,
        "hang.jpg": ProblemReason.DECODER_TIMEOUT,
        "notes.txt": ProblemReason.NOT_A_PHOTO,
        "film.mp4": ProblemReason.DAMAGED,
        "broken.jpg": ProblemReason.DAMAGED,
        "empty.png": ProblemReason.EMPTY,
    }
    assert house.names() == ["a.jpg"]


def test_problems_are_retried_when_changed_or_asked(house: House) -> None:
    (house.photos / "a.jpg").parent.mkdir(exist_ok=True)
    (house.photos / "a.jpg").write_bytes(b"x")
    house.draw("crash")
    house.index(decode=decode_or_die)
    since = house.library.problems.all()
    assert len(house.index().problems) == 2 and house.library.problems.all() == since
    house.draw("a")
    assert [p.path.name for p in house.index().problems] == ["crash.jpg"]
    assert house.index(retry=True).problems == ()
    assert house.names() == ["a.jpg", "crash.jpg"]


def test_a_photo_that_was_damaged_since_is_a_problem(house: House) -> None:
    house.draw("a", "b")
    house.index()
    (house.photos / "a.jpg").write_bytes(b"x")
    assert [p.path.name for p in house.index().problems] == ["a.jpg"]
    assert house.names() == ["b.jpg"]
    (house.photos / "a.jpg").unlink()
    assert house.index().problems == ()


def test_an_empty_or_vanished_root_is_offline(house: House) -> None:
    house.draw("a", "b")
    house.index()
    away = house.photos.with_name("away")
    house.photos.rename(away)
    report = house.index()
    assert (report.offline, report.removed) == ((house.photos,), 0)
    house.photos.mkdir()
    assert house.index().offline == (house.photos,)
    assert house.names() == ["a.jpg", "b.jpg"]
    assert house.library.facts.roots() == {house.photos: True}
    house.photos.rmdir()
    away.rename(house.photos)
    report = house.index()
    assert (report.offline, report.unchanged) == ((), 2)
    assert house.library.facts.roots() == {house.photos: False}


def test_a_folder_that_never_was_is_missing(house: House) -> None:
    with pytest.raises(FolderMissing):
        house.index(house.photos / "nowhere")


def test_one_deleted_file_is_detached(house: House) -> None:
    house.draw("a", "b")
    house.index()
    (house.photos / "a.jpg").unlink()
    assert house.index().removed == 1
    assert house.names() == ["b.jpg"]
    (session,) = house.library.sessions.sessions()
    assert len(session.photo_ids) == 1


def test_folders_within_folders_are_walked_once(house: House) -> None:
    house.draw("a", "sub/b")
    report = house.index(house.photos, house.photos / "sub")
    assert report.added == 2
    assert set(house.library.facts.roots()) == {house.photos, house.photos / "sub"}


def test_other_models_look_again_without_touching_facts(house: House) -> None:
    house.draw("a", "b")
    house.index()
    house.encoder = CountingEncoder("colours-2")
    report = house.index()
    assert (report.added, report.unchanged, report.embedded) == (0, 2, 2)
    assert house.encoder.looked_at == 2
    assert house.library.vectors.counts()["colours-2+colours-1"] == 2


def test_missing_proxies_need_no_second_look(house: House) -> None:
    house.draw("a")
    house.index()
    house.library.vectors.forget("colours-1+colours-1")
    house.index()
    assert house.encoder.looked_at == 1
    assert house.library.vectors.counts()["colours-1+colours-1"] == 1


def test_cancel_keeps_what_was_committed(house: House) -> None:
    for number in range(80):
        picture = Image.fromarray(np.full((8, 8, 3), number, np.uint8))
        picture.save(house.photos / f"{number:02}.png")

    progress = Progress(lambda report: stop(report))  # noqa: PLW0108 - defined below

    def stop(report: ProgressReport) -> None:
        if report.stage == "embed":
            progress.cancel()

    fake = fake_perception()
    with pytest.raises(Cancelled):
        index_folders([house.photos], house.library, fake, TinyGazetteer(), ONE_WORKER, progress)
    assert list(house.library.facts.roots()) == [house.photos], "the run can go on"
    assert house.library.photos.count() == 8
    assert house.index().added == 72
    assert house.names() == [f"{number:02}.png" for number in range(80)]


def test_progress_names_its_stages(house: House) -> None:
    house.draw("a")
    seen: list[str] = []
    progress = Progress(lambda report: seen.append(report.stage))
    fake = fake_perception()
    index_folders([house.photos], house.library, fake, TinyGazetteer(), ONE_WORKER, progress)
    assert list(dict.fromkeys(seen)) == ["scan", "read", "embed", "sessions", "trips"]


PROGRAM = """
    import sys
    from pathlib import Path
    from core.backends.fakes import TinyGazetteer, fake_perception
    from core.ingest.pipeline import index_folders
    from core.paths import LibraryPaths
    from core.progress import Progress
    from core.settings import Settings
    from core.store.library import open_library

    if __name__ == "__main__":
        library = open_library(LibraryPaths(Path(sys.argv[2])))
        index_folders([Path(sys.argv[1])], library, fake_perception(), TinyGazetteer(),
                      Settings(), Progress())
"""


def contents(folder: Path) -> list[tuple[object, ...]]:
    """What a library holds, ids among it."""
    library = open_library(LibraryPaths(folder))
    assert library.database.check() == []
    photos = library.photos.photos(library.photos.ids())
    profiles = library.profiles.profiles([photo.id for photo in photos])
    ids, vectors = library.vectors.load("colours-1")
    rows = dict(zip(ids.tolist(), vectors.tolist(), strict=True))
    found: list[tuple[object, ...]] = [(p, profiles[p.id], rows[p.id]) for p in photos]
    found.append((library.sessions.sessions(), library.sessions.trips()))
    library.close()
    return found


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not on Windows")
def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    for number in range(70):
        draw(tmp_path / "photos", Scene(f"{number:03}", "red", "blue", NOON, AREZZO))
    program = tmp_path / "index.py"
    program.write_text(textwrap.dedent(PROGRAM))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}

    def start(library: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(program), str(tmp_path / "photos"), str(tmp_path / library)]
        return subprocess.Popen(command, env=environment)

    assert start("undisturbed").wait() == 0
    process = start("killed")
    while not count(tmp_path / "killed"):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < count(tmp_path / "killed") < 70
    assert start("killed").wait() == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def count(folder: Path) -> int:
    if not LibraryPaths(folder).database.exists():
        return 0
    library = open_library(LibraryPaths(folder))
    try:
        return library.photos.count()
    finally:
        library.close()


def test_deleted_thumbnails_are_made_again_and_nothing_else(house: House) -> None:
    house.draw("a", "b")
    house.index()
    looked_at = house.encoder.looked_at
    made = sorted(house.library.paths.thumbnails.rglob("*.jpg"))
    shutil.rmtree(house.library.paths.thumbnails)
    report = house.index()
    assert (report.unchanged, report.embedded) == (2, 0)
    assert sorted(house.library.paths.thumbnails.rglob("*.jpg")) == made
    assert house.encoder.looked_at == looked_at


def test_two_spellings_of_a_folder_are_one(house: House) -> None:
    house.draw("sub/a")
    house.index(house.photos / "sub")
    report = house.index(house.photos / "sub" / ".." / "sub")
    assert (report.added, report.unchanged) == (0, 1)
    assert set(house.library.facts.roots()) == {house.photos / "sub"}


def test_a_file_in_place_of_a_folder_is_said(house: House) -> None:
    house.draw("a")
    file = next(house.photos.rglob("*.*"))
    with pytest.raises(FolderMissing, match="is a file"):
        house.index(file)
