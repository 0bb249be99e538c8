"""Photos in time and space: narrow rows by stretches of capture order, for sessions and homes."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import ContentHash, PhotoId
from core.domain.place import GeoPoint, PlaceName
from core.domain.visit import CELLS, EAST_UP, NORTH_UP, Visit
from core.store.database import Database
from core.store.photos import TimelineEntry
from core.store.plain_rows import PlainRow, plain_rows
from core.store.slices import batches

_HELD = "EXISTS (SELECT 1 FROM files WHERE files.photo_id = photos.id)"
_FIELDS = """id, content_hash, taken_local, taken_offset_s, taken_source, taken_precision,
    taken_zone, taken_correction_s, order_key, latitude, longitude, altitude, contributor,
    place_name, place_region, place_country, place_locality"""
_WEAK = f"taken_source = '{ClockSource.FILE_TIME.value}'"
_STRONG = f"taken_source <> '{ClockSource.FILE_TIME.value}'"
_NAIVE = "taken_offset_s IS NULL AND taken_zone IS NULL"
_ANYWHERE = GeoPoint(0.0, 0.0)
_PAGE = 500
_FEW = 100


class EntryStore:
    """Reads the dated photos that have a file, by their order keys (seconds since 1970 UTC)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def between(self, first: float, last: float, *, naive: bool = False) -> Iterator[TimelineEntry]:
        """The photos from `first` to `last`, inclusive, in capture order, by keyset pages;
        `naive` leaves out those whose offset from UTC or zone is known."""
        only = f"AND {_NAIVE}" if naive else ""
        sql = f"""SELECT {_FIELDS} FROM photos WHERE (order_key, content_hash) > (?, ?)
            AND order_key <= ? AND {_HELD} {only} ORDER BY order_key, content_hash LIMIT {_PAGE}"""
        at: tuple[float, str] = (first, "")
        while True:
            page = [_entry(row) for row in self._rows(sql, *at, last)]
            yield from page
            if len(page) < _PAGE:
                return
            at = (page[-1].order_key or 0.0, page[-1].content_hash)

    def anchors(
        self, contributors: Sequence[str], first: float, last: float
    ) -> Iterator[TimelineEntry]:
        """Photos of some contributors from `first` to `last` whose offset or zone is known."""
        for batch in batches(contributors):
            sql = f"""SELECT {_FIELDS} FROM photos WHERE contributor IN ({_marks(batch)})
                AND order_key BETWEEN ? AND ? AND NOT ({_NAIVE}) AND {_HELD}"""
            yield from map(_entry, self._rows(sql, *batch, first, last))

    def keys(self, at: float, *, later: bool) -> Iterator[float]:
        """The order keys from a time on, it among them: rising, or falling where not `later`."""
        sign, order = (">", "ASC") if later else ("<", "DESC")
        sql = f"""SELECT order_key, content_hash FROM photos
            WHERE (order_key, content_hash) {sign} (?, ?) AND {_HELD}
            ORDER BY order_key {order}, content_hash {order} LIMIT {_FEW}"""
        place: tuple[float, str] = (at, "" if later else "~")
        while page := self._rows(sql, *place):
            yield from (row[0] for row in page)
            place = page[-1][0], page[-1][1]

    def bounds(self) -> tuple[float, float] | None:
        """The first and the last order key, also of photos without a file; None of none."""
        ((first,),) = self._rows("SELECT min(order_key) FROM photos")
        ((last,),) = self._rows("SELECT max(order_key) FROM photos")
        return None if first is None or last is None else (first, last)

    def last_before(self, at: float, contributor: str | None, *, weak: bool) -> float | None:
        """The order key of the last photo before a time, of one contributor or (None) of all,
        among those whose time only their files tell, or among the others."""
        return self._nearest("<", "DESC", at, contributor, weak)

    def first_after(self, at: float, contributor: str | None, *, weak: bool) -> float | None:
        """The same of the first photo after a time."""
        return self._nearest(">", "ASC", at, contributor, weak)

    def _nearest(
        self, sign: str, order: str, at: float, contributor: str | None, weak: bool
    ) -> float | None:
        whose = "" if contributor is None else "contributor = ? AND"
        sql = f"""SELECT order_key FROM photos WHERE {whose} order_key {sign} ?
            AND {_WEAK if weak else _STRONG} AND {_HELD} ORDER BY order_key {order} LIMIT 1"""
        values = (at,) if contributor is None else (contributor, at)
        return next((row[0] for row in self._rows(sql, *values)), None)

    def keys_of(self, ids: Sequence[PhotoId], *, gone: bool = False) -> dict[PhotoId, float]:
        """The order keys of the photos among these that are dated and have a file; with `gone`
        also those that they had."""
        held = "" if gone else f"AND {_HELD}"
        found: dict[PhotoId, float] = {}
        for batch in batches(ids):
            sql = f"""SELECT id, order_key FROM photos WHERE id IN ({_marks(batch)})
                AND order_key IS NOT NULL {held}"""
            found.update((PhotoId(row[0]), row[1]) for row in self._rows(sql, *batch))
        return found

    def visits(self, first: float, last: float) -> set[Visit]:
        """Days with the cells of the globe that were photographed, by local time; file times
        say nothing."""
        sql = f"""SELECT DISTINCT substr(taken_local, 1, 10),
            CAST(latitude * {CELLS} + {NORTH_UP} AS INTEGER),
            CAST(longitude * {CELLS} + {EAST_UP} AS INTEGER)
            FROM photos WHERE order_key BETWEEN ? AND ? AND latitude IS NOT NULL
            AND {_STRONG} AND {_HELD}"""
        rows = self._rows(sql, first, last)
        return {
            Visit(date.fromisoformat(day).toordinal(), north, east) for day, north, east in rows
        }

    def _rows(self, sql: str, *values: object) -> list[PlainRow]:
        with self._database.read() as connection:
            return plain_rows(connection, sql, values)


@lru_cache(4096)
def _place_text(name: str, region: str, country: str, locality: str) -> str:
    return PlaceName(name, region, country, 0.0, _ANYWHERE, locality).text


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _entry(row: PlainRow) -> TimelineEntry:
    (photo_id, content_hash, *taken, key, latitude, longitude, altitude, contributor) = row[:13]
    name, region, country, locality = row[13:17]
    place = "" if name is None else _place_text(name, region, country, locality)
    return TimelineEntry(
        PhotoId(photo_id),
        ContentHash(content_hash),
        _taken(*taken),
        key,
        None if latitude is None else GeoPoint(latitude, longitude, altitude),
        contributor,
        place,
    )


def _taken(
    local: str | None, offset: int | None, source: Any, precision: Any, zone: str | None, by: float
) -> CaptureTime | None:
    if local is None:
        return None
    return CaptureTime(
        datetime.fromisoformat(local),
        None if offset is None else timedelta(seconds=offset),
        ClockSource(source),
        Precision(precision),
        zone,
        timedelta(seconds=by),
    )
