"""Real files that tests draw themselves: coloured scenes with EXIF dates and places."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import piexif
from PIL import Image, ImageDraw

from core.backends.fakes import COLOURS, TinyGazetteer, fake_perception
from core.loaded import Backends


@dataclass(frozen=True)
class Scene:
    """A picture: two colours, when and where."""

    name: str
    ground: str
    figure: str = ""
    taken: datetime | None = None
    at: tuple[float, float] | None = None
    offset: str = ""


AREZZO, MOAB = (43.463, 11.880), (38.573, -109.549)
SCENES = (
    Scene("rose", "red", "", datetime(2021, 7, 3, 9), AREZZO, "+02:00"),
    Scene("flag", "red", "blue", datetime(2021, 7, 3, 11), AREZZO, "+02:00"),
    Scene("lake", "blue", "", datetime(2021, 7, 3, 15), AREZZO, "+02:00"),
    Scene("meadow", "green", "yellow", datetime(2021, 7, 4, 10), AREZZO, "+02:00"),
    Scene("canyon", "orange", "brown", datetime(2022, 10, 1, 8), MOAB, "-06:00"),
    Scene("sky", "blue", "white", datetime(2022, 10, 1, 12), MOAB, "-06:00"),
    Scene("night", "black", "purple", datetime(2022, 10, 1, 22), MOAB, "-06:00"),
)
FAKES = Backends(perception=lambda progress: fake_perception(), gazetteer=TinyGazetteer)
"""Seven scenes of two days in two places, and the stand-ins that see them."""


def draw(folder: Path, scene: Scene, size: tuple[int, int] = (96, 64)) -> Path:
    """Save a scene as a JPEG; half of it is the figure's colour."""
    picture = Image.new("RGB", size, COLOURS[scene.ground])
    if scene.figure:
        box = (size[0] // 4, 0, size[0] * 3 // 4, size[1])
        ImageDraw.Draw(picture).rectangle(box, COLOURS[scene.figure])
    # one pixel tells pictures of equal colours apart
    picture.putpixel((0, 0), tuple(scene.name.encode()[:3].ljust(3, b"\0")))
    path = folder / f"{scene.name}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, quality=95, subsampling=0, exif=piexif.dump(_exif(scene)))
    return path


def _exif(scene: Scene) -> dict[str, dict[int, object]]:
    exif: dict[int, object] = {}
    if scene.taken:
        exif[piexif.ExifIFD.DateTimeOriginal] = scene.taken.strftime("%Y:%m:%d %H:%M:%S").encode()
    if scene.offset:
        exif[piexif.ExifIFD.OffsetTimeOriginal] = scene.offset.encode()
    gps: dict[int, object] = {}
    if scene.at:
        latitude, longitude = scene.at
        gps = {
            piexif.GPSIFD.GPSLatitudeRef: b"N" if latitude >= 0 else b"S",
            piexif.GPSIFD.GPSLatitude: _dms(latitude),
            piexif.GPSIFD.GPSLongitudeRef: b"E" if longitude >= 0 else b"W",
            piexif.GPSIFD.GPSLongitude: _dms(longitude),
        }
    return {"0th": {piexif.ImageIFD.Make: b"Test", piexif.ImageIFD.Model: b"Brush"}, "Exif": exif,
            "GPS": gps}  # fmt: skip


def _dms(degrees: float) -> tuple[tuple[int, int], ...]:
    hundredths = round(abs(degrees) * 360_000)
    return (
        (hundredths // 360_000, 1),
        (hundredths % 360_000 // 6_000, 1),
        (hundredths % 6_000, 100),
    )
