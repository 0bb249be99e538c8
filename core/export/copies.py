"""Copies of photos for others: as they are, without what they say of place, device and people."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.photo import Photo, PhotoKind
from core.errors import DecodeError, FolderUnwritable
from core.export.clean_exif import clean_exif
from core.export.jpeg import clean_jpeg
from core.export.malformed import Malformed
from core.export.new_file import write_new
from core.export.orientation import UPRIGHT, orientation_in
from core.export.png import clean_png
from core.export.webp import clean_webp
from core.paths import LibraryPaths, plain_path
from core.progress import Progress

_LONGEST = 4096
_PIECE = 1 << 20
_KEEP = "Copy it with all that it says."
_MORE = "what followed the picture in its file is left out"
Clean = Callable[[bytes, bytes], tuple[bytes, bool]]
ReadPicture = Callable[[Photo, int], Path]
"""Where an upright JPEG of a photo is, its long side at least so many pixels; raises DecodeError"""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """`keep_private`: copies are the very files, with all that they say."""

    keep_private: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """A copy that was made; `note` is what the user should know of it, often nothing."""

    source: Path
    target: Path
    note: str = ""


@dataclass(frozen=True, slots=True)
class NotExported:
    """A photo that could not be copied, and why."""

    source: Path
    reason: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export did."""

    copies: tuple[Exported, ...]
    failed: tuple[NotExported, ...] = ()


@dataclass(frozen=True, slots=True)
class _Copy:
    """What becomes a file; reading its content raises DecodeError."""

    name: str
    content: Iterable[bytes]
    note: str = ""


def export_copies(
    photos: Sequence[Photo],
    folder: Path,
    options: ExportOptions,
    picture: ReadPicture,
    progress: Progress,
) -> ExportReport:
    """Copy photos into a folder, which is made where it is missing; nothing is overwritten.

    Raises FolderUnwritable; Cancelled leaves the copies made so far, each whole.
    """
    make_folder(folder)
    copies: list[Exported] = []
    failed: list[NotExported] = []
    for photo in progress.track("export", photos, len(photos)):
        try:
            copy = _copy(photo, options, picture)
            copies.append(Exported(photo.path, _written(folder, copy), copy.note))
        except DecodeError as error:
            failed.append(NotExported(photo.path, error.message))
    return ExportReport(tuple(copies), tuple(failed))


def refuse_folder(folder: Path, library: LibraryPaths) -> None:
    """Raise FolderUnwritable for one inside the library's own, which others carry away whole."""
    if plain_path(folder).is_relative_to(plain_path(library.root)):
        raise FolderUnwritable(
            f"The folder {folder} belongs to the library.", "Choose a folder outside it."
        )


def make_folder(folder: Path) -> None:
    """Make a folder to write to, with those above it; raises FolderUnwritable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _written(folder: Path, copy: _Copy) -> Path:
    try:
        return write_new(folder, copy.name, copy.content)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: OSError) -> FolderUnwritable:
    why = (error.strerror or "no reason given").lower()
    return FolderUnwritable(
        f"The folder {folder} cannot be written to: {why}.", "Choose another folder."
    )


def _copy(photo: Photo, options: ExportOptions, picture: ReadPicture) -> _Copy:
    """What becomes of a photo; raises DecodeError."""
    if options.keep_private:
        return _Copy(photo.path.name, _pieces(photo.path))
    if photo.facts.kind is PhotoKind.VIDEO:
        raise DecodeError("A film would keep what it says of place and device.", _KEEP)
    data = b"".join(_pieces(photo.path))
    clean = _cleaner(data)
    if clean is not None:
        try:
            content, had_more = clean(data, clean_exif(orientation_in(data), photo.facts.taken))
        except Malformed:
            pass  # its picture may still be read
        else:
            return _Copy(photo.path.name, (content,), _MORE if had_more else "")
    return _converted(photo, picture)


def _pieces(path: Path) -> Iterator[bytes]:
    """A file piece by piece; raises DecodeError."""
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
    except OSError as error:
        why = (error.strerror or "no reason given").lower()
        raise DecodeError(f"{path.name} cannot be read: {why}.", "") from error


def _cleaner(data: bytes) -> Clean | None:
    """How a file of this kind is cleaned, None where it must become another kind."""
    if data.startswith(b"\xff\xd8"):
        return clean_jpeg
    if data.startswith(b"\x89PNG"):
        return clean_png
    return clean_webp if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


def _converted(photo: Photo, picture: ReadPicture) -> _Copy:
    """A new, upright JPEG of a photo whose own format cannot be cleaned; raises DecodeError."""
    made = b"".join(_pieces(picture(photo, _LONGEST)))
    content, _ = clean_jpeg(made, clean_exif(UPRIGHT, photo.facts.taken))
    note = f"a JPEG was made of it: a {photo.facts.format} cannot be cleaned as it is"
    if max(photo.facts.width, photo.facts.height) > _LONGEST:
        note += f"; its long side is {_LONGEST} pixels now"
    return _Copy(f"{photo.path.stem}.jpg", (content,), note)
