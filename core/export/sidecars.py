"""Writes what the library knows of photos into XMP sidecars: asked for, whole or not at all.

A photo's own file is never written. What others wrote into a sidecar stays; what is there now is
read again and compared with what was meant before it counts.
"""

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.decision import TagsSet
from core.domain.photo import CompanionRole, Photo, PhotoId
from core.domain.tag import Tag
from core.errors import DecodeError
from core.export.describe import Description, Removed, stored_as
from core.export.malformed import Malformed
from core.export.orientation import orientation_of
from core.export.packet import Packet
from core.progress import Progress
from core.store.library import Library

_XMP = ".xmp"
_NOTHING = frozenset[Tag]()


@dataclass(frozen=True, slots=True)
class NotWritten:
    """A photo whose sidecar could not be written, and why; an older sidecar is as it was."""

    source: Path
    reason: str


@dataclass(frozen=True, slots=True)
class SidecarReport:
    """The sidecars that were written, how many said all that already, and what failed."""

    written: tuple[Path, ...]
    unchanged: int = 0
    failed: tuple[NotWritten, ...] = ()


def write_sidecars(
    photos: Sequence[Photo], removed: Mapping[PhotoId, Removed], progress: Progress
) -> SidecarReport:
    """Bring the sidecars of photos up to date; `removed` are tags that the user took away.

    Raises Cancelled, which leaves whole sidecars only.
    """
    written: list[Path] = []
    failed: list[NotWritten] = []
    unchanged = 0
    for photo in progress.track("sidecars", photos, len(photos)):
        try:
            path = sidecar_of(photo)
            if _write(_description(photo, removed.get(photo.id, _NOTHING)), path):
                written.append(path)
            else:
                unchanged += 1
        except OSError as error:
            why = (error.strerror or "no reason given").lower()
            failed.append(NotWritten(photo.path, why))
        except (Malformed, DecodeError) as error:
            failed.append(NotWritten(photo.path, f"its sidecar is left as it is: {error}"))
    return SidecarReport(tuple(written), unchanged, tuple(failed))


def removed_tags(library: Library, ids: Sequence[PhotoId]) -> dict[PhotoId, Removed]:
    """The tags that the user took away from some photos by hand."""
    asked = set(ids)
    found: dict[PhotoId, set[Tag]] = {}
    for decision in library.decisions.of(TagsSet):
        for photo_id in asked.intersection(decision.photos):
            found.setdefault(photo_id, set()).update(decision.removed)
    return {photo_id: frozenset(tags) for photo_id, tags in found.items()}


def sidecar_of(photo: Photo) -> Path:
    """The sidecar to write: one that is there, else "photo.jpg.xmp" beside the photo."""
    own = photo.path.with_name(photo.path.name + _XMP)
    if own.exists():
        return own
    there = [
        companion.stamp.path
        for companion in photo.companions
        if companion.role is CompanionRole.SIDECAR
        and companion.stamp.path.suffix.lower() == _XMP
        and companion.stamp.path.parent == photo.path.parent
        and companion.stamp.path.exists()
    ]
    return there[0] if there else own


def _description(photo: Photo, removed: Removed) -> Description:
    """What is to be said; raises OSError where the photo is not there now."""
    return Description(photo, stored_as(photo, orientation_of(photo.path)), removed)


def _write(description: Description, path: Path) -> bool:
    """Write a sidecar; False where it said all that. Raises OSError, Malformed, DecodeError."""
    path = path.resolve()  # a link stays a link
    before = path.read_bytes() if path.exists() else b""
    if before and not description.missing_from(before):
        return False
    packet = Packet.read(before)
    description.put_into(packet)
    content = packet.written()
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        missing = description.missing_from(temporary.read_bytes())
        if missing:
            raise DecodeError(f"{missing} could not be read again")
        if before:
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    if path.read_bytes() != content:
        raise DecodeError("it was changed while it was written")
    return True
