"""What is known of a photo, as rows of words."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.words import clock_in_words, moment_in_words, size_in_words
from core.domain.photo import CompanionRole, Photo, PhotoKind
from core.domain.profile import Profile
from core.domain.tag import TagKind, tag_names

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
    """Date, place, camera, kind and file; only what the photo itself says."""
    return (
        _date(photo),
        *_place(photo),
        *_camera(photo),
        *_rating(photo),
        *_kind(photo),
        _file(photo),
        *_note(photo),
        *_companions(photo),
        *_copies(photo),
    )


def tag_groups(photo: Photo) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The names of the photo's tags under a title for each kind of them that it has."""
    titles = {
        TagKind.PERSON: _tr("People"),
        TagKind.EVENT: _tr("Events"),
        TagKind.PLACE: _tr("Places"),
        TagKind.ALBUM: _tr("Albums"),
        TagKind.KEYWORD: _tr("Keywords"),
    }
    tags = photo.facts.tags
    named = (
        (title, tag_names(tuple(tag for tag in tags if tag.kind is kind)))
        for kind, title in titles.items()
    )
    return tuple((title, names) for title, names in named if names)


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


def _rating(photo: Photo) -> tuple[FactRow, ...]:
    rating = photo.facts.rating
    if not rating:
        return ()
    return (
        FactRow("tick", _tr("Rated {} of 5").format(rating) if rating > 0 else _tr("Rejected")),
    )


def _kind(photo: Photo) -> tuple[FactRow, ...]:
    """What it is where it is no photo, and why it is taken for that."""
    kinds = {
        PhotoKind.SCREENSHOT: _tr("Screenshot"),
        PhotoKind.RECEIPT: _tr("Receipt or document"),
        PhotoKind.SCAN: _tr("Scan"),
        PhotoKind.MEME: _tr("Meme"),
        PhotoKind.GRAPHIC: _tr("Graphic"),
        PhotoKind.VIDEO: _tr("Video"),
    }
    facts = photo.facts
    if facts.kind not in kinds:
        return ()
    name = kinds[facts.kind]
    if facts.duration_s is not None:
        name += f" · {_duration(facts.duration_s)}"
    return (FactRow("photo", name, facts.kind_reason),)


def _duration(seconds: float) -> str:
    """Hours where there are some, minutes and seconds."""
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _note(photo: Photo) -> tuple[FactRow, ...]:
    note = photo.facts.note
    return (FactRow("info", note),) if note else ()


def _companions(photo: Photo) -> tuple[FactRow, ...]:
    """The files that belong to it: its RAW, its live video, its sidecar."""
    roles = {
        CompanionRole.RAW: _tr("With its RAW file"),
        CompanionRole.LIVE: _tr("With its live video"),
        CompanionRole.ORIGINAL: _tr("Edited; with its original"),
        CompanionRole.SIDECAR: _tr("With a sidecar"),
        CompanionRole.TAKEOUT: _tr("With Google Takeout's file"),
    }
    beside = ((one.role, one.stamp.path.name) for one in photo.companions)
    return tuple(FactRow("sidecar", roles[role], name) for role, name in beside)


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
