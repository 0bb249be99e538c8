"""Photos' tags: who and what they show, as files, sidecars and the user say."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.photo import PhotoId
from core.domain.tag import BETWEEN_LEVELS, Region, Tag, TagKind, TagSource
from core.store.database import Database
from core.store.tables import FileRow, TagRow

_FORGET = delete(TagRow).where(TagRow.photo_id == bindparam("photo"))


class TagStore:
    """Reads tags over the whole library; photos bring their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def counts(self, kind: TagKind) -> dict[str, int]:
        """How many photos that have a file each tag of a kind names, by its text."""
        held = select(FileRow.photo_id)
        statement = (
            select(TagRow.levels, func.count(func.distinct(TagRow.photo_id)))
            .where(TagRow.kind == kind.value, TagRow.photo_id.in_(held))
            .group_by(TagRow.levels)
            .order_by(TagRow.levels)
        )
        with self._database.read() as connection:
            return {levels: int(count) for levels, count in connection.execute(statement)}

    def photos(self, kind: TagKind, text: str) -> list[PhotoId]:
        """The photos that have a file and a tag of that text, by id."""
        statement = (
            select(TagRow.photo_id)
            .where(TagRow.kind == kind.value, TagRow.levels == text)
            .where(TagRow.photo_id.in_(select(FileRow.photo_id)))
            .distinct()
            .order_by(TagRow.photo_id)
        )
        with self._database.read() as connection:
            return [PhotoId(i) for i in connection.execute(statement).scalars()]


def replace_tags(connection: Connection, photo_id: PhotoId, tags: Sequence[Tag]) -> None:
    """Keep these tags of a photo and no others."""
    connection.execute(_FORGET, {"photo": photo_id})
    if tags:
        rows = [{"photo_id": photo_id, **_values(tag)} for tag in tags]
        connection.execute(insert(TagRow).on_conflict_do_nothing(), rows)


def tags_of(connection: Connection, ids: Sequence[PhotoId]) -> dict[int, tuple[Tag, ...]]:
    """The tags of the photos among these that have some, by kind and text."""
    found: dict[int, list[Tag]] = {}
    held = select(TagRow.__table__).where(TagRow.photo_id.in_(ids))
    for row in connection.execute(held.order_by(TagRow.photo_id, TagRow.kind, TagRow.levels)):
        found.setdefault(row.photo_id, []).append(_tag(row))
    return {photo_id: tuple(tags) for photo_id, tags in found.items()}


def _values(tag: Tag) -> dict[str, Any]:
    region = tag.region
    return {
        "kind": tag.kind.value,
        "levels": tag.text,
        "source": tag.source.value,
        "region_left": region.left if region else None,
        "region_top": region.top if region else None,
        "region_width": region.width if region else None,
        "region_height": region.height if region else None,
    }


def _tag(row: Any) -> Tag:
    region = None
    if row.region_left is not None:
        region = Region(row.region_left, row.region_top, row.region_width, row.region_height)
    levels = tuple(row.levels.split(BETWEEN_LEVELS))
    return Tag(TagKind(row.kind), levels, TagSource(row.source), region)
