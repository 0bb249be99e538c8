"""The metadata that searches filter by, as columns."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import select

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.moment import ClockSource, Precision
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow


@dataclass(frozen=True, slots=True)
class PhotoColumns:
    """One row a photo that has a file, by id; arrays of one length.

    `taken` is local wall-clock time (datetime64[s], NaT where unknown); `timed` tells whether its
    hour is known; `order` is seconds since 1970 (NaN unknown); latitude and longitude are degrees
    (NaN unknown); `country` is an ISO code and `region` a part of it, or empty; `kind` a
    `PhotoKind` value; `told` says whether the photo or its name tells its time, rather than the
    file's modification alone.
    """

    ids: Int64Array
    taken: npt.NDArray[np.datetime64]
    timed: BoolArray
    order: Float64Array
    latitude: Float64Array
    longitude: Float64Array
    country: npt.NDArray[np.str_]
    kind: npt.NDArray[np.str_]
    told: BoolArray
    region: npt.NDArray[np.str_]

    def rows(self, chosen: BoolArray | Int64Array) -> "PhotoColumns":
        """The rows that a mask or row numbers choose."""
        return PhotoColumns(
            *(getattr(self, field.name)[chosen] for field in dataclasses.fields(self))
        )


def load_columns(database: Database) -> PhotoColumns:
    """Read the columns of every photo that has a file."""
    fields = (
        PhotoRow.id,
        PhotoRow.taken_local,
        PhotoRow.taken_precision,
        PhotoRow.order_key,
        PhotoRow.latitude,
        PhotoRow.longitude,
        PhotoRow.place_country,
        PhotoRow.kind,
        PhotoRow.taken_source,
        PhotoRow.place_region,
    )
    held = select(FileRow.photo_id)
    with database.read() as connection:
        rows = connection.execute(
            select(*fields).where(PhotoRow.id.in_(held)).order_by(PhotoRow.id)
        ).all()
    ids, taken, precision, order, latitude, longitude, country, kind, source, region = (
        zip(*rows, strict=True) if rows else ((),) * len(fields)
    )
    return PhotoColumns(
        np.array(ids, np.int64),
        np.array([t or "NaT" for t in taken], "datetime64[us]").astype("datetime64[s]"),
        np.array([p == Precision.SECOND for p in precision], np.bool_),
        np.array(order, np.float64),
        np.array(latitude, np.float64),
        np.array(longitude, np.float64),
        np.array([c or "" for c in country], np.str_),
        np.array(kind, np.str_),
        np.array([s not in (None, ClockSource.FILE_TIME) for s in source], np.bool_),
        np.array([r or "" for r in region], np.str_),
    )
