"""Which photos a decision is about, and what the library shows of them now."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import LargeBinary, func, or_, select, type_coerce

from core.domain.photo import PhotoFacts, PhotoId
from core.domain.place import GeoPoint
from core.store.database import Database
from core.store.photo_rows import facts_of_row
from core.store.slices import batches
from core.store.tables import FileRow, PhotoRow
from core.store.tags import tags_of

_MARGIN = timedelta(seconds=1)
"""SQLite counts milliseconds: the bounds are a little wider, and the exact ones hold after."""


@dataclass(frozen=True, slots=True)
class Box:
    """Degrees from south to north and from west to east; `west > east` crosses the date line."""

    south: float
    north: float
    west: float
    east: float


def known_ids(database: Database, ids: Sequence[PhotoId]) -> set[PhotoId]:
    """The photos among these that the library has, also those without a file."""
    found: set[PhotoId] = set()
    with database.read() as connection:
        for batch in batches(ids):
            statement = select(PhotoRow.id).where(PhotoRow.id.in_(batch))
            found.update(PhotoId(i) for i in connection.execute(statement).scalars())
    return found


def facts_of(database: Database, ids: Sequence[PhotoId]) -> dict[PhotoId, PhotoFacts]:
    """The facts of the photos among these that are known, also of those without a file."""
    found: dict[PhotoId, PhotoFacts] = {}
    with database.read() as connection:
        for batch in batches(ids):
            tags = tags_of(connection, batch)
            rows = connection.execute(select(PhotoRow.__table__).where(PhotoRow.id.in_(batch)))
            for row in rows.mappings():
                found[PhotoId(row["id"])] = facts_of_row(row, tags.get(row["id"], ()))
    return found


def recorded_times(
    database: Database, contributor: str, first: datetime, last: datetime
) -> dict[PhotoId, datetime]:
    """Local times as recorded of a contributor's photos from `first` to `last`, inclusive."""
    text = func.strftime(
        "%Y-%m-%dT%H:%M:%f",
        PhotoRow.taken_local,
        func.printf("%.6f seconds", -PhotoRow.taken_correction_s),
    )
    statement = select(PhotoRow.id, PhotoRow.taken_local, PhotoRow.taken_correction_s).where(
        PhotoRow.contributor == contributor,
        text >= _bound(first, -_MARGIN),
        text <= _bound(last, _MARGIN),
    )
    with database.read() as connection:
        rows = connection.execute(statement.order_by(PhotoRow.id)).all()
    times = {
        PhotoId(row.id): datetime.fromisoformat(row.taken_local)
        - timedelta(seconds=row.taken_correction_s)
        for row in rows
    }
    return {photo_id: time for photo_id, time in times.items() if first <= time <= last}


def _bound(time: datetime, margin: timedelta) -> str:
    try:
        time += margin
    except OverflowError:
        return time.isoformat()
    return time.isoformat(timespec="milliseconds")


def points_in(database: Database, box: Box) -> dict[PhotoId, GeoPoint]:
    """The positions of the photos in a box, by id."""
    west, east = PhotoRow.longitude >= box.west, PhotoRow.longitude <= box.east
    across = or_(west, east) if box.west > box.east else west & east
    statement = (
        select(PhotoRow.id, PhotoRow.latitude, PhotoRow.longitude)
        .where(PhotoRow.latitude.between(box.south, box.north), across)
        .order_by(PhotoRow.id)
    )
    with database.read() as connection:
        rows = connection.execute(statement).all()
    return {PhotoId(row.id): GeoPoint(row.latitude, row.longitude) for row in rows}


def located_ids(database: Database) -> list[PhotoId]:
    """Every photo with a position, by id."""
    statement = select(PhotoRow.id).where(PhotoRow.latitude.is_not(None)).order_by(PhotoRow.id)
    with database.read() as connection:
        return [PhotoId(i) for i in connection.execute(statement).scalars()]


def ids_under(database: Database, folders: Sequence[Path]) -> set[PhotoId]:
    """The photos with a file in one of the folders, or that are one of these files."""
    found: set[PhotoId] = set()
    path = type_coerce(FileRow.path, LargeBinary)
    with database.read() as connection:
        for first, beyond, exact in _path_ranges(folders):
            inside = (path >= first) & (path < beyond)
            statement = select(FileRow.photo_id).where(or_(inside, path == exact))
            found.update(PhotoId(i) for i in connection.execute(statement).scalars())
    return found


def _path_ranges(folders: Sequence[Path]) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Of each path: the first name below it, the first one after these, and itself."""
    for folder in folders:
        exact = os.fsencode(folder)
        below = exact.rstrip(os.fsencode(os.sep)) + os.fsencode(os.sep)
        yield below, below[:-1] + bytes([below[-1] + 1]), exact
