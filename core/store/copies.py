"""Files of equal contents or equal pixels."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import case, func, or_, select

from core.domain.photo import FileStamp, PhotoKind
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow

_SAME = case(
    (
        or_(PhotoRow.pixel_hash == "", PhotoRow.kind == PhotoKind.VIDEO.value),
        PhotoRow.content_hash,
    ),
    else_=PhotoRow.pixel_hash,
)
"""What equal files share: their pixels, or all bytes where pixels don't tell the whole."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One file of a group, with what tells it from the others."""

    stamp: FileStamp
    content_hash: str
    rating: int


def exact_copies(database: Database) -> Iterator[list[Copy]]:
    """Groups of two files or more that are equal, by path."""
    joined = select(FileRow.path).join(PhotoRow, FileRow.photo_id == PhotoRow.id)
    twice = joined.with_only_columns(_SAME).group_by(_SAME).having(func.count() > 1)
    statement = (
        joined.add_columns(
            FileRow.size, FileRow.modified_ns, PhotoRow.content_hash, PhotoRow.rating, _SAME
        )
        .where(_SAME.in_(twice))
        .order_by(_SAME, FileRow.path)
    )
    with database.read() as connection:
        rows = connection.execute(statement).all()
    for _, group in groupby(rows, key=lambda row: row[5]):
        yield [Copy(FileStamp(*row[:3]), row[3], row[4] or 0) for row in group]
