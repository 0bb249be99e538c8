"""What is known of a photo, as rows of words."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.words import clock_in_words, moment_in_words, size_in_words
from core.domain.photo import Photo
from core.domain.profile import Profile

_WORTH_SAYING = 0.1


@dataclass(frozen=True, slots=True)
class PhotoDetails:
    """A photo and what is known of it in words."""

    photo: Photo
    profile: Profile | None


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact: an icon's name, the fact, and what qualifies it."""

    icon: str
    text: str
    detail: str = ""


def fact_rows(photo: Photo) -> tuple[FactRow, ...]:
    """Date, place, camera and file; only what the photo itself says."""
    return (_date(photo), *_place(photo), *_camera(photo), _file(photo), *_copies(photo))


def _date(photo: Photo) -> FactRow:
    taken = photo.facts.taken
    return FactRow("time", moment_in_words(taken), clock_in_words(taken) if taken else "")


def _place(photo: Photo) -> tuple[FactRow, ...]:
    facts = photo.facts
    if facts.point is None:
        problem = facts.gps_problem
        return (FactRow("place", _tr("Position not usable"), problem),) if problem else ()
    point = f"{facts.point.latitude:.5f}, {facts.point.longitude:.5f}"
    if facts.point.altitude is not None:
        point += _tr(", {:.0f} m above the sea").format(facts.point.altitude)
    if facts.place is None:
        return (FactRow("place", point),)
    near = _tr("{0:.1f} km from there").format(facts.place.distance_km)
    return (FactRow("place", facts.place.text, f"{point} · {near}"),)


def _camera(photo: Photo) -> tuple[FactRow, ...]:
    name, exposure = photo.facts.camera.text, photo.facts.exposure
    return (
        (FactRow("camera", name or exposure, exposure if name else ""),) if name or exposure else ()
    )


def _file(photo: Photo) -> FactRow:
    facts = photo.facts
    size = size_in_words(photo.files[0].size)
    megapixels = facts.width * facts.height / 1e6
    shape = f"{facts.width} × {facts.height}"
    if megapixels >= _WORTH_SAYING:
        shape += f" · {megapixels:.1f} MP"
    return FactRow(
        "file", photo.path.name, f"{shape} · {facts.format} · {size}\n{_folder(photo.path)}"
    )


def _folder(path: Path) -> str:
    """The folder of a file, the user's own one as a tilde."""
    home = Path.home()
    inside = path.parent.is_relative_to(home)
    return str(Path("~") / path.parent.relative_to(home)) if inside else str(path.parent)


def _copies(photo: Photo) -> tuple[FactRow, ...]:
    others = photo.files[1:]
    if not others:
        return ()
    paths = "\n".join(str(file.path) for file in others)
    return (FactRow("photos", _tr("Also kept as"), paths),)


def _tr(text: str) -> str:
    return QCoreApplication.translate("preview", text)
