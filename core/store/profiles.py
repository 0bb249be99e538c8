"""Photos' profiles: their concepts, and the text that full-text search reads."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, select, text

from core.domain.photo import PhotoId
from core.domain.profile import Concept, Profile
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import ConceptRow


class ProfileStore:
    """Reads, writes and searches profiles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, profiles: Sequence[Profile]) -> None:
        """Keep profiles; a photo's older one is replaced."""
        ids = [profile.photo_id for profile in profiles]
        concepts = [
            {"photo_id": p.photo_id, "phrase": c.phrase, "probability": c.probability}
            for p in profiles
            for c in p.concepts
        ]
        texts = [{"id": p.photo_id, "text": p.text} for p in profiles]
        if not profiles:
            return
        with self._database.write() as connection:
            for batch in batches(ids):
                connection.execute(delete(ConceptRow).where(ConceptRow.photo_id.in_(batch)))
            if concepts:
                connection.execute(insert(ConceptRow), concepts)
            connection.execute(text("DELETE FROM profile_text WHERE rowid = :id"), texts)
            connection.execute(
                text("INSERT INTO profile_text (rowid, text) VALUES (:id, :text)"), texts
            )

    def profiles(self, ids: Sequence[PhotoId]) -> dict[PhotoId, Profile]:
        """The profiles of the photos among these that have one."""
        concepts: dict[int, list[Concept]] = {}
        texts: dict[int, str] = {}
        with self._database.read() as connection:
            for batch in batches(ids):
                rows = select(ConceptRow.__table__).where(ConceptRow.photo_id.in_(batch))
                for row in connection.execute(rows.order_by(ConceptRow.probability.desc())):
                    concepts.setdefault(row.photo_id, []).append(
                        Concept(row.phrase, row.probability)
                    )
                marks = ",".join(str(int(i)) for i in batch)
                found = connection.exec_driver_sql(
                    f"SELECT rowid, text FROM profile_text WHERE rowid IN ({marks})"
                )
                texts.update((row[0], row[1]) for row in found)
        return {
            PhotoId(i): Profile(PhotoId(i), tuple(concepts.get(i, ())), words)
            for i, words in texts.items()
        }

    def match(self, words: Sequence[str], limit: int) -> list[tuple[PhotoId, float]]:
        """Photos whose profile holds any of the words, best first by BM25 (higher is better).

        Words are data: each is quoted, so that none is read as query syntax.
        """
        plain = (
            word.replace("\0", " ").replace('"', '""') for word in words
        )  # NUL ends SQLite's text
        quoted = " OR ".join(f'"{word}"' for word in plain if word.strip())
        if not quoted:
            return []
        # "+rowid": a bare one makes SQLite run the full-text match once a file, minutes at 100,000.
        statement = text(
            "SELECT rowid, -bm25(profile_text) AS score FROM profile_text "
            "WHERE profile_text MATCH :words AND +rowid IN (SELECT photo_id FROM files) "
            "ORDER BY score DESC, rowid LIMIT :limit"
        )
        with self._database.read() as connection:
            rows = connection.execute(statement, {"words": quoted, "limit": limit})
            return [(PhotoId(row.rowid), float(row.score)) for row in rows]
