"""What the user decided by hand, and what files say of the photos that decisions changed."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar, overload

from pydantic import TypeAdapter
from sqlalchemy import Select, delete, insert, select

from core.domain.decision import (
    ClockShift,
    ContributorSet,
    Decision,
    DecisionValue,
    Geotag,
    HomeSet,
    Judged,
    KindSet,
    PlaceForgotten,
    PlaceNamed,
    RatingSet,
    SessionsJoined,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoFacts, PhotoId
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import DecisionRow, RecordedRow

_log = logging.getLogger(__name__)
_KINDS: tuple[type[DecisionValue], ...] = (
    ClockShift,
    Geotag,
    ContributorSet,
    KindSet,
    TitleSet,
    RatingSet,
    TagsSet,
    SessionStart,
    SessionsJoined,
    PlaceNamed,
    PlaceForgotten,
    HomeSet,
    Judged,
)
_RECORD = """INSERT INTO recorded (photo_id, facts) VALUES (?, ?)
    ON CONFLICT (photo_id) DO UPDATE SET facts = excluded.facts"""
One = TypeVar("One", bound=DecisionValue)
Other = TypeVar("Other", bound=DecisionValue)
Third = TypeVar("Third", bound=DecisionValue)


class DecisionStore:
    """Reads and writes decisions in the order in which they were made."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._adapters = {kind.__name__: TypeAdapter(kind) for kind in _KINDS}
        self._facts = TypeAdapter(PhotoFacts)

    def add(self, value: DecisionValue) -> Decision:
        """Keep a decision."""
        now = datetime.now(UTC).replace(microsecond=0)
        kind = type(value).__name__
        text = self._adapters[kind].dump_json(value).decode()
        with self._database.write() as connection:
            statement = insert(DecisionRow).values(kind=kind, value=text, made_at=now.isoformat())
            key = connection.execute(statement).inserted_primary_key
        assert key is not None
        return Decision(int(key[0]), value, now)

    def remove(self, decision_id: int) -> None:
        """Forget a decision, as if it had never been made."""
        with self._database.write() as connection:
            connection.execute(delete(DecisionRow).where(DecisionRow.id == decision_id))

    def all(self) -> list[Decision]:
        """Every decision, oldest first."""
        return self._read(select(DecisionRow.__table__).order_by(DecisionRow.id))

    def newest(self) -> Decision | None:
        """The decision made last, None where there is none."""
        newest = select(DecisionRow.__table__).order_by(DecisionRow.id.desc()).limit(1)
        return next(iter(self._read(newest)), None)

    @overload
    def of(self, one: type[One], /) -> list[One]: ...

    @overload
    def of(self, one: type[One], other: type[Other], /) -> list[One | Other]: ...

    @overload
    def of(
        self, one: type[One], other: type[Other], third: type[Third], /
    ) -> list[One | Other | Third]: ...

    def of(self, *kinds: type[Any]) -> list[Any]:
        """The values of every decision of some kinds, oldest first; reads no others."""
        names = [kind.__name__ for kind in kinds]
        held = select(DecisionRow.__table__).where(DecisionRow.kind.in_(names))
        values = (decision.value for decision in self._read(held.order_by(DecisionRow.id)))
        return [value for value in values if isinstance(value, kinds)]

    def _read(self, statement: Select[Any]) -> list[Decision]:
        with self._database.read() as connection:
            rows = connection.execute(statement).all()
        decisions = [self._decision(row) for row in rows]
        return [decision for decision in decisions if decision is not None]

    def _decision(self, row: Any) -> Decision | None:
        """A stored decision; None where its text is damaged: the others still count."""
        try:
            value = self._adapters[row.kind].validate_json(row.value)
            return Decision(row.id, value, datetime.fromisoformat(row.made_at))
        except (KeyError, ValueError):
            _log.warning("decision %d cannot be read", row.id)
            return None

    def unreadable(self) -> list[int]:
        """The numbers of decisions that are kept but cannot be read, and so count for nothing."""
        with self._database.read() as connection:
            rows = connection.execute(select(DecisionRow.__table__).order_by(DecisionRow.id)).all()
        return [row.id for row in rows if self._decision(row) is None]

    def record(self, photo_id: PhotoId, facts: PhotoFacts) -> None:
        """Keep what the files say of a photo, apart from what the library shows of it."""
        self.record_all({photo_id: facts})

    def record_all(self, facts: Mapping[PhotoId, PhotoFacts]) -> None:
        """The same of many photos."""
        rows = [(photo_id, self._facts.dump_json(one)) for photo_id, one in facts.items()]
        if not rows:
            return
        with self._database.write() as connection:
            connection.exec_driver_sql(_RECORD, [(i, text.decode()) for i, text in rows])

    def recorded(self, ids: Sequence[PhotoId]) -> dict[PhotoId, PhotoFacts]:
        """What the files say of the photos among these that a decision has changed."""
        found: dict[PhotoId, PhotoFacts] = {}
        with self._database.read() as connection:
            for batch in batches(ids):
                held = select(RecordedRow.__table__).where(RecordedRow.photo_id.in_(batch))
                for row in connection.execute(held):
                    found[PhotoId(row.photo_id)] = self._facts.validate_json(row.facts)
        return found

    def forget_recorded(self, ids: Sequence[PhotoId]) -> None:
        """The library shows what the files say of these again."""
        with self._database.write() as connection:
            for batch in batches(ids):
                connection.execute(delete(RecordedRow).where(RecordedRow.photo_id.in_(batch)))
