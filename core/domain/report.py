"""What an indexing run did, and what a library holds."""

from dataclasses import dataclass
from pathlib import Path

from core.domain.problem import Problem


@dataclass(frozen=True, slots=True)
class IndexReport:
    """Counts of files, problems, seconds a stage, and photos a second of the whole run.

    `cpu_seconds` is processor time a stage, over all processes; `notes` say what else a person
    should know, e.g. that a folder was known under another path. `further` counts vectors that
    further encoders made.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    embedded: int
    offline: tuple[Path, ...]
    problems: tuple[Problem, ...]
    seconds: dict[str, float]
    cpu_seconds: dict[str, float]
    rate: float
    notes: tuple[str, ...] = ()
    further: int = 0

    @property
    def touched(self) -> int:
        """How many files it took in, changed or let go, and photos it looked at."""
        return self.added + self.changed + self.removed + self.embedded


@dataclass(frozen=True, slots=True)
class LibraryStats:
    """Counts, sizes in bytes, the models in use, and when the library was last indexed."""

    photos: int
    files: int
    sessions: int
    trips: int
    problems: int
    embedded: dict[str, int]
    bytes_photos: int
    bytes_library: int
    models: tuple[str, ...]
    last_indexed: str


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Photos (as files) that are the same, nearly the same, or one burst.

    `best` is to keep, `reason` says why in words.
    """

    kind: str
    best: Path
    files: tuple[Path, ...]
    reason: str = ""
