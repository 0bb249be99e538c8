"""Libraries of any size without files: rows and vectors straight into SQLite, the same each time.

A life goes on for years: days with a few photos, trips with many, nights and quiet weeks between.
Memory stays bounded, a million photos without vectors take about a minute.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core.paths import LibraryPaths
from core.store.library import open_library

_BLOCK = 20_000
_HOME, _AWAY = (48.21, 16.37), ((43.46, 11.88), (38.57, -109.55), (-33.87, 151.21))
_DEVICES = ("EOS 40D 0401", "Pixel 7", "iPhone 12")
_WORDS = ("dog", "beach", "mountain", "people", "car", "water", "grass", "snow", "child", "street")
Row = dict[str, Any]


def fill_library(
    folder: Path, photos: int, models: tuple[tuple[str, int], ...] = (), seed: int = 0
) -> None:
    """Make a library of `photos` photos; each of `models` (name, dim) gets a vector a photo."""
    paths = LibraryPaths(folder)
    open_library(paths).close()
    with closing(sqlite3.connect(paths.database)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        rows, number = _rows(photos, seed), np.random.default_rng(seed)
        while block := list(islice(rows, _BLOCK)):
            _insert(connection, "photos", block)
            _insert(connection, "files", [_file(row) for row in block])
            texts = [(row["id"], _words(row["id"])) for row in block]
            connection.executemany("INSERT INTO profile_text (rowid, text) VALUES (?, ?)", texts)
            for model, dim in models:
                _add_vectors(connection, model, block, number.standard_normal((len(block), dim)))
            connection.commit()


def _insert(connection: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    names = list(rows[0])
    marks = ", ".join("?" * len(names))
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"
    connection.executemany(statement, [tuple(row.values()) for row in rows])


def _add_vectors(
    connection: sqlite3.Connection, model: str, rows: list[Row], vectors: np.ndarray
) -> None:
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    halves = vectors.astype(np.float16)
    connection.executemany(
        "INSERT INTO vectors (model, photo_id, vector) VALUES (?, ?, ?)",
        [(model, row["id"], half.tobytes()) for row, half in zip(rows, halves, strict=True)],
    )


def _rows(photos: int, seed: int) -> Iterator[Row]:
    number = np.random.default_rng(seed + 1)
    time, place, until = datetime(2001, 1, 1, 9), _HOME, datetime(2001, 1, 1)
    pause = 40_000_000 / max(photos, 1)  # quiet hours are shorter where there are more photos
    for photo_id in range(1, photos + 1):
        quiet = number.random() < 0.02
        time += timedelta(seconds=float(pause * number.random() * 30 if quiet else 40))
        if time > until:
            away = number.random() < 0.3
            place = _AWAY[int(number.integers(len(_AWAY)))] if away else _HOME
            until = time + timedelta(days=float(number.integers(3, 20)))
        yield _photo(photo_id, time, place, number)


def _photo(
    photo_id: int, time: datetime, place: tuple[float, float], number: np.random.Generator
) -> Row:
    located = number.random() < 0.7
    return {
        "id": photo_id,
        "content_hash": number.bytes(32).hex(),
        "pixel_hash": f"{photo_id:x}",
        "perceptual_hash": number.bytes(8).hex(),
        "format": "JPEG",
        "width": 4000,
        "height": 3000,
        "taken_local": time.isoformat(timespec="seconds"),
        "taken_offset_s": 0,
        "taken_source": "DateTimeOriginal",
        "taken_precision": "second",
        "order_key": (time - datetime(1970, 1, 1)).total_seconds(),
        "latitude": place[0] + number.normal(0, 0.02) if located else None,
        "longitude": place[1] + number.normal(0, 0.02) if located else None,
        "gps_problem": "",
        "camera_make": "",
        "camera_model": "",
        "camera_serial": "",
        "camera_owner": "",
        "contributor": _DEVICES[0 if number.random() < 0.8 else int(number.integers(3))],
        "kind": "photo",
        "title": "",
        "exposure": "",
        "kind_reason": "",
        "note": "",
        "taken_correction_s": 0,
        "place_own": 0,
        "place_locality": "",
    }


def _file(row: Row) -> Row:
    photo_id = row["id"]
    path = os.fsencode(f"/photos/{photo_id // 1000:04d}/IMG_{photo_id:07d}.JPG")
    return {"path": path, "photo_id": photo_id, "size": 3_000_000, "modified_ns": photo_id}


def _words(photo_id: int) -> str:
    return f"{_WORDS[photo_id % 10]}, {_WORDS[photo_id // 10 % 10]}"
