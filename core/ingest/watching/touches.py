"""From an event of the file system to what was touched."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
)

from core.ingest.watching.sieve import Sieve

EVENTS: tuple[type[FileSystemEvent], ...] = (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
)
"""What changes a library; that files are opened and read does not, and is not even asked for."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A file, or a folder with all below it, that came, changed or went."""

    path: Path
    is_folder: bool


def touched_by(event: FileSystemEvent, sieve: Sieve) -> Iterator[Touched]:
    """What an event touches and a scan would come to."""
    if not isinstance(event, EVENTS):
        return
    for name in (event.src_path, event.dest_path):
        if not name:
            continue
        path = Path(os.fsdecode(name))
        if sieve.passes_folder(path) if event.is_directory else sieve.passes_file(path):
            yield Touched(path, event.is_directory)
