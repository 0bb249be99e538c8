"""Which way a picture lies in its file."""

from pathlib import Path

from core.ingest.metadata.blocks import FileBytes, find_blocks
from core.ingest.metadata.tiff import Bytes, read_tiff

UPRIGHT = 1


def orientation_in(data: Bytes) -> int:
    """EXIF's orientation, 1 to 8; 1 where it does not say."""
    value = read_tiff(find_blocks(data).exif).get("Orientation")
    number = value[0] if isinstance(value, tuple) and value else None
    return int(number) if number is not None and number in range(1, 9) else UPRIGHT


def orientation_of(path: Path) -> int:
    """That of a file; raises OSError."""
    with path.open("rb") as file:
        return orientation_in(FileBytes.of(file))
