"""The photo that a search starts from, as the retrieval tools see it."""

from dataclasses import dataclass

from core.domain.arrays import Float32Array
from core.domain.photo import PhotoId
from core.domain.profile import Profile


@dataclass(frozen=True, slots=True)
class Reference:
    """A decoded reference photo: its image vector (dim), what is known of it in words, and its
    id where the library has it.
    """

    vector: Float32Array
    profile: Profile | None = None
    photo_id: PhotoId | None = None
