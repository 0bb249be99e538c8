"""The three workers: what each of them asks of the retrieval tools.

`imagine` describes the wanted photo; `constrain` says the conditions that must hold, as one
declarative sentence; `anchor` is the reference photo itself.
"""

from enum import StrEnum

from core.domain.query import Polarity, Understanding
from core.domain.retrieval import AtomicRetrieval

_ANYTHING = "a photo"
"""The target of a query that names nothing which a photo should show."""


class Worker(StrEnum):
    """Who asked a retrieval; METADATA is none of the three: filters alone."""

    IMAGINE = "imagine"
    CONSTRAIN = "constrain"
    ANCHOR = "anchor"
    METADATA = "metadata"


def names_something(understanding: Understanding) -> bool:
    """Whether the target says what a photo should show ("no people" alone does not)."""
    return understanding.target.strip() not in ("", _ANYTHING)


def constrain_queries(understanding: Understanding) -> tuple[str, ...]:
    """What `constrain` asks: the sentence of all constraints, then further wordings."""
    if not names_something(understanding):
        return ()
    target = understanding.target.strip()
    return tuple(dict.fromkeys(s for s in understanding.rewrites if s.strip() not in ("", target)))


def worker_of(step: AtomicRetrieval, understanding: Understanding) -> Worker | None:
    """The worker that a positive step belongs to, also in edited plans; None for a negative."""
    if step.polarity is Polarity.NEGATIVE:
        return None
    if step.tool == "visual":
        return Worker.ANCHOR
    if step.tool == "metadata":
        return Worker.METADATA
    return Worker.IMAGINE if step.query == understanding.target else Worker.CONSTRAIN
