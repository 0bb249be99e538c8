from dataclasses import dataclass

from core.domain.query import TimeFilter


@dataclass(frozen=True, slots=True)
class Found:
    rest: str
    filter: TimeFilter | None = None
    notes: tuple[str, ...] = ()


def find_when(text, today):
    return Found(text)
