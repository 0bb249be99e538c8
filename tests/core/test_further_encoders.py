"""A further encoder beside the first: embedded on the side, it serves once it is complete."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.backends.fakes import ColourEncoder
from core.domain.answer import SearchAnswer
from core.domain.arrays import Float32Array, PixelArray
from core.domain.query import ComposedQuery
from core.engine import Engine
from core.errors import Cancelled, InputError, ModelMissing
from core.ingest.embed import BATCH
from core.ingest.further import coverage, embed_further, square_of
from core.ingest.stage_times import StageTimes
from core.ingest.upkeep.care import forget_old_models
from core.paths import LibraryPaths
from core.progress import Progress
from core.search.request import SearchOptions
from core.settings import choose_encoders, load_settings
from core.store.library import Library
from tests.core.pictures import FAKES, SCENES, draw
from tests.core.synthetic import fill_library

TOOL = "image-text:second-1"


class SecondEncoder(ColourEncoder):
    """The colours under another name; it can be made to stop after some photos."""

    name = "second-1"
    crops = True

    def __init__(self, stop_after: int = 10_000) -> None:
        self.looked_at, self.stop_after = 0, stop_after

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """As its parent."""
        if self.looked_at >= self.stop_after:
            raise Cancelled
        self.looked_at += len(pixels)
        return super().encode_images(pixels)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    for scene in SCENES:
        draw(folder, scene)
    return folder


def opened(tmp_path: Path, encoder: SecondEncoder, *names: str) -> Engine:
    folder = tmp_path / "library"
    folder.mkdir(exist_ok=True)
    choose_encoders(LibraryPaths(folder).settings, names)
    return Engine.open(folder, replace(FAKES, encoder=lambda name, progress: encoder))


def ask(engine: Engine, text: str = "red") -> SearchAnswer:
    return engine.search(ComposedQuery(text), SearchOptions(), Progress())


def tools(answer: SearchAnswer) -> set[str]:
    assert answer.trajectory is not None
    return {step.tool for step in answer.trajectory.steps}


def notes(answer: SearchAnswer) -> str:
    return " ".join(event.detail for event in answer.trace if event.event == "models")


def test_index_completes_it_and_searches_use_it(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder(), "second")
    report = engine.index([photos], Progress())
    assert report.further == report.embedded == len(SCENES)
    answer = ask(engine)
    assert TOOL in tools(answer)
    assert answer.results
    assert notes(answer) == ""
    assert engine.index([photos], Progress()).further == 0
    engine.close()


def test_without_a_choice_nothing_is_loaded(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder())
    assert engine.index([photos], Progress()).further == 0
    assert tools(ask(engine)) == {"image-text", "text-concept", "bm25"}
    engine.close()


def test_the_first_serves_while_the_second_is_half_done(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder())
    engine.index([photos], Progress())
    engine.close()
    second = SecondEncoder()
    engine = opened(tmp_path, second, "second")
    some = engine.library.photos.ids()[:3]
    engine.library.vectors.save(second.name, some, np.ones((3, second.dim), np.float32))
    answer = ask(engine)
    assert TOOL not in tools(answer)
    assert f"3 of {len(SCENES)} photos embedded" in notes(answer)
    check = next(c for c in engine.examine(Progress()) if c.name == "further encoders")
    assert not check.ok
    engine.index([photos], Progress())
    assert second.looked_at == len(SCENES) - 3
    assert TOOL in tools(ask(engine))
    engine.close()


def many(library: Library, photos: int, thumbnail: Path) -> None:
    fill_library(library, photos=photos)
    for photo in library.photos.photos(library.photos.ids()):
        path = library.paths.thumbnail(photo.facts.content_hash)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(thumbnail, path)


def test_cancelled_it_goes_on_where_it_was(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder(), "second")
    engine.index([photos], Progress())
    one = engine.photos(engine.library.photos.ids()[:1])[0]
    thumbnail = engine.thumbnail(one)
    assert thumbnail is not None
    engine.close()
    shutil.copyfile(thumbnail, tmp_path / "one.jpg")
    shutil.rmtree(tmp_path / "library")
    stopping = SecondEncoder(stop_after=2 * BATCH)
    engine = opened(tmp_path, stopping, "second")
    many(engine.library, 5 * BATCH, tmp_path / "one.jpg")
    with pytest.raises(Cancelled):
        engine.index([photos], Progress())
    assert engine.library.vectors.counts()[stopping.name] == 2 * BATCH
    engine.close()
    going_on = SecondEncoder()
    engine = opened(tmp_path, going_on, "second")
    engine.index([photos], Progress())
    assert going_on.looked_at == 3 * BATCH + len(SCENES)
    assert coverage(engine.library, going_on).serves
    engine.close()


KILLED = """
import os, sys, signal
from pathlib import Path
from core.ingest.embed import BATCH
from core.ingest.further import embed_further
from core.ingest.stage_times import StageTimes
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import open_library
from tests.core.test_further_encoders import SecondEncoder, many
class Dying(SecondEncoder):
    def encode_images(self, pixels):
        if self.looked_at >= 2 * BATCH:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_images(pixels)
library = open_library(LibraryPaths(Path(sys.argv[1])))
many(library, 4 * BATCH, Path(sys.argv[2]))
embed_further(library, Dying(), StageTimes(), Progress())
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not on Windows")
def test_killed_it_loses_one_batch_at_most(tmp_path: Path, photos: Path) -> None:
    picture = next(photos.glob("*.jpg"))
    words = [sys.executable, "-c", KILLED, str(tmp_path / "library"), str(picture)]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == -signal.SIGKILL
    second = SecondEncoder()
    engine = opened(tmp_path, second, "second")
    assert engine.library.vectors.counts()[second.name] == 2 * BATCH
    engine.index([photos], Progress())
    assert second.looked_at == 2 * BATCH + len(SCENES)
    engine.close()


def test_a_photo_without_thumbnail_does_not_hold_it_up(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder())
    engine.index([photos], Progress())
    one = engine.thumbnail(engine.photos(engine.library.photos.ids()[:1])[0])
    assert one is not None
    second = SecondEncoder()
    one.unlink()
    assert embed_further(engine.library, second, StageTimes(), Progress()) == len(SCENES) - 1
    covered = coverage(engine.library, second)
    assert (covered.serves, covered.photos) == (True, len(SCENES) - 1)
    engine.close()


def test_a_model_whose_files_are_gone_is_told_of(tmp_path: Path, photos: Path) -> None:
    engine = opened(tmp_path, SecondEncoder(), "second")
    engine.index([photos], Progress())
    engine.close()

    def gone(name: str, progress: Progress) -> SecondEncoder:
        raise ModelMissing("Its weights are not there.", "Download it again.")

    engine = Engine.open(tmp_path / "library", replace(FAKES, encoder=gone))
    answer = ask(engine)
    assert answer.results
    assert TOOL not in tools(answer)
    assert "second cannot be used" in notes(answer)
    assert any("second cannot be used" in n for n in engine.index([photos], Progress()).notes)
    forget_old_models(
        engine.library, engine.loaded.perception(Progress()), engine.settings.models.encoders
    )
    assert engine.library.vectors.counts()["second-1"] == len(SCENES)
    engine.close()


def test_squares_are_cut_or_squashed_as_the_encoder_was_trained(tmp_path: Path) -> None:
    wide = Image.new("RGB", (300, 100), "red")
    wide.paste("blue", (100, 0, 200, 100))
    wide.save(tmp_path / "wide.png")
    cut = square_of(tmp_path / "wide.png", 32, crops=True)
    squashed = square_of(tmp_path / "wide.png", 32, crops=False)
    assert cut is not None
    assert squashed is not None
    assert (cut[16, 2] == (0, 0, 255)).all()
    assert (squashed[16, 2] == (255, 0, 0)).all()
    assert square_of(tmp_path / "nothing.jpg", 32, crops=True) is None


def test_the_choice_leaves_every_other_line(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[search]\nresults = 7 # seven\n\n[scan]\nskip_hidden = false\n")
    choose_encoders(path, ["one", "two"])
    choose_encoders(path, ["three"])
    settings = load_settings(path)
    assert settings.models.encoders == ("three",)
    assert (settings.search.results, settings.scan.skip_hidden) == (7, False)
    assert path.read_text().startswith("# mine\n[search]\nresults = 7 # seven\n")
    choose_encoders(path, [])
    assert load_settings(path).models.encoders == ()
    path.write_text("nonsense")
    with pytest.raises(InputError):
        choose_encoders(path, ["one"])
    assert path.read_text() == "nonsense"
