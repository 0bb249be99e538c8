"""Draws a tiny library for the smoke suite: fields of colour with dates, places and cameras."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from PIL import Image

from core.backends.fakes import COLOURS, TinyGazetteer
from core.domain.arrays import PixelArray
from core.domain.place import GeoPoint

PALETTE = ("red", "green", "blue", "yellow", "white", "black")
"""Colours that photos have."""
ABSENT = ("purple", "orange", "pink", "brown")
"""Colours that no photo has."""
AWAY = ("Lisbon", "Moab")
"""Towns where the camera was on one day each."""
SHOWN_ALONE = 3
"""So many photos begin each day, each of one colour that no other photo of that day has."""
_SIZE = (160, 120)
_NOISE = 5
_EXIF_IFD, _GPS_IFD = 0x8769, 0x8825
_MAKE, _MODEL, _TAKEN = 0x010F, 0x0110, 0x9003
_START = datetime(2024, 5, 3, 9, 0)
_HOME = "Vienna"
_PLAN = ((_HOME, 0), (_HOME, 3), (_HOME, 9), (AWAY[0], 20), (AWAY[1], 40))
"""Where the camera was and on which day after the start."""


@dataclass(frozen=True, slots=True)
class DrawnPhoto:
    """A photo that the suite drew: its colours (largest first), town and local time."""

    path: Path
    colours: tuple[str, ...]
    town: str
    taken: datetime


def draw_library(folder: Path, seed: int) -> list[DrawnPhoto]:
    """Draw five days of photos as JPEG files with EXIF; the same seed draws the same bytes."""
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    drawn: list[DrawnPhoto] = []
    for town, day in _PLAN:
        for hour, colours in enumerate(_day(chance)):
            taken = _START + timedelta(days=day, minutes=40 * hour + chance.randrange(20))
            path = folder / f"photo-{len(drawn):03}.jpg"
            pixels = _paint(colours, chance.uniform(0.3, 0.45), chance.randrange(2**32))
            _save(path, pixels, taken, _point(town))
            drawn.append(DrawnPhoto(path, colours, town, taken))
    return drawn


def _day(chance: random.Random) -> list[tuple[str, ...]]:
    """The colours of one day's photos: first some alone, then all pairs of the other colours."""
    colours = chance.sample(PALETTE, len(PALETTE))
    rest = colours[SHOWN_ALONE:]
    pairs = [(a, b) for a in rest for b in rest if a != b]
    return [(colour,) for colour in colours[:SHOWN_ALONE]] + chance.sample(pairs, len(pairs))


def _paint(colours: Sequence[str], share: float, seed: int) -> PixelArray:
    """A field of the first colour, the right part in the second one, with a little noise."""
    width, height = _SIZE
    pixels = np.empty((height, width, 3), np.int16)
    pixels[:] = COLOURS[colours[0]]
    if len(colours) > 1:
        pixels[:, round(width * (1 - share)) :] = COLOURS[colours[1]]
    noise = np.random.default_rng(seed).integers(-_NOISE, _NOISE + 1, pixels.shape)
    painted: PixelArray = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    return painted


def _save(path: Path, pixels: PixelArray, taken: datetime, point: GeoPoint) -> None:
    exif = Image.Exif()
    exif[_MAKE], exif[_MODEL] = "Photoapp", "Smoke"
    exif.get_ifd(_EXIF_IFD)[_TAKEN] = taken.strftime("%Y:%m:%d %H:%M:%S")
    exif.get_ifd(_GPS_IFD).update(_gps(point))
    Image.fromarray(pixels).save(path, quality=95, subsampling=0, exif=exif)


def _gps(point: GeoPoint) -> dict[int, object]:
    return {
        1: "N" if point.latitude >= 0 else "S",
        2: _degrees(abs(point.latitude)),
        3: "E" if point.longitude >= 0 else "W",
        4: _degrees(abs(point.longitude)),
    }


def _degrees(value: float) -> tuple[float, float, float]:
    minutes = (value - int(value)) * 60
    return (float(int(value)), float(int(minutes)), round((minutes - int(minutes)) * 60, 3))


def _point(town: str) -> GeoPoint:
    return TinyGazetteer().find(town)[0].point
