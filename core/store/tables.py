"""The tables of a library as SQLAlchemy sees them; the migration ladder makes them."""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import ForeignKey, LargeBinary, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class PathType(TypeDecorator[Path]):
    """A path as the file system's own bytes, so that names of any encoding survive."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Path | None, dialect: Any) -> bytes | None:
        """Path to bytes."""
        return None if value is None else os.fsencode(value)

    def process_result_value(self, value: bytes | None, dialect: Any) -> Path | None:
        """Bytes to path."""
        return None if value is None else Path(os.fsdecode(value))


class TableBase(DeclarativeBase):
    """What all tables share."""


class RootRow(TableBase):
    """A folder that the user chose."""

    __tablename__ = "roots"
    path: Mapped[Path] = mapped_column(PathType, primary_key=True)
    offline: Mapped[bool]


class PhotoRow(TableBase):
    """A photo, identified by the hash of its bytes."""

    __tablename__ = "photos"
    id: Mapped[int] = mapped_column(primary_key=True)
    content_hash: Mapped[str] = mapped_column(unique=True)
    pixel_hash: Mapped[str]
    format: Mapped[str]
    width: Mapped[int]
    height: Mapped[int]
    taken_local: Mapped[str | None]
    taken_offset_s: Mapped[int | None]
    taken_source: Mapped[str | None]
    taken_precision: Mapped[str | None]
    taken_zone: Mapped[str | None]
    order_key: Mapped[float | None]
    latitude: Mapped[float | None]
    longitude: Mapped[float | None]
    altitude: Mapped[float | None]
    gps_problem: Mapped[str]
    place_name: Mapped[str | None]
    place_region: Mapped[str | None]
    place_country: Mapped[str | None]
    place_distance_km: Mapped[float | None]
    place_latitude: Mapped[float | None]
    place_longitude: Mapped[float | None]
    camera_make: Mapped[str]
    camera_model: Mapped[str]
    camera_serial: Mapped[str]
    camera_owner: Mapped[str]
    contributor: Mapped[str]
    kind: Mapped[str]
    title: Mapped[str]
    exposure: Mapped[str]
    taken_correction_s: Mapped[float]
    rating: Mapped[int | None]
    point_source: Mapped[str | None]
    kind_reason: Mapped[str]
    duration_s: Mapped[float | None]
    perceptual_hash: Mapped[str]
    sharpness: Mapped[float | None]
    clipped: Mapped[float | None]
    note: Mapped[str]
    place_locality: Mapped[str]
    place_own: Mapped[bool]


class TagRow(TableBase):
    """A tag of a photo; its levels in one text."""

    __tablename__ = "tags"
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    levels: Mapped[str] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(primary_key=True)
    region_left: Mapped[float | None]
    region_top: Mapped[float | None]
    region_width: Mapped[float | None]
    region_height: Mapped[float | None]


class FileRow(TableBase):
    """A file that holds a photo; several may hold the same one."""

    __tablename__ = "files"
    path: Mapped[Path] = mapped_column(PathType, primary_key=True)
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), index=True)
    size: Mapped[int]
    modified_ns: Mapped[int]


class CompanionRow(TableBase):
    """A file that belongs to another, or to several: a RAW, a live video, a sidecar."""

    __tablename__ = "companions"
    main: Mapped[Path] = mapped_column(PathType, primary_key=True)
    path: Mapped[Path] = mapped_column(PathType, primary_key=True)
    role: Mapped[str]
    size: Mapped[int]
    modified_ns: Mapped[int]


class DecisionRow(TableBase):
    """Something that the user decided by hand, as JSON."""

    __tablename__ = "decisions"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    kind: Mapped[str]
    value: Mapped[str]
    made_at: Mapped[str]


class RecordedRow(TableBase):
    """What the files say of a photo whose facts a decision has changed, as JSON."""

    __tablename__ = "recorded"
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    facts: Mapped[str]


class ProblemRow(TableBase):
    """A file that is not in the library, and why; its stamp tells whether to try again."""

    __tablename__ = "problems"
    path: Mapped[Path] = mapped_column(PathType, primary_key=True)
    reason: Mapped[str]
    detail: Mapped[str]
    since: Mapped[str]
    size: Mapped[int]
    modified_ns: Mapped[int]


class VectorRow(TableBase):
    """A photo's vector under one model, float16."""

    __tablename__ = "vectors"
    model: Mapped[str] = mapped_column(primary_key=True)
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    vector: Mapped[bytes] = mapped_column(LargeBinary)


class ConceptRow(TableBase):
    """A phrase that a photo shows, with its probability."""

    __tablename__ = "concepts"
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    phrase: Mapped[str] = mapped_column(primary_key=True)
    probability: Mapped[float]


class SessionRow(TableBase):
    """A run of photos; times in the same form as a photo's."""

    __tablename__ = "sessions"
    id: Mapped[int] = mapped_column(primary_key=True)
    contributor: Mapped[str]
    split_rule: Mapped[str]
    split_amount: Mapped[float]
    latitude: Mapped[float | None]
    longitude: Mapped[float | None]
    place: Mapped[str]
    start_key: Mapped[float]
    end_key: Mapped[float]
    first_photo: Mapped[int]
    last_photo: Mapped[int]
    photo_count: Mapped[int]
    weak: Mapped[bool]


class SessionPhotoRow(TableBase):
    """A photo's place in its session."""

    __tablename__ = "session_photos"
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"), index=True)
    position: Mapped[int]


class TripRow(TableBase):
    """A run of sessions away from home."""

    __tablename__ = "trips"
    id: Mapped[int] = mapped_column(primary_key=True)
    split_rule: Mapped[str]
    split_amount: Mapped[float]
    place: Mapped[str]


class TripSessionRow(TableBase):
    """A session's place in its trip."""

    __tablename__ = "trip_sessions"
    session_id: Mapped[int] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    trip_id: Mapped[int] = mapped_column(ForeignKey("trips.id"), index=True)
    position: Mapped[int]


class QueryRow(TableBase):
    """A query that was asked, so that judgements can name it."""

    __tablename__ = "queries"
    id: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    reference: Mapped[Path | None] = mapped_column(PathType)
    asked_at: Mapped[str]


class JudgementRow(TableBase):
    """The user's word on one photo for one query."""

    __tablename__ = "judgements"
    query_id: Mapped[str] = mapped_column(ForeignKey("queries.id"), primary_key=True)
    photo_id: Mapped[int] = mapped_column(ForeignKey("photos.id"), primary_key=True)
    right: Mapped[bool]


class FactRow(TableBase):
    """A fact about the library itself, e.g. when it was last indexed."""

    __tablename__ = "facts"
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class StaleRow(TableBase):
    """A stretch of hours since 1970 UTC that must be renewed; `taken` by whoever does so."""

    __tablename__ = "stale"
    taken: Mapped[int] = mapped_column(primary_key=True)
    what: Mapped[str] = mapped_column(primary_key=True)
    contributor: Mapped[str] = mapped_column(primary_key=True)
    first_hour: Mapped[int] = mapped_column(primary_key=True)
    last_hour: Mapped[int] = mapped_column(primary_key=True)


class VisitRow(TableBase):
    """A day on which a cell of the globe was photographed."""

    __tablename__ = "visits"
    day: Mapped[int] = mapped_column(primary_key=True)
    north: Mapped[int] = mapped_column(primary_key=True)
    east: Mapped[int] = mapped_column(primary_key=True)


class HomeRow(TableBase):
    """The home found for a month."""

    __tablename__ = "homes"
    month: Mapped[int] = mapped_column(primary_key=True)
    latitude: Mapped[float]
    longitude: Mapped[float]
