"""What `doctor` finds and mends."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One check: its name, whether all is well, and what was seen or what to do."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ModelShare:
    """How many vectors of a model a library holds, and their bytes."""

    model: str
    vectors: int
    size: int


@dataclass(frozen=True, slots=True)
class Repair:
    """What was mended, and what was lost, in words."""

    done: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
