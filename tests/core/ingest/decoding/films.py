"""Short films that the tests write."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image

RATE = 10
"""Frames a second."""

NO_TAGS: Mapping[str, str] = {}


def write_film(
    path: Path,
    frames: Iterable[Image.Image],
    tags: Mapping[str, str] = NO_TAGS,
    codec: str = "mpeg4",
    rotation: int = 0,
    squeezed: Fraction | None = None,
    rate: int = RATE,
) -> None:
    """Encode frames; `rotation` is the counter-clockwise turn that makes them upright."""
    frames = list(frames)
    apple = {"movflags": "use_metadata_tags"} if path.suffix in (".mp4", ".mov") else {}
    with av.open(str(path), "w", options=apple) as container:
        container.metadata.update(tags)
        stream = container.add_stream(codec, rate=rate)
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.bit_rate = 2_000_000
        if squeezed is not None:
            stream.codec_context.sample_aspect_ratio = squeezed
        if rotation:
            stream.set_display_rotation(rotation)
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_image(picture)))
        container.mux(stream.encode())


def write_sound(path: Path, codec: str = "aac") -> None:
    """A second of silence."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=48_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 48_000), np.float32), "fltp", "mono")
        frame.sample_rate = 48_000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
