"""Sample photographs from installed packages, saved as JPEGs with a date and a place."""

import tomllib
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from PIL import Image
from PIL.ExifTags import GPS, IFD, Base
from PIL.TiffImagePlugin import IFDRational
from pydantic import BaseModel

_OFFSET_TIME_ORIGINAL = 0x9011


class SamplePhoto(BaseModel):
    """One photograph: the package file it comes from, and the date and place that we give it."""

    file: Path
    name: str
    taken: datetime
    offset: str
    at: tuple[float, float]


def listed_photos() -> list[SamplePhoto]:
    """The photographs that the sample library is made of."""
    text = (Path(__file__).parent / "photos.toml").read_text(encoding="utf-8")
    return [SamplePhoto.model_validate(entry) for entry in tomllib.loads(text)["photo"]]


def make_samples(packages: Path, folder: Path) -> Sequence[Path]:
    """Save the photographs found below `packages` into `folder`; those already there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for photo in listed_photos():
        source, target = packages / photo.file, folder / photo.name
        if not target.exists():
            if not source.exists():
                continue  # a package may drop a picture; the others still make a library
            _save(photo, source, target)
        made.append(target)
    return made


def _save(photo: SamplePhoto, source: Path, target: Path) -> None:
    with Image.open(source) as picture:
        picture.convert("RGB").save(target, quality=92, exif=_exif(photo))


def _exif(photo: SamplePhoto) -> Image.Exif:
    exif = Image.Exif()
    exif[Base.Make], exif[Base.Model] = "Sample", "Photographs"
    details = exif.get_ifd(IFD.Exif)
    details[Base.DateTimeOriginal] = photo.taken.strftime("%Y:%m:%d %H:%M:%S")
    details[_OFFSET_TIME_ORIGINAL] = photo.offset
    position = exif.get_ifd(IFD.GPSInfo)
    latitude, longitude = photo.at
    position[GPS.GPSLatitudeRef] = "N" if latitude >= 0 else "S"
    position[GPS.GPSLatitude] = _sexagesimal(latitude)
    position[GPS.GPSLongitudeRef] = "E" if longitude >= 0 else "W"
    position[GPS.GPSLongitude] = _sexagesimal(longitude)
    return exif


def _sexagesimal(degrees: float) -> tuple[IFDRational, IFDRational, IFDRational]:
    """Degrees, minutes and seconds as EXIF writes them."""
    rest = abs(Fraction(degrees).limit_denominator(10_000_000))
    whole, rest = divmod(rest, 1)
    minutes, rest = divmod(rest * 60, 1)
    seconds = round(rest * 60 * 100)
    return IFDRational(int(whole)), IFDRational(int(minutes)), IFDRational(seconds, 100)
