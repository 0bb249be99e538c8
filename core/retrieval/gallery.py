"""What one search looks through: vectors, metadata and profiles of the photos, ready in memory."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.backends.faiss_index import FaissIndex
from core.backends.index_cache import load_or_build
from core.domain.arrays import Float32Array, Int64Array
from core.domain.photo import PhotoId
from core.progress import Progress
from core.protocols import FurtherEncoder, Perception, VectorIndex
from core.store.columns import PhotoColumns, load_columns
from core.store.library import Library
from core.store.profiles import ProfileStore


@dataclass(frozen=True, slots=True)
class FurtherSpace:
    """A further encoder and the vectors that it made; a few photos may lack one."""

    encoder: FurtherEncoder
    images: VectorIndex

    @property
    def tool(self) -> str:
        """What trajectories call the tool that searches here."""
        return f"image-text:{self.encoder.name}"


@dataclass(frozen=True, slots=True)
class Gallery:
    """A snapshot of a library: every photo that has a file and an image vector, by id.

    `images` holds image vectors of `perception.encoder`, `proxies` the vectors of the photos'
    semantic proxies in the space of `perception.sentences` (it may lack photos); the rows of
    `columns` are those of `columns.ids`. `further` are the spaces of further encoders.
    """

    images: VectorIndex
    proxies: VectorIndex
    columns: PhotoColumns
    profiles: ProfileStore
    perception: Perception
    further: tuple[FurtherSpace, ...] = ()

    @classmethod
    def load(
        cls,
        library: Library,
        perception: Perception,
        progress: Progress,
        further: Sequence[FurtherEncoder] = (),
    ) -> "Gallery":
        """Read a library's vectors (from caches where those are right) and metadata."""
        models = {
            perception.encoder.name: perception.encoder.dim,
            perception.proxy_name: perception.sentences.dim,
        }
        indexes = [
            _index(library, model, dim)
            for model, dim in progress.track("load", models.items(), total=len(models))
        ]
        others = [_index(library, encoder.name, encoder.dim) for encoder in further]
        columns = load_columns(library.database)
        embedded = columns.rows(np.isin(columns.ids, indexes[0].ids))
        for index in (
            *indexes,
            *others,
        ):  # each was read at its own moment, others may write meanwhile
            index.remove(np.setdiff1d(index.ids, embedded.ids, assume_unique=True))
        spaces = tuple(map(FurtherSpace, further, others))
        return cls(indexes[0], indexes[1], embedded, library.profiles, perception, spaces)

    def __len__(self) -> int:
        return len(self.columns.ids)

    @property
    def ids(self) -> Int64Array:
        """Every photo, ascending."""
        return self.columns.ids

    def vectors(self, photo_ids: Int64Array) -> Float32Array:
        """Image vectors of photos, (n, dim)."""
        return self.images.vectors(photo_ids)

    def row(self, photo_id: PhotoId) -> int:
        """The row of a photo in `columns`; KeyError for an unknown one."""
        row = int(np.searchsorted(self.ids, photo_id))
        if row == len(self.ids) or self.ids[row] != photo_id:
            raise KeyError(photo_id)
        return row


def _index(library: Library, model: str, dim: int) -> FaissIndex:
    path = library.paths.vector_cache(model)
    return load_or_build(
        path, dim, library.vectors.fingerprint(model), lambda: library.vectors.load_halves(model)
    )
