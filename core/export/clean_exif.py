"""The little EXIF that a copy keeps: which way is up, and when it was taken."""

from datetime import timedelta

from PIL import Image
from PIL.ExifTags import IFD, Base

from core.domain.moment import CaptureTime, Precision
from core.export.orientation import UPRIGHT


def clean_exif(orientation: int, taken: CaptureTime | None) -> bytes:
    """A TIFF structure with these facts and no others; empty where there is nothing to say."""
    exif = Image.Exif()
    if orientation != UPRIGHT:
        exif[Base.Orientation] = orientation
    if taken is not None:
        inner = exif.get_ifd(IFD.Exif)
        inner[Base.DateTimeOriginal] = _written(taken)
        if taken.offset is not None and taken.precision is Precision.SECOND:
            inner[Base.OffsetTimeOriginal] = _offset(taken.offset)
    return exif.tobytes().removeprefix(b"Exif\0\0") if len(exif) else b""


def _written(taken: CaptureTime) -> str:
    """As cameras write it; a time that is not known stays blank."""
    day = taken.local.strftime("%Y:%m:%d")
    if taken.precision is Precision.DAY:
        return f"{day}   :  :  "
    return f"{day} {taken.local:%H:%M:%S}"


def _offset(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
