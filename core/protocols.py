"""What the engine asks of models, indexes and solvers; each has a real back end and a fake."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.arrays import Float32Array, Int64Array, PixelArray
from core.domain.mip import MipModel, MipSolution
from core.domain.place import GeoPoint, PlaceName
from core.domain.profile import Concept
from core.progress import Progress


class ImageTextEncoder(Protocol):
    """Puts photos and phrases into one space; rows are float32 of unit length."""

    @property
    def name(self) -> str:
        """A stable name with its version; vectors of different names never mix."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    @property
    def image_size(self) -> int:
        """Side in pixels of the squares that `encode_images` takes."""

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """Encode upright sRGB squares (n, image_size, image_size, 3) to (n, dim)."""

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Encode phrases to (n, dim)."""


class FurtherEncoder(ImageTextEncoder, Protocol):
    """An image-text encoder beside the one that verdicts and concepts rest on."""

    @property
    def crops(self) -> bool:
        """Whether it looks at the middle square of a photo, else at the whole, squashed."""


class TextEncoder(Protocol):
    """Puts sentences into a space of their own; rows are float32 of unit length."""

    @property
    def name(self) -> str:
        """A stable name with its version."""

    @property
    def dim(self) -> int:
        """Length of a vector."""

    def encode_texts(self, texts: Sequence[str]) -> Float32Array:
        """Encode sentences to (n, dim)."""


class PresenceModel(Protocol):
    """Tells how surely a photo shows what a phrase names; calibrated on held-out photos.

    `present_above`: taken as shown. `absent_below`: taken as not shown. `exclude_above`:
    an exclusion removes the photo. Between them the answer is unsure.
    """

    @property
    def present_above(self) -> float:
        """Probability from which a thing counts as present."""

    @property
    def absent_below(self) -> float:
        """Probability below which a thing counts as absent."""

    @property
    def exclude_above(self) -> float:
        """Probability from which an exclusion removes a photo."""

    @property
    def nothing_matches_below(self) -> float:
        """Best probability in the whole library below which a query has no answer."""

    @property
    def near_duplicate_above(self) -> float:
        """Cosine of two photo vectors from which they are near-duplicates."""

    def probabilities(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """Probability that each photo (n, dim) shows each phrase (m): (m, n)."""

    def likeness(self, phrases: Sequence[str], image_vectors: Float32Array) -> Float32Array:
        """As `probabilities`, were every thing equally common: (m, n).

        Compares queries with each other, `nothing_matches_below` is on this scale.
        """


class ConceptModel(Protocol):
    """Describes photos by a fixed vocabulary of everyday phrases."""

    def concepts(self, image_vectors: Float32Array) -> list[tuple[Concept, ...]]:
        """The surest phrases of each photo (n, dim), best first."""

    def proxy_vectors(self, image_vectors: Float32Array) -> Float32Array:
        """The mean meaning of each photo's concepts in the sentence space: (n, text dim)."""


class VectorIndex(Protocol):
    """Finds the nearest unit vectors by inner product; ids are photo ids."""

    def __len__(self) -> int: ...

    def add(self, ids: Int64Array, vectors: Float32Array) -> None:
        """Add (n, dim) vectors under ids; an id that is there is replaced."""

    def remove(self, ids: Int64Array) -> None:
        """Forget the ids that are there."""

    def search(
        self, queries: Float32Array, top_k: int, within: Int64Array | None = None
    ) -> tuple[Int64Array, Float32Array]:
        """Best ids and scores of each query (m, dim), both (m, ≤ top_k), best first.

        `within` restricts the search to some ids. Equal scores are ordered by id.
        """

    def vectors(self, ids: Int64Array) -> Float32Array:
        """The stored vectors of ids, (n, dim), in that order; KeyError for an unknown id."""


class Gazetteer(Protocol):
    """Names of places, offline."""

    @property
    def version(self) -> str:
        """Changes when places may be named otherwise than before."""

    def nearest(self, points: Sequence[GeoPoint]) -> list[PlaceName]:
        """The city, region and country of each point, and how far its middle is."""

    def find(self, name: str) -> tuple[PlaceName, ...]:
        """Places of that name (any case, accents ignored), most likely first; () if none."""


class MipSolver(Protocol):
    """Solves mixed-integer programs, cancellable."""

    def solve(self, model: MipModel, progress: Progress, time_limit_s: float) -> MipSolution:
        """Solve to a gap of 0 or to the time limit; raises SolverError, Cancelled."""


class LanguageModel(Protocol):
    """A local language model in a process that may crash without harm."""

    @property
    def name(self) -> str:
        """A stable name with its version."""

    def complete(
        self, prompt: str, schema: dict[str, object] | None, max_tokens: int, progress: Progress
    ) -> str:
        """Continue the prompt, constrained to a JSON schema where one is given.

        Raises ModelCrashed, Cancelled (between tokens).
        """


@dataclass(frozen=True, slots=True)
class Perception:
    """The models that look at photos and read phrases, loaded together.

    `sentences` is the space of `concepts.proxy_vectors`.
    """

    encoder: ImageTextEncoder
    sentences: TextEncoder
    presence: PresenceModel
    concepts: ConceptModel

    @property
    def proxy_name(self) -> str:
        """The name under which proxy vectors are kept."""
        return f"{self.encoder.name}+{self.sentences.name}"
