"""Photos' vectors: the truth that vector indexes are caches of."""

from array import array
from collections.abc import Sequence

import numpy as np
from sqlalchemy import Integer, String, cast, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from core.domain.arrays import Float16Array, Float32Array, Int64Array
from core.domain.photo import PhotoId
from core.store.database import Database
from core.store.slices import batches
from core.store.tables import FactRow, FileRow, VectorRow

_REVISION = "vectors:{}:revision"
_COMPLETE = "vectors:complete"
_BLOCK = 10_000


class VectorStore:
    """Reads and writes vectors, one a photo and model; kept as float16, given as float32."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, model: str, ids: Sequence[PhotoId], vectors: Float32Array) -> None:
        """Keep (n, dim) vectors; a photo's older vector of the model is replaced."""
        halves = np.ascontiguousarray(vectors, dtype=np.float16)
        rows = [
            {"model": model, "photo_id": photo_id, "vector": half.tobytes()}
            for photo_id, half in zip(ids, halves, strict=True)
        ]
        if not rows:
            return
        statement = insert(VectorRow)
        statement = statement.on_conflict_do_update(
            index_elements=["model", "photo_id"], set_={"vector": statement.excluded.vector}
        )
        with self._database.write() as connection:
            connection.execute(statement, rows)
            self._revise(model)

    def fingerprint(self, model: str) -> str:
        """Equal as long as `load` would give the same: what caches of a model are checked by."""
        spread = func.sum((VectorRow.photo_id * 40_503) % 65_521)
        statement = select(func.count(), func.sum(VectorRow.photo_id), spread).where(
            VectorRow.model == model, VectorRow.photo_id.in_(select(FileRow.photo_id))
        )
        revision = select(FactRow.value).where(FactRow.name == _REVISION.format(model))
        with self._database.read() as connection:
            count, total, spread_total = connection.execute(statement).one()
            revised = connection.execute(revision).scalar_one_or_none() or "0"
        return f"{model}:{count}:{total or 0}:{spread_total or 0}:{revised}"

    def _revise(self, model: str) -> None:
        """Count one more change of a model's vectors, in the transaction that makes it."""
        statement = insert(FactRow).values(name=_REVISION.format(model), value="1")
        value = cast(cast(FactRow.value, Integer) + 1, String)
        with self._database.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_={"value": value})
            )

    def load(self, model: str) -> tuple[Int64Array, Float32Array]:
        """Every vector of a model whose photo has a file: ids (n), vectors (n, dim), by id."""
        ids, halves = self.load_halves(model)
        return ids, halves.astype(np.float32)

    def load_halves(self, model: str) -> tuple[Int64Array, Float16Array]:
        """The same as they are kept."""
        statement = (
            select(VectorRow.photo_id, VectorRow.vector)
            .where(VectorRow.model == model, VectorRow.photo_id.in_(select(FileRow.photo_id)))
            .order_by(VectorRow.photo_id)
        )
        ids, kept = array("q"), bytearray()
        with self._database.read() as connection:
            for photo_id, vector in connection.execution_options(yield_per=_BLOCK).execute(
                statement
            ):
                ids.append(photo_id)
                kept += vector
        halves = np.frombuffer(kept, np.float16)
        return np.frombuffer(ids, np.int64), halves.reshape(len(ids), -1 if ids else 0)

    def of(self, model: str, ids: Sequence[PhotoId]) -> tuple[list[PhotoId], Float32Array]:
        """The vectors of some photos: the ids that have one, and (n, dim) in that order."""
        found: list[PhotoId] = []
        halves: list[bytes] = []
        with self._database.read() as connection:
            for batch in batches(ids):
                statement = (
                    select(VectorRow.photo_id, VectorRow.vector)
                    .where(VectorRow.model == model, VectorRow.photo_id.in_(batch))
                    .order_by(VectorRow.photo_id)
                )
                for photo_id, vector in connection.execute(statement):
                    found.append(PhotoId(photo_id))
                    halves.append(vector)
        if not found:
            return [], np.empty((0, 0), np.float32)
        rows = np.frombuffer(b"".join(halves), np.float16).reshape(len(found), -1)
        return found, rows.astype(np.float32)

    def missing(self, model: str) -> list[PhotoId]:
        """Photos that have a file but no vector of the model, by id."""
        done = select(VectorRow.photo_id).where(VectorRow.model == model)
        statement = (
            select(FileRow.photo_id)
            .where(FileRow.photo_id.not_in(done))
            .distinct()
            .order_by(FileRow.photo_id)
        )
        with self._database.read() as connection:
            return [PhotoId(i) for i in connection.execute(statement).scalars()]

    def lacking(self, model: str, ids: Sequence[PhotoId]) -> list[PhotoId]:
        """Those of these photos that have no vector of the model."""
        have: set[int] = set()
        with self._database.read() as connection:
            for batch in batches(ids):
                statement = select(VectorRow.photo_id).where(VectorRow.model == model)
                have.update(
                    connection.execute(statement.where(VectorRow.photo_id.in_(batch))).scalars()
                )
        return [photo_id for photo_id in ids if photo_id not in have]

    def lacking_count(self, model: str) -> tuple[int, int]:
        """How many photos that have a file lack a vector of the model, and how many there are."""
        with_file = select(FileRow.photo_id).distinct().subquery()
        done = select(func.count()).where(
            VectorRow.model == model, VectorRow.photo_id.in_(select(with_file.c.photo_id))
        )
        with self._database.read() as connection:
            every = connection.execute(select(func.count()).select_from(with_file)).scalar_one()
            return int(every) - int(connection.execute(done).scalar_one()), int(every)

    def complete(self) -> str:
        """The models of which every photo that has a file is known to have a vector."""
        with self._database.read() as connection:
            statement = select(FactRow.value).where(FactRow.name == _COMPLETE)
            return connection.execute(statement).scalar_one_or_none() or ""

    def set_complete(self, models: str) -> None:
        """Remember them; empty where some may be missing."""
        statement = insert(FactRow).values(name=_COMPLETE, value=models)
        with self._database.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["name"], set_={"value": models})
            )

    def counts(self) -> dict[str, int]:
        """How many vectors each model has."""
        statement = select(VectorRow.model, func.count()).group_by(VectorRow.model)
        with self._database.read() as connection:
            return {model: int(count) for model, count in connection.execute(statement)}

    def forget(self, model: str) -> None:
        """Drop every vector of a model."""
        with self._database.write() as connection:
            connection.execute(delete(VectorRow).where(VectorRow.model == model))
            self.set_complete("")
            self._revise(model)
