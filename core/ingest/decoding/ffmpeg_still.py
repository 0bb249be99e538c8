"""Single pictures by FFmpeg's decoders, without its demuxers: bytes in, one frame out.

It reads some damaged files that others refuse, and two formats of high dynamic range that
nothing else here reads.
"""

from typing import Any

import numpy as np
from PIL import Image

from core.ingest.decoding.faults import DECODER_FAULTS
from core.ingest.decoding.jobs import DecodeLimits
from core.ingest.decoding.shown import Shown, check_size, pixel_hash, upright_size
from core.ingest.decoding.still import ORIENTATION, known_orientation

_DECODERS = (
    (b"\xff\xd8", "mjpeg", "JPEG"),
    (b"\x89PNG", "png", "PNG"),
    (b"GIF8", "gif", "GIF"),
    (b"BM", "bmp", "BMP"),
    (b"II*\0", "tiff", "TIFF"),
    (b"MM\0*", "tiff", "TIFF"),
    (b"RIFF", "webp", "WEBP"),
    (b"\x00\x00\x00\x0cjP  ", "jpeg2000", "JPEG2000"),
    (b"\xff\x4f\xff\x51", "jpeg2000", "JPEG2000"),
    (b"8BPS", "psd", "PSD"),
    (b"qoif", "qoi", "QOI"),
    (b"DDS |", "dds", "DDS"),
    (b"v/1\x01", "exr", "EXR"),
    (b"#?RADIANCE", "hdr", "HDR"),
)
"""What the bytes begin with, FFmpeg's decoder for it, the name of the format."""

ONLY_FFMPEG = (b"v/1\x01", b"#?RADIANCE")
"""How the formats of high dynamic range begin."""

_GAMMA = 1 / 2.2
_EXIF, _EXIF_WITHIN, _EXIF_BYTES = b"Exif\0\0", 262_144, 65_536


def show_by_ffmpeg(data: bytes, limits: DecodeLimits) -> Shown:
    """Decode a picture; raises TooManyPixels and ValueError."""
    decoder, format_name = _decoder_for(data)
    frame = _first_frame(data, decoder, limits.max_pixels)
    check_size(frame.width, frame.height, limits.max_pixels)
    picture = _linear(frame) if data.startswith(ONLY_FFMPEG) else frame.to_image()
    orientation = _orientation_of(data)
    return Shown(
        picture,
        format_name,
        *upright_size(frame.width, frame.height, orientation),
        pixel_hash=pixel_hash(picture, f"ffmpeg {frame.width} {frame.height}"),
        orientation=orientation,
    )


def _decoder_for(data: bytes) -> tuple[str, str]:
    for start, decoder, format_name in _DECODERS:
        if data.startswith(start):
            return decoder, format_name
    raise ValueError("no picture format is recognised in it")


def _first_frame(data: bytes, decoder: str, max_pixels: int) -> Any:
    """A frame of PyAV; raises ValueError where there is none."""
    import av  # noqa: PLC0415 - heavy, and few files need it

    context = av.CodecContext.create(decoder, "r")
    context.thread_count = 1
    context.options = {"max_pixels": str(max_pixels)}
    try:
        frames = [*context.decode(av.Packet(data)), *context.decode(None)]
    except av.FFmpegError as error:
        raise ValueError(str(error)) from error
    if not frames:
        raise ValueError("nothing in it can be shown")
    return frames[0]


def _orientation_of(data: bytes) -> int:
    """What an EXIF block near the beginning of damaged bytes says, 1 to 8."""
    start = data.find(_EXIF, 0, _EXIF_WITHIN)
    if start < 0:
        return 1
    exif = Image.Exif()
    try:
        exif.load(data[start : start + _EXIF_BYTES])
        return known_orientation(exif.get(ORIENTATION))
    except DECODER_FAULTS:
        return 1


def _linear(frame: Any) -> Image.Image:
    """Light, as high dynamic range files keep it, to what a screen shows; brighter is white."""
    light = np.nan_to_num(frame.to_ndarray(format="gbrpf32le"))
    return Image.fromarray((np.clip(light, 0, 1) ** _GAMMA * 255).astype(np.uint8))
