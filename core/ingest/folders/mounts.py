"""Devices mounted below roots: where one is not there, its photos are offline, not gone."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.ingest.folders.parts import Part
from core.paths import is_empty, is_folder
from core.store.library import Library

_MOUNTS = "mounts"


def known_mounts(library: Library) -> set[Path]:
    """Folders below roots that were on another device when they were last seen."""
    return {Path(name) for name in json.loads(library.facts.get(_MOUNTS, "[]"))}


def remember_mounts(library: Library, mounts: Iterable[Path]) -> None:
    """Keep them in place of those that were known."""
    names = json.dumps(sorted(map(str, mounts)))
    if names != library.facts.get(_MOUNTS, "[]"):
        library.facts.put(_MOUNTS, names)


def away(part: Part, mounts: Iterable[Path]) -> Iterator[Path]:
    """The mounts that a part touches and whose device is not there: gone, or an empty folder."""
    for mount in mounts:
        below = part.deep and mount.is_relative_to(part.folder)
        if (below or part.folder.is_relative_to(mount)) and _is_away(mount):
            yield mount


def _is_away(mount: Path) -> bool:
    if not is_folder(mount):
        return True
    try:
        mounted = mount.stat().st_dev != mount.parent.stat().st_dev
    except OSError:
        return True
    return not mounted and is_empty(mount)
