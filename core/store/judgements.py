"""Queries that were asked, and the user's word on their photos."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, QueryId
from core.errors import NotInLibrary
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import JudgementRow, QueryRow


class JudgementStore:
    """Reads and writes queries and judgements."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, query_id: QueryId, query: ComposedQuery) -> None:
        """Keep a query, so that judgements can name it; asking again changes nothing."""
        reference = query.reference.path if query.reference else None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        statement = insert(QueryRow).values(
            id=query_id, text=query.text, reference=reference, asked_at=now
        )
        with self._database.write() as connection:
            connection.execute(statement.on_conflict_do_nothing())

    def query(self, query_id: QueryId) -> tuple[str, Path | None]:
        """Text and reference of a query; raises NotInLibrary for an unknown one."""
        statement = select(QueryRow.text, QueryRow.reference).where(QueryRow.id == query_id)
        with self._database.read() as connection:
            row = connection.execute(statement).one_or_none()
        if row is None:
            raise NotInLibrary(
                f"No query {query_id} was asked of this library.",
                "Use the query_id that `photoapp search --json` printed.",
            )
        return row.text, row.reference

    def judge(self, query_id: QueryId, right: Sequence[PhotoId], wrong: Sequence[PhotoId]) -> None:
        """Keep the user's word: these photos are it, those are not; the newest word holds."""
        self.query(query_id)
        rows = [{"query_id": query_id, "photo_id": i, "right": True} for i in right]
        rows += [{"query_id": query_id, "photo_id": i, "right": False} for i in wrong]
        if not rows:
            return
        statement = insert(JudgementRow)
        statement = statement.on_conflict_do_update(
            index_elements=["query_id", "photo_id"], set_={"right": statement.excluded.right}
        )
        with self._database.write() as connection:
            connection.execute(statement, rows)

    def held(
        self, query_id: QueryId, ids: Sequence[PhotoId]
    ) -> tuple[tuple[PhotoId, bool | None], ...]:
        """What the user's word on each of these photos is now, None where there is none."""
        words: dict[int, bool] = {}
        statement = select(JudgementRow.photo_id, JudgementRow.right)
        statement = statement.where(JudgementRow.query_id == query_id)
        with self._database.read() as connection:
            for batch in batches(ids):
                rows = connection.execute(statement.where(JudgementRow.photo_id.in_(batch)))
                words |= {row.photo_id: row.right for row in rows}
        return tuple((photo_id, words.get(photo_id)) for photo_id in dict.fromkeys(ids))

    def restore(self, query_id: QueryId, before: Sequence[tuple[PhotoId, bool | None]]) -> None:
        """Let the words of `held` hold again; a photo of None has none any more."""
        silent = [photo_id for photo_id, word in before if word is None]
        statement = delete(JudgementRow).where(JudgementRow.query_id == query_id)
        with self._database.write() as connection:
            for batch in batches(silent):
                connection.execute(statement.where(JudgementRow.photo_id.in_(batch)))
            right = [photo_id for photo_id, word in before if word]
            wrong = [photo_id for photo_id, word in before if word is False]
            self.judge(query_id, right, wrong)

    def count(self) -> int:
        """How many judgements there are."""
        with self._database.read() as connection:
            return int(
                connection.execute(select(func.count()).select_from(JudgementRow)).scalar_one()
            )
