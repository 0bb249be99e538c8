"""The metadata that searches filter by, as columns."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.moment import ClockSource, Precision
from core.store.database import Database
from core.store.plain_rows import PlainColumns, column_blocks


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


_COLUMNS = """
    SELECT id, taken_local, taken_precision, order_key, latitude, longitude, place_country, kind,
        taken_source, place_region
    FROM photos WHERE EXISTS (SELECT 1 FROM files WHERE files.photo_id = photos.id) ORDER BY id"""


def load_columns(database: Database) -> PhotoColumns:
    """Read the columns of every photo that has a file."""
    with database.read() as connection:
        blocks = [_block(columns) for columns in column_blocks(connection, _COLUMNS)]
    blocks = blocks or [_block([()] * len(dataclasses.fields(PhotoColumns)))]
    names = [field.name for field in dataclasses.fields(PhotoColumns)]
    return PhotoColumns(*(np.concatenate([getattr(b, name) for b in blocks]) for name in names))


def _block(columns: PlainColumns) -> PhotoColumns:
    ids, taken, precision, order, latitude, longitude, country, kind, source, region = columns
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
