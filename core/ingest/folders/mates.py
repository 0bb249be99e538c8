"""What a file's companions mean to the one who reads the file."""

from collections.abc import Sequence
from pathlib import Path

from core.domain.photo import Companion, CompanionRole

_TOLD = (CompanionRole.SIDECAR, CompanionRole.TAKEOUT)
_UNREAD_SUFFIX = ".aae"
"""How Apple's editor came to its copy: the copy itself shows it."""


def told(companions: Sequence[Companion]) -> tuple[Companion, ...]:
    """Those that tell something about the photo: the file is read again when they change."""
    return tuple(
        one
        for one in companions
        if one.role in _TOLD and one.stamp.path.suffix.lower() != _UNREAD_SUFFIX
    )


def has_media(companions: Sequence[Companion]) -> bool:
    """Whether some would be items themselves if they were no companions."""
    return any(one.role not in _TOLD for one in companions)


def paths_of(companions: Sequence[Companion]) -> tuple[Path, ...]:
    """Where they are."""
    return tuple(one.stamp.path for one in companions)
