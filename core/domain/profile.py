"""The semantic proxy of a photo: what is known of it in words, and how surely."""

from dataclasses import dataclass

from core.domain.photo import PhotoId


@dataclass(frozen=True, slots=True)
class Concept:
    """An everyday phrase that a photo shows with a calibrated probability."""

    phrase: str
    probability: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The text that stands for a photo: concepts, keywords, place and time of day.

    `text` never holds anything that no model and no metadata said.
    """

    photo_id: PhotoId
    concepts: tuple[Concept, ...]
    text: str
