"""A decoder's limits from a library's settings."""

from core.ingest.decoding.jobs import DecodeLimits
from core.paths import LibraryPaths
from core.settings import DecodeSettings


def decode_limits(library: LibraryPaths, square: int, settings: DecodeSettings) -> DecodeLimits:
    """The limits; thumbnails go into `library`, `square` is the encoder's side in pixels."""
    return DecodeLimits(
        library=library,
        square=square,
        thumbnail_px=settings.thumbnail_px,
        max_pixels=settings.max_pixels,
        timeout_s=settings.timeout_s,
        memory_mb=settings.memory_mb,
    )
