"""What `doctor` finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One check: its name, whether all is well, and what was seen or what to do."""

    name: str
    ok: bool
    detail: str
