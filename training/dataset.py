"""Reads a folder of captioned photos: images/, captions.csv and split.csv."""

import csv
from dataclasses import dataclass
from pathlib import Path

SPLITS = ("train", "val", "test")


@dataclass(frozen=True, slots=True)
class CaptionedPhotos:
    """File names in order, the split of each, and the captions of each (at least one)."""

    folder: Path
    names: tuple[str, ...]
    splits: tuple[str, ...]
    captions: tuple[tuple[str, ...], ...]

    def rows(self, split: str) -> list[int]:
        """Positions of the photos of one split."""
        return [row for row, name in enumerate(self.splits) if name == split]

    def path(self, row: int) -> Path:
        """The file of one photo."""
        return self.folder / "images" / self.names[row]


def read_dataset(folder: Path) -> CaptionedPhotos:
    """Photos that have a split and a caption, sorted by name.

    Raises ValueError where a split is empty or unknown.
    """
    captions: dict[str, list[str]] = {}
    for row in _rows(folder / "captions.csv"):
        captions.setdefault(row["image"], []).append(row["caption"].strip())
    split_of = {row["image"]: row["split"] for row in _rows(folder / "split.csv")}
    if set(split_of.values()) != set(SPLITS):
        raise ValueError(f"split.csv must name {', '.join(SPLITS)} and nothing else")
    names = sorted(set(captions) & set(split_of))
    return CaptionedPhotos(
        folder,
        tuple(names),
        tuple(split_of[name] for name in names),
        tuple(tuple(captions[name]) for name in names),
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
