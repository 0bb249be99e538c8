"""What photos tell of the clocks that dated them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from core.domain.moment import ClockSource, Precision
from core.domain.photo import Camera, PhotoId, PhotoKind, PointSource
from core.domain.place import GeoPoint
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow

_OWN = (ClockSource.ORIGINAL, ClockSource.DIGITIZED, ClockSource.XMP)
_PAGE = 5_000
_RECORDED = func.strftime(
    "%Y-%m-%dT%H:%M:%S",
    PhotoRow.taken_local,
    func.printf("%.6f seconds", -PhotoRow.taken_correction_s),
)


@dataclass(frozen=True, slots=True)
class ClockGroup:
    """The photos of one contributor with one device: counts, and the times recorded.

    `told` counts photos with a time of the device's own, `with_offset` those of them that tell
    their offset from UTC, `with_gps` photos whose device told where it was.
    """

    contributor: str
    camera: Camera
    photos: int
    told: int
    with_offset: int
    with_gps: int
    corrected: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A photo that its device dated to the second: local time as shown, and as recorded."""

    photo_id: PhotoId
    contributor: str
    local: datetime
    offset: timedelta | None
    correction: timedelta
    point: GeoPoint | None

    @property
    def recorded(self) -> datetime:
        """Local time before any correction."""
        return self.local - self.correction


def clock_groups(database: Database) -> list[ClockGroup]:
    """Every contributor and device, by name."""
    own = PhotoRow.taken_source.in_([source.value for source in _OWN])
    by_device = PhotoRow.point_source == PointSource.EXIF.value
    told = case((PhotoRow.taken_source != ClockSource.FILE_TIME.value, _RECORDED))
    keys = (PhotoRow.contributor, PhotoRow.camera_make, PhotoRow.camera_model)
    statement = (
        select(
            *keys,
            func.count(),
            _count(own),
            _count(own & PhotoRow.taken_offset_s.is_not(None)),
            _count(by_device),
            _count(PhotoRow.taken_correction_s != 0),
            func.min(told),
            func.max(told),
        )
        .where(PhotoRow.id.in_(select(FileRow.photo_id)))
        .group_by(*keys)
        .order_by(*keys)
    )
    with database.read() as connection:
        rows = connection.execute(statement).all()
    return [
        ClockGroup(
            name, Camera(make, model), count, own, offset, gps, shifted, _time(first), _time(last)
        )
        for name, make, model, count, own, offset, gps, shifted, first, last in rows
    ]


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.count(case((condition, 1)))


def sightings(database: Database) -> Iterator[Sighting]:
    """Every photo of a camera that has a file and its device's own time, in keyset pages."""
    statement = (
        select(
            PhotoRow.id,
            PhotoRow.contributor,
            PhotoRow.taken_local,
            PhotoRow.taken_offset_s,
            PhotoRow.taken_correction_s,
            PhotoRow.latitude,
            PhotoRow.longitude,
        )
        .where(
            PhotoRow.id.in_(select(FileRow.photo_id)),
            PhotoRow.kind == PhotoKind.PHOTO.value,
            PhotoRow.taken_precision == Precision.SECOND.value,
            PhotoRow.taken_source.in_([source.value for source in _OWN]),
        )
        .order_by(PhotoRow.id)
        .limit(_PAGE)
    )
    last = 0
    while True:
        with database.read() as connection:
            page = connection.execute(statement.where(PhotoRow.id > last)).all()
        if not page:
            return
        yield from map(_sighting, page)
        last = page[-1].id


def _sighting(row: Any) -> Sighting:
    offset = row.taken_offset_s
    return Sighting(
        PhotoId(row.id),
        row.contributor,
        datetime.fromisoformat(row.taken_local),
        None if offset is None else timedelta(seconds=offset),
        timedelta(seconds=row.taken_correction_s),
        None if row.latitude is None else GeoPoint(row.latitude, row.longitude),
    )


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
