"""Sessions and trips as last computed."""

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select

from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.session import Session, Split, SplitRule, Trip
from core.store.database import Database
from core.store.photo_rows import taken_of_row
from core.store.tables import PhotoRow, SessionPhotoRow, SessionRow, TripRow, TripSessionRow


class SessionStore:
    """Reads and replaces sessions and trips; both follow from the set of photos alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, sessions: Sequence[Session], trips: Sequence[Trip]) -> None:
        """Keep these and forget all others, in one transaction."""
        with self._database.write() as connection:
            for table in (TripSessionRow, TripRow, SessionPhotoRow, SessionRow):
                connection.execute(delete(table))
            if sessions:
                connection.execute(insert(SessionRow), [_session_values(s) for s in sessions])
                connection.execute(
                    insert(SessionPhotoRow),
                    [
                        {"photo_id": photo_id, "session_id": s.id, "position": i}
                        for s in sessions
                        for i, photo_id in enumerate(s.photo_ids)
                    ],
                )
            if trips:
                connection.execute(insert(TripRow), [_trip_values(t) for t in trips])
                connection.execute(
                    insert(TripSessionRow),
                    [
                        {"session_id": s.id, "trip_id": t.id, "position": i}
                        for t in trips
                        for i, s in enumerate(t.sessions)
                    ],
                )

    def sessions(self) -> list[Session]:
        """Every session, in order of its start."""
        photos: dict[int, list[PhotoId]] = {}
        times = {}
        with self._database.read() as connection:
            rows = connection.execute(select(SessionRow.__table__).order_by(SessionRow.id)).all()
            members = (
                select(SessionPhotoRow.session_id, PhotoRow.__table__)
                .join(PhotoRow, PhotoRow.id == SessionPhotoRow.photo_id)
                .order_by(SessionPhotoRow.session_id, SessionPhotoRow.position)
            )
            for member in connection.execute(members).mappings():
                photos.setdefault(member["session_id"], []).append(PhotoId(member["id"]))
                times[member["id"]] = taken_of_row(member)
        sessions = []
        for row in rows:
            ids = photos[row.id]
            start, end = times[ids[0]], times[ids[-1]]
            if start is None or end is None:  # undated photos are never in a session
                continue
            center = None if row.latitude is None else GeoPoint(row.latitude, row.longitude)
            split = Split(SplitRule(row.split_rule), row.split_amount)
            sessions.append(
                Session(row.id, row.contributor, tuple(ids), start, end, split, center, row.place)
            )
        return sessions

    def counts(self) -> tuple[int, int]:
        """How many sessions and trips there are."""
        with self._database.read() as connection:
            sessions, trips = (
                int(connection.execute(select(func.count()).select_from(table)).scalar_one())
                for table in (SessionRow, TripRow)
            )
        return sessions, trips

    def trips(self) -> list[Trip]:
        """Every trip, in order of its start."""
        by_id = {session.id: session for session in self.sessions()}
        members: dict[int, list[Session]] = {}
        with self._database.read() as connection:
            rows = connection.execute(select(TripRow.__table__).order_by(TripRow.id)).all()
            links = select(TripSessionRow.__table__).order_by(TripSessionRow.position)
            for link in connection.execute(links):
                members.setdefault(link.trip_id, []).append(by_id[link.session_id])
        return [
            Trip(
                row.id,
                tuple(members[row.id]),
                Split(SplitRule(row.split_rule), row.split_amount),
                row.place,
            )
            for row in rows
        ]


def _session_values(session: Session) -> dict[str, object]:
    return {
        "id": session.id,
        "contributor": session.contributor,
        "split_rule": session.split.rule.value,
        "split_amount": session.split.amount,
        "latitude": session.center.latitude if session.center else None,
        "longitude": session.center.longitude if session.center else None,
        "place": session.place,
    }


def _trip_values(trip: Trip) -> dict[str, object]:
    return {
        "id": trip.id,
        "split_rule": trip.split.rule.value,
        "split_amount": trip.split.amount,
        "place": trip.place,
    }
