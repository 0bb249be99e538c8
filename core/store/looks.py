"""What photos look like, as columns, and the photos of which it is not known yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlalchemy import select, update

from core.domain.arrays import BoolArray, Float64Array, Int64Array
from core.domain.moment import ClockSource, Precision
from core.domain.photo import ContentHash, Look, PhotoId, PhotoKind
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow

_PAGE = 10_000


@dataclass(frozen=True, slots=True)
class LookColumns:
    """One row a photo that has a file, in capture order (undated last); arrays of one length.

    `order` is seconds since 1970 (NaN unknown); `exact` tells whether a camera told the second;
    `contributor` numbers the contributors; `hashes` are perceptual ones, `hashed` where there is
    one; `moving` are videos.
    """

    ids: Int64Array
    order: Float64Array
    exact: BoolArray
    contributor: Int64Array
    hashes: npt.NDArray[np.uint64]
    hashed: BoolArray
    moving: BoolArray


def load_looks(database: Database) -> LookColumns:
    """Read the columns in keyset pages."""
    fields = (
        PhotoRow.id,
        PhotoRow.order_key,
        PhotoRow.taken_source,
        PhotoRow.taken_precision,
        PhotoRow.contributor,
        PhotoRow.perceptual_hash,
        PhotoRow.kind,
    )
    held = select(FileRow.photo_id)
    statement = select(*fields).where(PhotoRow.id.in_(held)).order_by(PhotoRow.id).limit(_PAGE)
    numbers: dict[str, int] = {}
    rows: list[tuple[int, float, bool, int, int, bool, bool]] = []
    last = 0
    while True:
        with database.read() as connection:
            page = connection.execute(statement.where(PhotoRow.id > last)).all()
        if not page:
            return _columns(rows)
        for photo_id, order, source, precision, contributor, look, kind in page:
            told = source is not None and source != ClockSource.FILE_TIME
            exact = told and precision == Precision.SECOND and order is not None
            number = numbers.setdefault(contributor, len(numbers))
            bits = int(look, 16) if look else 0
            when = np.nan if order is None else order
            moving = kind == PhotoKind.VIDEO
            rows.append((photo_id, when, exact, number, bits, bool(look), moving))
        last = page[-1][0]


def _columns(rows: Sequence[tuple[int, float, bool, int, int, bool, bool]]) -> LookColumns:
    ids, order, exact, contributor, hashes, hashed, moving = (
        zip(*rows, strict=True) if rows else ((),) * 7
    )
    when = np.array(order, np.float64)
    sorted_by = np.lexsort((np.array(ids, np.int64), when))
    return LookColumns(
        np.array(ids, np.int64)[sorted_by],
        when[sorted_by],
        np.array(exact, np.bool_)[sorted_by],
        np.array(contributor, np.int64)[sorted_by],
        np.array(hashes, np.uint64)[sorted_by],
        np.array(hashed, np.bool_)[sorted_by],
        np.array(moving, np.bool_)[sorted_by],
    )


def photos_without_look(
    database: Database, after: PhotoId, most: int
) -> list[tuple[PhotoId, ContentHash]]:
    """The next photos by id that have a file and no look, by an index of those alone."""
    statement = (
        select(PhotoRow.id, PhotoRow.content_hash)
        .where(PhotoRow.sharpness.is_(None), PhotoRow.id > after)
        .where(select(FileRow.path).where(FileRow.photo_id == PhotoRow.id).exists())
        .order_by(PhotoRow.id)
        .limit(most)
    )
    with database.read() as connection:
        found = connection.execute(statement).all()
    return [(PhotoId(row[0]), ContentHash(row[1])) for row in found]


def save_looks(database: Database, looks: Mapping[PhotoId, Look]) -> None:
    """Keep the looks of some photos in one transaction."""
    with database.write() as connection:
        for photo_id, look in looks.items():
            statement = update(PhotoRow).where(PhotoRow.id == photo_id)
            connection.execute(
                statement.values(
                    perceptual_hash=look.perceptual_hash,
                    sharpness=look.sharpness,
                    clipped=look.clipped,
                )
            )
