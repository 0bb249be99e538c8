from dataclasses import dataclass

from core.domain.query import PlaceFilter


@dataclass(frozen=True, slots=True)
class Found:
    rest: str
    filter: PlaceFilter | None = None
    notes: tuple[str, ...] = ()


def find_where(text, gazetteer, capitals=True):
    return Found(text)
