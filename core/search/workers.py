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
    """What `constrain` asks: the sentence of all constraints, the first rewrite.

    Further rewrites name single conditions; ranking by each alone did not help on validation.
    """
    target = understanding.target.strip()
    said = [r for r in understanding.rewrites if r.strip() not in ("", target)]
    return tuple(said[:1]) if names_something(understanding) else ()


def worker_of(step: AtomicRetrieval, understanding: Understanding) -> Worker | None:
    """The worker that a positive step belongs to, also in edited plans; None for a negative."""
    if step.polarity is Polarity.NEGATIVE:
        return None
    if step.tool == "visual":
        return Worker.ANCHOR
    if step.tool == "metadata":
        return Worker.METADATA
    return Worker.IMAGINE if step.query == understanding.target else Worker.CONSTRAIN
