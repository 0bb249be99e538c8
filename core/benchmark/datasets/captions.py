"""Reads captioned photos: a folder `images/`, `captions.csv`, and `split.csv` where there is one.

`captions.csv` has the columns image and caption, one row a caption; `split.csv` the columns image
and split. Both are UTF-8, with or without a byte order mark, quoted as RFC 4180 says.
"""

import csv
import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.errors import DatasetError

_IMAGES, _CAPTIONS, _SPLIT = "images", "captions.csv", "split.csv"
_LAYOUT = "Give a folder with images/, captions.csv (image,caption) and optionally split.csv."
_TEST = "test"


@dataclass(frozen=True, slots=True)
class CaptionedPhoto:
    """A photo, its name relative to images/, and its distinct captions in the file's order."""

    name: str
    path: Path
    captions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptionSet:
    """Photos with their captions; `repeated` rows said the same thing twice and count once."""

    photos: tuple[CaptionedPhoto, ...]
    split: str
    repeated: int = 0

    @property
    def captions(self) -> int:
        """How many captions there are."""
        return sum(len(photo.captions) for photo in self.photos)

    def first(self, limit: int | None, seed: int) -> "CaptionSet":
        """The first `limit` photos by a shuffle of the seed; all, in order, without a limit."""
        if limit is None:
            return self
        shuffled = sorted(self.photos, key=lambda photo: photo.name)
        random.Random(seed).shuffle(shuffled)
        return CaptionSet(tuple(shuffled[:limit]), self.split, self.repeated)


def read_captions(folder: Path) -> CaptionSet:
    """Read the folder's test photos, or all of them where there is no split.csv.

    Raises DatasetError that names what is missing or malformed, and where.
    """
    if not folder.is_dir() or not (folder / _IMAGES).is_dir():
        raise DatasetError(f"{folder} has no folder {_IMAGES}/.", _LAYOUT)
    rows = list(_rows(folder / _CAPTIONS, ("image", "caption")))
    captions: dict[str, dict[str, None]] = {}
    for line, name, caption in rows:
        if not caption:
            raise DatasetError(f"{_CAPTIONS}, line {line}: the caption is empty.", "Mend the line.")
        captions.setdefault(name, {})[caption] = None
    if not captions:
        raise DatasetError(f"{folder / _CAPTIONS} holds no captions.", _LAYOUT)
    names, split = _chosen(folder, captions)
    photos = tuple(_photo(folder, name, captions[name]) for name in names)
    _demand_files(photos)
    distinct = sum(map(len, captions.values()))
    return CaptionSet(photos, split, len(rows) - distinct)


def _photo(folder: Path, name: str, captions: Mapping[str, None]) -> CaptionedPhoto:
    return CaptionedPhoto(name, folder / _IMAGES / name, tuple(captions))


def _chosen(folder: Path, captions: Mapping[str, object]) -> tuple[list[str], str]:
    """The names of the photos to use, and the name of their split."""
    if not (folder / _SPLIT).exists():
        return list(captions), "all"
    splits: dict[str, str] = {}
    for line, name, split in _rows(folder / _SPLIT, ("image", "split")):
        if splits.setdefault(name, split) != split:
            raise DatasetError(
                f"{_SPLIT}, line {line}: {name} is in two splits, {splits[name]} and {split}.",
                "Give each image one split.",
            )
    names = [name for name, split in splits.items() if split == _TEST]
    if not names:
        raise DatasetError(f"{folder / _SPLIT} has no test photos.", "Mark some rows `test`.")
    silent = [name for name in names if name not in captions]
    if silent:
        raise DatasetError(
            f"{_listed(silent)} of the test split: no caption in {_CAPTIONS}.",
            f"Add captions, or take the rows out of {_SPLIT}.",
        )
    return names, _TEST


def _demand_files(photos: Sequence[CaptionedPhoto]) -> None:
    missing = [photo.name for photo in photos if not photo.path.is_file()]
    if missing:
        raise DatasetError(
            f"{len(missing)} of {len(photos)} photos are missing from {_IMAGES}/: "
            f"{_listed(missing)}.",
            f"Put them there, or take their rows out of {_CAPTIONS}.",
        )


def _rows(path: Path, columns: tuple[str, str]) -> Iterator[tuple[int, str, str]]:
    """Line number and the two columns of each row, stripped, in whatever order they stand."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        lacking = [name for name in columns if name not in header]
        if lacking:
            raise DatasetError(
                f"{path} lacks the column {' and '.join(lacking)}; it has {', '.join(header)}.",
                f"Its first line must be {','.join(columns)}.",
            )
        first, second = (header.index(name) for name in columns)
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise DatasetError(
                    f"{path.name}, line {reader.line_num}: {len(row)} fields instead of "
                    f"{len(header)}.",
                    "Put a field that holds a comma between double quotes.",
                )
            name = _safe(row[first].strip(), path.name, reader.line_num)
            yield reader.line_num, name, row[second].strip()
    except csv.Error as error:
        raise DatasetError(
            f"{path.name}, line {reader.line_num}: {error}.",
            'Quote fields as "…" and double a quote inside.',
        ) from error


def _safe(name: str, file: str, line: int) -> str:
    """An image's name, which must stay below images/."""
    parts = PurePosixPath(name.replace("\\", "/"))
    if not name or parts.is_absolute() or ".." in parts.parts or ":" in parts.parts[0]:
        raise DatasetError(
            f"{file}, line {line}: “{name}” is no file name below {_IMAGES}/.",
            "Name images relative to that folder.",
        )
    return parts.as_posix()


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}.", _LAYOUT) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DatasetError(
            f"{path.name}, line {line}: the text is not UTF-8.", "Save the file as UTF-8."
        ) from error
    if "\0" in text:
        raise DatasetError(f"{path.name} is not a text file in UTF-8.", "Save the file as UTF-8.")
    return text


def _listed(names: Sequence[str], most: int = 3) -> str:
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
