"""A scene of four colours, and what the decoder makes of files that hold it."""

from pathlib import Path

import numpy as np
from PIL import Image

from core.domain.photo import FileStamp
from core.ingest.decoding.decode import decode_file
from core.ingest.decoding.jobs import Decoded, DecodeJob, DecodeLimits, Outcome, Refused
from core.paths import LibraryPaths

RED, GREEN, BLUE, YELLOW = (220, 40, 40), (40, 170, 60), (40, 80, 220), (240, 220, 60)
UNDONE = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera stores an upright scene under each orientation."""


def decode(path: Path, known: bool = False, **limits: int) -> Outcome:
    stat = path.stat()
    job = DecodeJob(FileStamp(path, stat.st_size, stat.st_mtime_ns))
    library = LibraryPaths(path.parent / "library")
    return decode_file(job, DecodeLimits(library, square=32, **limits), lambda _: known)


def decoded(path: Path) -> Decoded:
    outcome = decode(path)
    assert isinstance(outcome, Decoded), outcome
    return outcome


def scene(width: int = 96, height: int = 64) -> Image.Image:
    """Four corners of four colours: red, green over blue, yellow."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(GREEN, (width // 2, 0, width, height // 2))
    picture.paste(BLUE, (0, height // 2, width // 2, height))
    picture.paste(YELLOW, (width // 2, height // 2, width, height))
    return picture


def corners(outcome: Decoded) -> list[tuple[int, int, int]]:
    pixels = np.frombuffer(outcome.square, np.uint8).reshape(32, 32, 3)
    return [tuple(map(int, pixels[y, x])) for y, x in ((6, 6), (6, 25), (25, 6), (25, 25))]


def assert_upright(outcome: Decoded, tolerance: int = 12) -> None:
    for found, wanted in zip(corners(outcome), (RED, GREEN, BLUE, YELLOW), strict=True):
        assert max(abs(a - b) for a, b in zip(found, wanted, strict=True)) <= tolerance


def stored(orientation: int) -> Image.Image:
    step = UNDONE[orientation]
    return scene() if step is None else scene().transpose(step)


def refused(path: Path, **limits: int) -> Refused:
    outcome = decode(path, **limits)
    assert isinstance(outcome, Refused), outcome
    return outcome
