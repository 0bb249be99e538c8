"""Whether one condition holds in one photo."""

from dataclasses import dataclass
from enum import StrEnum

from core.domain.query import Condition


class VerdictState(StrEnum):
    """How a condition came out.

    KEPT: it holds. CHANGED: it fails. ABSENT: an unwanted thing is not there, as wished, or a
    wanted one is missing altogether (the polarity tells). UNSURE: the models cannot tell.
    """

    KEPT = "kept"
    CHANGED = "changed"
    ABSENT = "absent"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A condition's state in a photo; `probability` that what it names is in the photo."""

    condition: Condition
    state: VerdictState
    probability: float
    evidence: str = ""
