"""Gathers what the rules of kinds look at, where a picture is decoded."""

from math import isfinite

from PIL import Image

from core.domain.photo import FileStamp, PointSource
from core.ingest.decoding.jobs import Metadata
from core.ingest.decoding.pixel_signs import pixel_signs
from core.ingest.decoding.shown import Shown
from core.ingest.likeness.kind import KindSigns

_COLOUR_SAMPLE_PX = 64
_MANY_COLOURS = 256
_OWN_POINTS = (PointSource.EXIF, PointSource.XMP)
_MOST_DOTS = 100_000


def signs_of(
    stamp: FileStamp, shown: Shown, thumbnail: Image.Image, metadata: Metadata
) -> KindSigns:
    """The signs of a decoded picture; `thumbnail` is its upright small copy in RGB."""
    sample = thumbnail.resize((_COLOUR_SAMPLE_PX, _COLOUR_SAMPLE_PX), Image.Resampling.NEAREST)
    found = sample.getcolors(_MANY_COLOURS)
    camera = metadata.camera
    own_point = metadata.point is not None and metadata.point_source in _OWN_POINTS
    return KindSigns(
        name=stamp.path.stem,
        folder=stamp.path.parent.name,
        format=shown.format,
        width=shown.width,
        height=shown.height,
        flat_mode=shown.picture.mode in ("1", "P", "PA"),
        see_through=_is_see_through(shown.picture),
        colours=None if found is None else len(found),
        from_camera=bool(camera.text or metadata.exposure or own_point),
        dated=metadata.from_camera,
        device=f"{camera.make} {camera.model}",
        software=metadata.software,
        comment=metadata.comment,
        dots_per_inch=_dots_per_inch(shown.picture),
        pixels=pixel_signs(thumbnail),
    )


def _is_see_through(picture: Image.Image) -> bool:
    """Whether some part is transparent, not merely able to be."""
    if picture.mode not in ("RGBA", "LA"):
        return False
    return any(picture.getchannel("A").histogram()[:128])


def _dots_per_inch(picture: Image.Image) -> int:
    """Dots an inch where both directions tell the same, else 0."""
    told = picture.info.get("dpi")
    if not isinstance(told, tuple) or len(told) != 2:
        return 0
    try:
        across, down = (float(dots) for dots in told)
    except (TypeError, ValueError, ArithmeticError):
        return 0
    if not (isfinite(across) and isfinite(down) and 0 < across < _MOST_DOTS):
        return 0
    return round(across) if round(across) == round(down) else 0
