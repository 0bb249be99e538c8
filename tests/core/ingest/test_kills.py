"""Indexing is killed at random moments through the real command line and real models."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import skimage
from PIL import Image

from core.paths import LibraryPaths
from core.store.library import open_library
from tests.core.pictures import Scene, draw

KILLS = 10
Snapshot = dict[str, tuple[str, bytes, str]]


def command(photos: Path, library: Path) -> list[str]:
    return [sys.executable, "-m", "app", "index", str(photos), "--library", str(library), "--quiet"]


def snapshot(folder: Path) -> Snapshot:
    """What a library says of each file: content, vector and profile; never ids."""
    library = open_library(LibraryPaths(folder))
    assert library.database.check() == []
    found: Snapshot = {}
    ids = library.photos.ids()
    profiles = library.profiles.profiles(ids)
    model = next(m for m in library.vectors.counts() if "+" not in m)
    rows = dict(zip(*(part.tolist() for part in library.vectors.load(model)), strict=True))
    for photo in library.photos.photos(ids):
        for file in photo.files:
            text = profiles[photo.id].text
            found[str(file.path)] = (photo.facts.content_hash, str(rows[photo.id]).encode(), text)
        assert library.paths.thumbnail(photo.facts.content_hash).exists()
    sessions = [tuple(str(p.path) for p in library.photos.photos(s.photo_ids))
                for s in library.sessions.sessions()]  # fmt: skip
    found["sessions"] = (repr(sessions), b"", "")
    library.close()
    return found


@pytest.mark.soak
@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is not on Windows")
def test_killed_ten_times_it_ends_as_if_never_killed(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    for i in range(240):
        draw(photos, Scene(f"{i:03}", ("red", "blue", "green")[i % 3], "white"), (640, 480))
    data = Path(skimage.__file__).parent / "data"
    for name in ("chelsea.png", "coffee.png", "astronaut.png", "rocket.jpg"):
        Image.open(data / name).convert("RGB").save(photos / f"{name}.jpg")
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    started = time.monotonic()
    assert subprocess.run(command(photos, undisturbed), check=False).returncode == 0
    whole = time.monotonic() - started

    chance = random.Random(7)
    for _ in range(KILLS):
        process = subprocess.Popen(command(photos, killed), start_new_session=True)
        time.sleep(chance.uniform(0.02, 0.9) * whole)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (killed / "library.sqlite").exists():
            library = open_library(LibraryPaths(killed))
            assert library.database.check() == []
            library.close()
    assert subprocess.run(command(photos, killed), check=False).returncode == 0
    assert snapshot(killed) == snapshot(undisturbed)
