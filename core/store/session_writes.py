"""Writes the sessions and trips that changed, under the numbers that they had."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import InstrumentedAttribute

from core.domain.session import TimedSession, TripSpan
from core.store.session_rows import values_of_session, values_of_trip
from core.store.slices import batches
from core.store.tables import SessionPhotoRow, SessionRow, TableBase, TripRow, TripSessionRow

Column = InstrumentedAttribute[int]
Values = dict[str, object]
Held = tuple[Values, tuple[int, ...]]
"""The columns of a row, and the numbers of what it holds, in order."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A table of rows that hold members, the links between both, and what points to the rows."""

    row: type[SessionRow] | type[TripRow]
    link: type[TableBase]
    holder: Column
    member: Column
    pointing: tuple[Column, ...] = ()


_SESSIONS = _Kind(
    SessionRow,
    SessionPhotoRow,
    SessionPhotoRow.session_id,
    SessionPhotoRow.photo_id,
    (TripSessionRow.session_id,),
)
_TRIPS = _Kind(TripRow, TripSessionRow, TripSessionRow.trip_id, TripSessionRow.session_id)


def renew_sessions(
    connection: Connection,
    found: Sequence[TimedSession],
    stretch: tuple[float, float],
    kept: set[int],
) -> set[int]:
    """See `SessionStore.renew`."""
    photos = [photo for timed in found for photo in timed.session.photo_ids]
    holders = _holders(connection, _SESSIONS, photos)
    begun = select(SessionRow.id).where(
        SessionRow.start_key >= stretch[0], SessionRow.start_key < stretch[1]
    )
    before = {*holders.values(), *connection.execute(begun).scalars()} - kept
    new = [(values_of_session(timed), timed.session.photo_ids) for timed in found]
    return _renew(connection, _SESSIONS, new, holders, before)


def renew_trips(
    connection: Connection, found: Sequence[TripSpan], stretch: tuple[float, float]
) -> None:
    """See `SessionStore.renew_trips`."""
    begun = select(SessionRow.id).where(SessionRow.start_key.between(*stretch))
    links = select(_TRIPS.member, _TRIPS.holder).where(_TRIPS.member.in_(begun))
    holders = {row[0]: row[1] for row in connection.execute(links)}
    new = [(values_of_trip(trip), tuple(span.id for span in trip.sessions)) for trip in found]
    _renew(connection, _TRIPS, new, holders, set(holders.values()))
    empty = ~select(1).where(TripSessionRow.trip_id == TripRow.id).exists()
    connection.execute(delete(TripRow).where(empty))


def _renew(
    connection: Connection,
    kind: _Kind,
    found: Sequence[tuple[Values, Sequence[int]]],
    holders: dict[int, int],
    before: set[int],
) -> set[int]:
    numbers = _numbers(connection, kind, [members for _, members in found], holders, before)
    new: dict[int, Held] = {
        number: ({"id": number, **values}, tuple(members))
        for number, (values, members) in zip(numbers, found, strict=True)
    }
    old = _held(connection, kind, before)
    gone = before - set(numbers)
    changed = [number for number in numbers if old.get(number) != new[number]]
    for column in kind.pointing:
        _delete(connection, column, gone)
    _delete(connection, kind.holder, [*gone, *changed])
    _delete(connection, kind.row.id, gone)
    _put(connection, kind.row, [new[number][0] for number in changed])
    _put(connection, kind.link, [link for n in changed for link in _links(kind, n, new[n][1])])
    return set(numbers)


def _links(kind: _Kind, number: int, members: Sequence[int]) -> Iterable[Values]:
    for position, member in enumerate(members):
        yield {kind.holder.key: number, kind.member.key: member, "position": position}


def _numbers(
    connection: Connection,
    kind: _Kind,
    found: Iterable[Sequence[int]],
    holders: dict[int, int],
    before: set[int],
) -> list[int]:
    """A number for each: that of what held its first members before, else a new one."""
    left = set(before)
    newest = connection.execute(select(func.max(kind.row.id))).scalar_one() or 0
    numbers = []
    for members in found:
        number = next((holders[i] for i in members if holders.get(i) in left), None)
        if number is None:
            newest += 1
            number = newest
        left.discard(number)
        numbers.append(number)
    return numbers


def _holders(connection: Connection, kind: _Kind, members: Sequence[int]) -> dict[int, int]:
    """Which row holds each of the members that are held."""
    found: dict[int, int] = {}
    for batch in batches(members):
        rows = connection.execute(select(kind.member, kind.holder).where(kind.member.in_(batch)))
        found.update((row[0], row[1]) for row in rows)
    return found


def _held(connection: Connection, kind: _Kind, numbers: Iterable[int]) -> dict[int, Held]:
    members: dict[int, list[int]] = {}
    rows: list[Any] = []
    order = kind.link.__table__.c.position
    for batch in batches(sorted(numbers)):
        chosen = select(kind.row.__table__).where(kind.row.id.in_(batch))
        rows += connection.execute(chosen).mappings()
        links = select(kind.holder, kind.member).where(kind.holder.in_(batch)).order_by(order)
        for number, member in connection.execute(links):
            members.setdefault(number, []).append(member)
    return {row["id"]: (dict(row), tuple(members.get(row["id"], ()))) for row in rows}


def _delete(connection: Connection, column: Column, numbers: Iterable[int]) -> None:
    """Delete the rows of a table in which a column has one of these numbers."""
    for batch in batches(sorted(numbers)):
        connection.execute(delete(column.class_).where(column.in_(batch)))


def _put(connection: Connection, table: type[TableBase], rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert(table).prefix_with("OR REPLACE"), rows)
