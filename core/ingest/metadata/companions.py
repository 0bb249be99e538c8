"""Files beside a photo that speak of it, read within limits: sidecars and Takeout's JSON."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from core.domain.photo import Companion, CompanionRole
from core.ingest.metadata.takeout import NOTHING, TakeoutTags, read_takeout
from core.ingest.metadata.xmp import NO_XMP, XmpTags, read_xmp

_MAX_SIDECAR_BYTES = 2_000_000
_MAX_TAKEOUT_BYTES = 1_000_000
_MAX_FILES = 8


def sidecars_of(companions: Iterable[Companion]) -> Iterator[XmpTags]:
    """What the readable sidecars say, the nearest first."""
    for path in _paths(companions, CompanionRole.SIDECAR):
        tags = read_xmp(_head(path, _MAX_SIDECAR_BYTES))
        if tags is not NO_XMP:
            yield tags


def takeout_of(companions: Iterable[Companion]) -> Iterator[TakeoutTags]:
    """What Takeout's readable files say; one that is too long is none of Takeout's."""
    for path in _paths(companions, CompanionRole.TAKEOUT):
        raw = _head(path, _MAX_TAKEOUT_BYTES + 1)
        tags = read_takeout(raw) if len(raw) <= _MAX_TAKEOUT_BYTES else NOTHING
        if tags is not NOTHING:
            yield tags


def _paths(companions: Iterable[Companion], role: CompanionRole) -> list[Path]:
    """The files of a role; the one that bears the photo's whole name is the longest."""
    paths = [companion.stamp.path for companion in companions if companion.role is role]
    return sorted(paths, key=lambda path: (-len(path.name), path.name))[:_MAX_FILES]


def _head(path: Path, size: int) -> bytes:
    """The first bytes of a file, b"" where it cannot be read: a companion is never a problem."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""
