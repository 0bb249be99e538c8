"""Large libraries of photos that nobody took: rows straight into SQLite, the same for each seed.

`fill_library(library, photos=100_000, seed=0)` writes photos, files and tags of a household: daily
life around a home (that moves once), bursts, trips abroad with GPS, cameras without clocks' zones
or without GPS, screenshots, scans without a date. Sessions, homes and trips are left to a refresh.
Memory does not grow with the number of photos. `vectors=("name", 64)` adds random vectors too.
"""

import os
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, islice

import numpy as np
from sqlalchemy import Connection

from core.domain.moment import ClockSource, Precision
from core.store.library import Library

_BATCH = 10_000
_EPOCH = datetime(1970, 1, 1)
_DAY_S = 86_400
_FIRST_DAY = datetime(2001, 1, 1)
_MOST_YEARS, _A_YEAR = 24.0, 4_000

_HOMES = (("Graz", "Styria", "AT", 47.07, 15.44), ("Lyon", "Rhône", "FR", 45.76, 4.84))
_ABROAD = (
    ("Lisbon", "Lisboa", "PT", 38.72, -9.14, "Europe/Lisbon", 0),
    ("Reykjavik", "Capital Region", "IS", 64.15, -21.94, "Atlantic/Reykjavik", 0),
    ("Kyoto", "Kyoto", "JP", 35.01, 135.77, "Asia/Tokyo", 9),
    ("Moab", "Utah", "US", 38.57, -109.55, "America/Denver", -7),
    ("Palermo", "Sicily", "IT", 38.12, 13.36, "Europe/Rome", 1),
    ("Auckland", "Auckland", "NZ", -36.85, 174.76, "Pacific/Auckland", 12),
)
_HOME_ZONE, _HOME_HOURS = "Europe/Vienna", 1
_WORDS = ("family", "garden", "birthday", "hike", "food", "work", "dog", "snow", "beach")

_PHOTO = (
    "id", "content_hash", "pixel_hash", "format", "width", "height", "taken_local",
    "taken_offset_s", "taken_source", "taken_precision", "taken_zone", "order_key", "latitude",
    "longitude", "gps_problem", "place_name", "place_region", "place_country",
    "place_distance_km", "place_latitude", "place_longitude", "camera_make", "camera_model",
    "camera_serial", "camera_owner", "contributor", "kind", "title", "exposure", "point_source",
    "rating", "sharpness",
)  # fmt: skip
_FILE = ("path", "photo_id", "size", "modified_ns")
_TAG = ("photo_id", "kind", "levels", "source")
_VECTOR = ("model", "photo_id", "vector")
_LARGE_CACHE, _USUAL_CACHE = -200_000, -2_000
"""In KiB, as SQLite counts: hashes come in no order, and their index is large."""

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Device:
    """What somebody takes photos with, and how much of a household's photos are its."""

    make: str
    model: str
    serial: str
    share: float
    gps: float
    zoned: bool = True


_DEVICES = (
    Device("Apple", "iPhone 13", "", 0.45, 0.92),
    Device("Google", "Pixel 6", "", 0.30, 0.85),
    Device("Canon", "EOS 80D", "0420017", 0.20, 0.0, zoned=False),
    Device("NIKON", "COOLPIX S01", "3003", 0.05, 0.3, zoned=False),
)


_SHARES = list(accumulate(device.share for device in _DEVICES[:-1]))
_MINUTES = (0.2, 3.0, 20.0, 90.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """Some photos of one device at one place, within some hours."""

    start: float
    minutes: float
    photos: int
    device: int
    place: tuple[str, str, str, float, float]
    zone: str
    hours: int


def fill_library(
    library: Library,
    *,
    photos: int,
    seed: int = 0,
    years: float | None = None,
    vectors: tuple[str, int] | None = None,
) -> None:
    """Write that many photos, with ids from 1, over `years` (by default 1.5 to 24)."""
    span = years or min(_MOST_YEARS, max(1.5, photos / _A_YEAR))
    rows = _rows(photos, span, seed)
    chance = np.random.default_rng(seed + 1)
    first = 1
    while batch := list(islice(rows, _BATCH)):
        numbers = range(first, first + len(batch))
        with library.database.write() as connection:
            connection.exec_driver_sql(f"PRAGMA cache_size = {_LARGE_CACHE}")
            _insert(connection, "photos", _PHOTO, batch)
            _insert(connection, "files", _FILE, [_file(number) for number in numbers])
            _insert(connection, "tags", _TAG, [tag for n in numbers for tag in _tags(n)])
            if vectors is not None:
                rows_of = _vectors(vectors[0], vectors[1], numbers, chance)
                _insert(connection, "vectors", _VECTOR, rows_of)
            connection.exec_driver_sql(f"PRAGMA cache_size = {_USUAL_CACHE}")
        first += len(batch)


def _insert(
    connection: Connection, table: str, columns: Sequence[str], rows: Sequence[Row]
) -> None:
    marks = ", ".join("?" * len(columns))
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    if rows:
        connection.exec_driver_sql(sql, list(rows))


def _vectors(name: str, dim: int, numbers: Sequence[int], chance: np.random.Generator) -> list[Row]:
    values = chance.standard_normal((len(numbers), dim), np.float32)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    halves = values.astype("<f2")
    return [(name, number, half.tobytes()) for number, half in zip(numbers, halves, strict=True)]


def file_name(number: int) -> str:
    """The file of a photo, by its id."""
    return f"/household/{number // 1000:04d}/IMG_{number:07d}.JPG"


def _file(number: int) -> Row:
    return os.fsencode(file_name(number)), number, 2_000_000 + number % 999_983, number


def _tags(number: int) -> Iterator[Row]:
    if number % 9 == 0:
        yield number, "keyword", _WORDS[number // 9 % len(_WORDS)], "file"
    if number % 25 == 0:
        yield number, "person", f"Person {number // 25 % 12}", "file"


def _rows(photos: int, years: float, seed: int) -> Iterator[Row]:
    chance = np.random.default_rng(seed)
    number = 0
    for scene in _scenes(photos, years, chance):
        steps = np.sort(chance.random(scene.photos)) * scene.minutes * 60
        near = chance.normal(0.0, 0.01, (scene.photos, 2))
        luck = chance.random((scene.photos, 3))
        for i in range(scene.photos):
            number += 1
            if number > photos:
                return
            local = scene.start + round(float(steps[i]), 2)
            yield _row(number, scene, local, near[i].tolist(), luck[i].tolist())


def _row(number: int, scene: Scene, local: float, near: list[float], luck: list[float]) -> Row:
    device = _DEVICES[scene.device]
    name, region, country, latitude, longitude = scene.place
    kind = "screenshot" if scene.device < 2 and luck[0] < 0.04 else "photo"
    located = kind == "photo" and luck[1] < device.gps
    undated = luck[2] < 0.01
    weak = not undated and luck[2] < 0.015
    zoned = located or (device.zoned and not weak)
    key = local - (scene.hours * 3600 if zoned and not weak else 0)
    taken = (_EPOCH + timedelta(seconds=local)).isoformat()
    when: Row = (
        taken,
        scene.hours * 3600 if device.zoned and not located and not weak else None,
        (ClockSource.FILE_TIME if weak else ClockSource.ORIGINAL).value,
        Precision.SECOND.value,
        f"Etc/GMT{-scene.hours:+d}" if located and not weak else None,
        key,
    )
    where: Row = (latitude + near[0], longitude + near[1])
    text = f"{device.make} {device.model}"
    return (
        number, f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}{number:048x}", f"{number:064x}",
        "JPEG", 4032, 3024, *((None,) * 6 if undated else when),
        *(where if located else (None, None)), "",
        *((name, region, country, 1.5, latitude, longitude) if located else (None,) * 6),
        device.make, device.model, device.serial, "",
        f"{text} {device.serial}" if device.serial else f"{text} / {2001 + int(local // 3e7) % 40}",
        kind, "", "1/250 s" if kind == "photo" else "", "EXIF" if located else None,
        number % 6 if number % 40 == 0 else None, (number % 1000) / 10,
    )  # fmt: skip


def _scenes(photos: int, years: float, chance: np.random.Generator) -> Iterator[Scene]:
    """Day by day, in order of days: everyday scenes at home, or a trip of some days."""
    days = max(30, int(years * 365))
    a_day = photos / days
    day, away_until, place = 0, -1, 0
    made = 0
    while made < photos:
        home = _HOMES[0 if day < days * 0.6 else 1]
        if day > away_until and chance.random() < 1 / 60:
            away_until, place = (
                day + int(chance.integers(2, 16)),
                int(chance.integers(len(_ABROAD))),
            )
        away = day <= away_until
        wanted = chance.poisson(a_day * (2.5 if away else 0.85))
        while wanted > 0:
            some = int(min(wanted, 1 + chance.geometric(0.12)))
            yield _scene(day, some, home, _ABROAD[place] if away else None, chance)
            wanted -= some
            made += some
        day += 1


def _scene(
    day: int,
    photos: int,
    home: tuple[str, str, str, float, float],
    abroad: tuple[str, str, str, float, float, str, int] | None,
    chance: np.random.Generator,
) -> Scene:
    start = (_FIRST_DAY - _EPOCH).total_seconds() + day * _DAY_S
    start += min(max(float(chance.normal(14, 3.5)), 5.0), 23.0) * 3600
    where = home if abroad is None else abroad[:5]
    if abroad is None and chance.random() < 0.1:  # an outing
        where = ("Lake", home[1], home[2], home[3] + 0.25, home[4] + 0.2)
    return Scene(
        start,
        _MINUTES[int(chance.random() * len(_MINUTES))],
        photos,
        bisect(_SHARES, chance.random()),
        where,
        _HOME_ZONE if abroad is None else abroad[5],
        _HOME_HOURS if abroad is None else abroad[6],
    )
