"""The library in capture order, grouped by day and session.

A million photos take a few seconds: rows come as plain tuples, and are grouped as arrays.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime

import numpy as np
import numpy.typing as npt

from core.domain.arrays import BoolArray, Int64Array
from core.domain.moment import Precision
from core.domain.photo import PhotoId
from core.domain.timeline import TimelineSection
from core.store.database import Database
from core.store.plain_rows import PlainColumns, column_blocks

_PHOTOS = """
    SELECT p.id, p.taken_local, p.taken_precision, m.session_id
    FROM photos p LEFT JOIN session_photos m ON m.photo_id = p.id
    WHERE EXISTS (SELECT 1 FROM files WHERE files.photo_id = p.id)
    ORDER BY p.order_key, p.content_hash"""
_PLACES = "SELECT id, place FROM sessions"
_UNDATED, _ALONE = np.datetime64("NaT"), -1
Times = npt.NDArray[np.datetime64]


def load_timeline(database: Database) -> list[TimelineSection]:
    """Every photo that has a file: newest day first, photos of a day in order, undated last."""
    with database.read() as connection:
        blocks = [_Timeline.of(block) for block in column_blocks(connection, _PHOTOS)]
        places = {
            key: place
            for block in column_blocks(connection, _PLACES)
            for key, place in zip(*block, strict=True)
        }
    return list(_Timeline.joined(blocks).sections(places)) if blocks else []


@dataclass(frozen=True, slots=True)
class _Timeline:
    """Photos in capture order as columns (n): ids, local times, whether to the second, sessions."""

    ids: Int64Array
    local: Times
    timed: BoolArray
    session: Int64Array

    @classmethod
    def of(cls, columns: PlainColumns) -> "_Timeline":
        """A block of rows."""
        ids, local, precision, session = columns
        return cls(
            np.array(ids, np.int64),
            np.array([text or "NaT" for text in local], "datetime64[us]"),
            np.array([p == Precision.SECOND for p in precision], np.bool_),
            np.array([_ALONE if s is None else s for s in session], np.int64),
        )

    @classmethod
    def joined(cls, blocks: Sequence["_Timeline"]) -> "_Timeline":
        """Blocks in their order as one."""
        names = [field.name for field in fields(cls)]
        return cls(*(np.concatenate([getattr(b, name) for b in blocks]) for name in names))

    def sections(self, places: Mapping[int, str]) -> Iterator[TimelineSection]:
        """Sections in the order of the screen."""
        days = self.local.astype("datetime64[D]")
        order, starts = self._grouped(days)
        for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
            members = order[start:stop]
            yield self._section(members, days[members[0]], places)

    def _grouped(self, days: Times) -> tuple[Int64Array, list[int]]:
        """Rows in order of their sections, and where each section starts.

        Sessions may overlap, so a section is all photos of one day and session; sections of one
        day come in the order of their first photos, undated photos make one section at the end.
        """
        dated = ~np.isnat(days)
        newest_first = np.where(dated, -days.astype(np.int64), np.iinfo(np.int64).max)
        session = np.where(dated, self.session, _ALONE)
        pairs = np.stack([newest_first, session], axis=1)
        _, first, group = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.lexsort((first, newest_first[first]))] = np.arange(len(first))
        ranks = rank[group.reshape(-1)]
        order = np.argsort(ranks, kind="stable")
        return order, np.searchsorted(ranks[order], np.arange(len(first))).tolist()

    def _section(
        self, members: Int64Array, day: np.datetime64, places: Mapping[int, str]
    ) -> TimelineSection:
        ids = tuple(map(PhotoId, self.ids[members].tolist()))
        if np.isnat(day):
            return TimelineSection(None, None, "", ids)
        session = int(self.session[members[0]])
        moments = self.local[members[self.timed[members]]]
        begins = _moment(moments.min()) if len(moments) else None
        ends = _moment(moments.max()) if len(moments) else None
        alone = session == _ALONE
        place = "" if alone else places.get(session, "")
        return TimelineSection(_date(day), None if alone else session, place, ids, begins, ends)


def _date(day: np.datetime64) -> date:
    found: date = day.astype(object)
    return found


def _moment(time: np.datetime64) -> datetime:
    found: datetime = time.astype(object)
    return found
