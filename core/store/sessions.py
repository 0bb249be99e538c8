"""Sessions and trips as last computed."""

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import func, select

from core.domain.photo import PhotoId
from core.domain.session import Session, SessionSpan, TimedSession, Trip, TripSpan
from core.store.database import Database
from core.store.plain_rows import plain_rows
from core.store.session_rows import (
    SPANS,
    TIMES,
    session_of_row,
    span_of_row,
    split_of_row,
)
from core.store.session_writes import renew_sessions, renew_trips
from core.store.slices import batches
from core.store.tables import SessionPhotoRow, SessionRow, TripRow, TripSessionRow

_PAGE = 50
_LAST_ID = 2**62
_MEMBERS = select(SessionPhotoRow.session_id, SessionPhotoRow.photo_id).order_by(
    SessionPhotoRow.session_id, SessionPhotoRow.position
)
_BY_START = "ORDER BY s.start_key, p.content_hash, s.id"


class SessionStore:
    """Reads and renews sessions and trips; both follow from photos and decisions alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sessions(self) -> list[Session]:
        """Every session, in order of its start."""
        with self._database.read() as connection:
            members: dict[int, list[PhotoId]] = {}
            for session_id, photo_id in plain_rows(connection, str(_MEMBERS)):
                members.setdefault(session_id, []).append(photo_id)
            rows = plain_rows(connection, f"{TIMES} {_BY_START}")
        return [session_of_row(row, members.get(row[0], ())) for row in rows]

    def of_photos(self, ids: Sequence[PhotoId]) -> list[Session]:
        """The sessions that hold some photos, in order of their start."""
        held = select(SessionPhotoRow.session_id).distinct()
        found: set[int] = set()
        with self._database.read() as connection:
            for batch in batches(ids):
                chosen = held.where(SessionPhotoRow.photo_id.in_(batch))
                found.update(connection.execute(chosen).scalars())
        return self._some(found)

    def _some(self, ids: Iterable[int]) -> list[Session]:
        wanted = sorted(ids)
        members: dict[int, list[PhotoId]] = {}
        rows = []
        with self._database.read() as connection:
            for batch in batches(wanted):
                held = _MEMBERS.where(SessionPhotoRow.session_id.in_(batch))
                for session_id, photo_id in connection.execute(held):
                    members.setdefault(session_id, []).append(PhotoId(photo_id))
                marks = ", ".join("?" * len(batch))
                sql = f"{TIMES} WHERE s.id IN ({marks}) {_BY_START}"
                rows += plain_rows(connection, sql, batch)
        rows.sort(key=lambda row: row[-2:])
        return [session_of_row(row, members.get(row[0], ())) for row in rows]

    def trips(self) -> list[Trip]:
        """Every trip, in order of its start."""
        with self._database.read() as connection:
            rows = connection.execute(select(TripRow.__table__)).all()
            links = connection.execute(select(TripSessionRow.trip_id, TripSessionRow.session_id))
            trip_of = {session_id: trip_id for trip_id, session_id in links}
        members: dict[int, list[Session]] = {}
        for session in self._some(trip_of):
            members.setdefault(trip_of[session.id], []).append(session)
        by_id = {row.id: row for row in rows}
        return [
            Trip(trip_id, tuple(sessions), split_of_row(by_id[trip_id]), by_id[trip_id].place)
            for trip_id, sessions in members.items()
        ]

    def counts(self) -> tuple[int, int]:
        """How many sessions and trips there are."""
        with self._database.read() as connection:
            sessions, trips = (
                int(connection.execute(select(func.count()).select_from(table)).scalar_one())
                for table in (SessionRow, TripRow)
            )
        return sessions, trips

    def spans(self, first: float, last: float) -> list[SessionSpan]:
        """Sessions that more than file times date and that begin from `first` to `last`,
        inclusive, in order."""
        sql = f"{SPANS} AND s.start_key BETWEEN ? AND ? {_BY_START}"
        with self._database.read() as connection:
            return [span_of_row(row) for row in plain_rows(connection, sql, (first, last))]

    def spans_from(self, at: float, *, later: bool) -> Iterator[SessionSpan]:
        """The same of those that begin after a time, or, where not `later`, before it and the
        latest first."""
        sign, order = (">", "ASC") if later else ("<", "DESC")
        sql = f"""{SPANS} AND (s.start_key, s.id) {sign} (?, ?)
            ORDER BY s.start_key {order}, s.id {order} LIMIT {_PAGE}"""
        place = at, (_LAST_ID if later else 0)
        while True:
            with self._database.read() as connection:
                page = [span_of_row(row) for row in plain_rows(connection, sql, place)]
            yield from page
            if len(page) < _PAGE:
                return
            place = page[-1].start, page[-1].id

    def last_end(self, first: float, last: float, *, otherwise: float) -> float:
        """When the last of the sessions ends that begin in a stretch, `otherwise` at least."""
        sql = "SELECT max(end_key) FROM sessions WHERE NOT weak AND start_key BETWEEN ? AND ?"
        with self._database.read() as connection:
            ((end,),) = plain_rows(connection, sql, (first, last))
        return otherwise if end is None else max(otherwise, float(end))

    def longest(self) -> float:
        """Seconds that the longest session lasts."""
        with self._database.read() as connection:
            ((longest,),) = plain_rows(connection, "SELECT max(end_key - start_key) FROM sessions")
        return float(longest or 0.0)

    def renew(
        self, found: Sequence[TimedSession], first: float, beyond: float, kept: set[int]
    ) -> set[int]:
        """Keep these sessions, and none else that holds their photos or begins from `first` to
        before `beyond`, but those in `kept`; returns the numbers that they have.

        A session keeps its number as long as it keeps a photo; what has not changed is not
        written. Joins the open transaction.
        """
        with self._database.write() as connection:
            return renew_sessions(connection, found, (first, beyond), kept)

    def renew_trips(self, found: Sequence[TripSpan], first: float, last: float) -> None:
        """Keep these trips, and none else with a session that begins from `first` to `last`,
        inclusive; numbers as above."""
        with self._database.write() as connection:
            renew_trips(connection, found, (first, last))
