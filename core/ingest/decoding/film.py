"""Films through FFmpeg: one frame to show, date, place, camera, length; in bounded memory.

The file is never read whole. FFmpeg gets an open file and a list of what it may be, so that
nothing in it can make it open another file or a connection.
"""

from pathlib import Path
from typing import Any

from PIL import Image

from core.domain.photo import FileStamp
from core.ingest.decoding.display_matrix import frame_orientation
from core.ingest.decoding.film_frame import FrameSearch, look_at
from core.ingest.decoding.film_tags import film_metadata
from core.ingest.decoding.jobs import DecodeLimits
from core.ingest.decoding.shown import NoPicture, Shown, check_size, pixel_hash, upright_size
from core.ingest.folders.sniff import VIDEO_SUFFIXES

_MAY_BE = (
    "mov,mp4,m4a,3gp,3g2,mj2 matroska,webm avi mpegts mpeg mpegvideo m4v h264 hevc asf flv live_flv"
    " dv mxf ogg rm swf nut ivf mjpeg yuv4mpegpipe obu gif apng wtv nsv"
)
_NARROW = {"format_whitelist": _MAY_BE.replace(" ", ","), "protocol_whitelist": "none"}
_MICROSECONDS = 1_000_000
_SQUEEZED = (0.2, 5.0)


def show_film(stamp: FileStamp, limits: DecodeLimits) -> Shown:
    """A frame of a film and what its container says.

    Raises NoPicture where there is sound only, TooManyPixels, ValueError for damage, OSError.
    """
    import av  # noqa: PLC0415 - heavy, and only films need it

    try:
        for from_start in (False, True):
            with (
                stamp.path.open("rb") as file,
                av.open(file, container_options=_NARROW, metadata_errors="replace") as container,
            ):
                shown = _show(container, stamp, limits, av.FFmpegError, from_start)
            if shown is not None:
                return shown
    except av.FFmpegError as error:
        if isinstance(error, MemoryError):
            raise
        raise ValueError(_said(error)) from error
    raise ValueError("no picture of it can be decoded")


def _said(error: Exception) -> str:
    return getattr(error, "strerror", "") or str(error)


def _show(
    container: Any,
    stamp: FileStamp,
    limits: DecodeLimits,
    fault: type[Exception],
    from_start: bool,
) -> Shown | None:
    """None where no frame is found; from the start it may be."""
    stream = _stream(container)
    check_size(stream.codec_context.width, stream.codec_context.height, limits.max_pixels)
    stream.codec_context.thread_count = 1
    duration_s = _duration_s(container, stream)
    at_s = None if from_start else look_at(duration_s)
    frame = FrameSearch(container, stream, fault).find(at_s)
    if frame is None:
        return None
    check_size(frame.width, frame.height, limits.max_pixels)
    picture = _unsqueezed(frame.to_image(), stream)
    orientation = frame_orientation(frame)
    return Shown(
        picture,
        _format_of(stamp.path, container),
        *upright_size(*picture.size, orientation),
        pixel_hash=pixel_hash(picture, f"film {duration_s or 0:.2f}"),
        orientation=orientation,
        duration_s=duration_s,
        metadata=film_metadata({**stream.metadata, **container.metadata}, stamp),
    )


def _stream(container: Any) -> Any:
    """The best stream of pictures that move; raises NoPicture, ValueError."""
    moving = [s for s in container.streams.video if not _is_cover(s)]
    if not moving and container.streams.audio:
        raise NoPicture("a film file with only sound in it")
    if not moving:
        raise ValueError("neither pictures nor sound can be found in it")
    best = container.streams.best("video")
    return best if best in moving else moving[0]


def _is_cover(stream: Any) -> bool:
    """A still that goes with a piece of music."""
    return "attached_pic" in str(stream.disposition)


def _duration_s(container: Any, stream: Any) -> float | None:
    """Seconds, None where nothing tells."""
    if container.duration:
        return float(container.duration / _MICROSECONDS)
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return None


def _format_of(path: Path, container: Any) -> str:
    suffix = path.suffix.lower()
    known = suffix in VIDEO_SUFFIXES
    return (suffix[1:] if known else str(container.format.name).split(",")[0]).upper()


def _unsqueezed(picture: Image.Image, stream: Any) -> Image.Image:
    """Pixels made square."""
    shape = float(stream.sample_aspect_ratio or 1)
    if shape == 1 or not _SQUEEZED[0] < shape < _SQUEEZED[1]:
        return picture
    return picture.resize((max(1, round(picture.width * shape)), picture.height))
