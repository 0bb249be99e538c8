"""Photos of a drawn life, written into a real library and taken out again, and what must hold.

`Life` keeps what was written, so that the sessions and trips of the library can be compared with
those that the whole set of photos makes from nothing.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from core.domain.decision import HomeSet, SessionsJoined, SessionStart
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, FileStamp, PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint, PlaceName
from core.domain.session import Session, SessionSpan, TimedSession, TripSpan
from core.ingest.sessions.home import Homes, find_homes, visits_of
from core.ingest.sessions.refresh import refresh_sessions
from core.ingest.sessions.renew_order import zone_teller
from core.ingest.sessions.sessionize import sessionize
from core.ingest.sessions.trips import find_trips
from core.ingest.sessions.zones import corrected_order_keys, order_key
from core.progress import Progress
from core.settings import SessionSettings
from core.store.library import Library
from core.store.photos import TimelineEntry

START = datetime(2024, 5, 1, 8)
Made = tuple[tuple[int, ...], str, str, float, str, object]


class FlatZones:
    """Zones by longitude alone: quick, and as good as real ones for an order."""

    def zone(self, point: GeoPoint) -> str | None:
        """An IANA name of a whole number of hours."""
        return f"Etc/GMT{-round(point.longitude / 15):+d}"


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo: hours since START in local time, where, by whom, and what its clock says."""

    number: int
    hours: float
    point: GeoPoint | None = None
    who: str = "Ada"
    offset_h: int | None = 0
    source: ClockSource = ClockSource.ORIGINAL

    @property
    def facts(self) -> PhotoFacts:
        """As a file would tell."""
        offset = None if self.offset_h is None else timedelta(hours=self.offset_h)
        local = START + timedelta(hours=self.hours)
        taken = CaptureTime(local, offset, self.source, Precision.SECOND)
        place = None
        if self.point is not None:
            name = f"{self.point.latitude:.1f} {self.point.longitude:.1f}"
            place = PlaceName(name, "", "XX", 0.0, self.point)
        return PhotoFacts(
            content_hash=ContentHash(f"{self.number * 7919 % 10007:064x}"),
            pixel_hash="",
            format="JPEG",
            width=40,
            height=30,
            taken=taken,
            order_key=order_key(taken),
            point=self.point,
            gps_problem="",
            place=place,
            camera=Camera(),
            contributor=self.who,
            kind=PhotoKind.PHOTO,
        )


@dataclass(slots=True)
class Life:
    """A library and the shots that it should hold."""

    library: Library
    settings: SessionSettings = field(default_factory=SessionSettings)
    shots: dict[int, Shot] = field(default_factory=dict)
    ids: dict[int, PhotoId] = field(default_factory=dict)

    def put(self, shot: Shot) -> None:
        """Add a shot, or change it."""
        path = Path(f"/life/{shot.number}.jpg")
        self.ids[shot.number] = self.library.photos.save(shot.facts, FileStamp(path, 1, 1))
        self.shots[shot.number] = shot

    def drop(self, number: int) -> None:
        """Lose the file of a shot."""
        self.library.photos.detach([Path(f"/life/{number}.jpg")])
        del self.shots[number]

    def refresh(self) -> bool:
        """Make again what is stale."""
        return refresh_sessions(self.library, self.settings, FlatZones(), Progress())  # type: ignore[arg-type]

    def homes(self) -> Homes:
        """Homes of all the shots."""
        found = find_homes(visits_of(self._entries()))
        return Homes.of(found, self.library.decisions.of(HomeSet))

    def sessions(self) -> list[TimedSession]:
        """Sessions made from nothing."""
        entries = self._entries()
        teller = zone_teller(self.homes(), FlatZones())  # type: ignore[arg-type]
        keys = corrected_order_keys(entries, entries, teller)
        ordered = [
            TimelineEntry(
                e.photo_id, e.content_hash, e.taken, keys.get(e.photo_id, e.order_key),
                e.point, e.contributor, e.place,
            )
            for e in entries
        ]  # fmt: skip
        decisions = self.library.decisions.of(SessionStart, SessionsJoined)
        return sessionize(ordered, self.settings, decisions)

    def trips(self) -> list[TripSpan]:
        """Trips made from nothing."""
        spans = [span(timed) for timed in self.sessions() if not timed.is_weak]
        return find_trips(spans, self.homes(), self.settings)

    def _entries(self) -> list[TimelineEntry]:
        return [self._entry(shot) for shot in self.shots.values()]

    def _entry(self, shot: Shot) -> TimelineEntry:
        facts = shot.facts
        place = facts.place.text if facts.place else ""
        return TimelineEntry(
            self.ids[shot.number], facts.content_hash, facts.taken, facts.order_key,
            facts.point, facts.contributor, place,
        )  # fmt: skip


def span(timed: TimedSession) -> SessionSpan:
    """What trips are made of."""
    session = timed.session
    return SessionSpan(
        session.id,
        session.contributor,
        timed.start,
        timed.end,
        session.start.local,
        session.center,
        session.place,
        len(session.photo_ids),
    )


def made(session: Session) -> Made:
    """A session without its number."""
    split = session.split
    return (
        session.photo_ids, session.contributor, split.rule.value, split.amount, session.place,
        session.center,
    )  # fmt: skip


def check(life: Life) -> None:
    """Compare what the library holds with what its photos make from nothing."""
    kept = life.library.sessions.sessions()
    wanted = life.sessions()
    assert [made(s) for s in kept] == [made(t.session) for t in wanted]
    assert [(s.start, s.end) for s in kept] == [(t.session.start, t.session.end) for t in wanted]
    trips = life.trips()
    by_number = {timed.session.id: timed.session for timed in wanted}
    assert [
        (tuple(made(s) for s in trip.sessions), trip.split, trip.place)
        for trip in life.library.sessions.trips()
    ] == [
        (tuple(made(by_number[s.id]) for s in trip.sessions), trip.split, trip.place)
        for trip in trips
    ]
    assert life.library.homes.found() == life.homes().found
