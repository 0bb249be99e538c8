"""Small DNG files that the tests write: a sensor's mosaic, with and without a preview."""

import io
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

_BYTE, _TEXT, _SHORT, _LONG, _RATIO, _SIGNED_RATIO = 1, 2, 3, 4, 5, 10
_FORMS = {_BYTE: "B", _SHORT: "H", _LONG: "I", _RATIO: "I", _SIGNED_RATIO: "i"}
_BLACK, _WHITE = 512, 15_000
_MATRIX = (1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1)
"""Camera colours are XYZ: no camera has such, but it is simple."""

Entry = tuple[int, Sequence[int] | str]
"""A tag's type and values."""


def mosaic_of(scene: Image.Image) -> np.ndarray:
    """What a sensor under red, green, green and blue filters sees (height x width, 16 bits)."""
    light = np.asarray(scene.convert("RGB")).astype(np.float32) / 255
    seen = np.empty(light.shape[:2], np.float32)
    for row, column, colour in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        seen[row::2, column::2] = light[row::2, column::2, colour]
    return (_BLACK + seen**2.2 * (_WHITE - _BLACK)).astype("<u2")


def write_dng(
    path: Path,
    scene: Image.Image,
    orientation: int = 1,
    preview: Image.Image | None = None,
    preview_exif: bytes = b"",
) -> None:
    """A DNG of a stored scene; with a preview, a JPEG, the mosaic lies in a directory below."""
    mosaic = mosaic_of(scene)
    data, own = mosaic.tobytes(), _mosaic(scene)
    if preview is None:
        path.write_bytes(_tiff([{**_camera(orientation), **own}], [data]))
        return
    buffer = io.BytesIO()
    preview.save(buffer, "JPEG", quality=92, exif=preview_exif)
    above = {**_camera(orientation), **_preview(preview)}
    path.write_bytes(_tiff([above, own], [buffer.getvalue(), data]))


def _camera(orientation: int) -> dict[int, Entry]:
    return {
        271: (_TEXT, "Test"),
        272: (_TEXT, "Test Box"),
        274: (_SHORT, [orientation]),
        306: (_TEXT, "2021:05:06 07:08:09"),
        50706: (_BYTE, [1, 4, 0, 0]),
        50707: (_BYTE, [1, 1, 0, 0]),
        50708: (_TEXT, "Test Box"),
        50721: (_SIGNED_RATIO, _MATRIX),
        50728: (_RATIO, [1, 1, 1, 1, 1, 1]),
        50778: (_SHORT, [21]),
    }


def _mosaic(scene: Image.Image) -> dict[int, Entry]:
    return {
        254: (_LONG, [0]),
        256: (_LONG, [scene.width]),
        257: (_LONG, [scene.height]),
        258: (_SHORT, [16]),
        259: (_SHORT, [1]),
        262: (_SHORT, [32803]),
        277: (_SHORT, [1]),
        278: (_LONG, [scene.height]),
        33421: (_SHORT, [2, 2]),
        33422: (_BYTE, [0, 1, 1, 2]),
        50714: (_SHORT, [_BLACK]),
        50717: (_SHORT, [_WHITE]),
    }


def _preview(preview: Image.Image) -> dict[int, Entry]:
    return {
        254: (_LONG, [1]),
        256: (_LONG, [preview.width]),
        257: (_LONG, [preview.height]),
        258: (_SHORT, [8, 8, 8]),
        259: (_SHORT, [7]),
        262: (_SHORT, [6]),
        277: (_SHORT, [3]),
        278: (_LONG, [preview.height]),
    }


def _tiff(directories: Sequence[Mapping[int, Entry]], strips: Sequence[bytes]) -> bytes:
    """A little-endian TIFF: the first directory, the second as its child, then the pixels."""
    entries = [dict(directory) for directory in directories]
    for entry, strip in zip(entries, strips, strict=True):
        entry |= {273: (_LONG, [0]), 279: (_LONG, [len(strip)])}
    if len(entries) > 1:
        entries[0][330] = (_LONG, [0])
    starts = [8]
    for entry in entries:
        starts.append(starts[-1] + len(_directory(entry, 0)))
    places = [starts[-1], starts[-1] + len(strips[0])]
    for entry, place in zip(entries, places, strict=False):
        entry[273] = (_LONG, [place])
    if len(entries) > 1:
        entries[0][330] = (_LONG, [starts[1]])
    parts = [_directory(entry, at) for entry, at in zip(entries, starts, strict=False)]
    return b"".join([struct.pack("<2sHI", b"II", 42, 8), *parts, *strips])


def _directory(entries: Mapping[int, Entry], at: int) -> bytes:
    """One directory that begins at a place of the file, its longer values behind it."""
    head = struct.pack("<H", len(entries))
    behind = b""
    values_at = at + 2 + 12 * len(entries) + 4
    for tag, (kind, values) in sorted(entries.items()):
        raw, count = _values(kind, values)
        if len(raw) > 4:
            place = struct.pack("<I", values_at + len(behind))
            behind += raw + b"\0" * (len(raw) % 2)
            raw = place
        head += struct.pack("<HHI", tag, kind, count) + raw.ljust(4, b"\0")
    return head + bytes(4) + behind


def _values(kind: int, values: Sequence[int] | str) -> tuple[bytes, int]:
    if isinstance(values, str):
        raw = values.encode() + b"\0"
        return raw, len(raw)
    pairs = kind in (_RATIO, _SIGNED_RATIO)
    return struct.pack(f"<{len(values)}{_FORMS[kind]}", *values), len(values) // (1 + pairs)
