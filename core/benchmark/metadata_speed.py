"""How fast metadata are read, against ExifTool where it is installed, in one run.

Both read the same folder of photos, one process each, caches warm: `exiftool -fast2 -json -r`
as users start it, and our reader file by file. Rates are photos a second; the processor's own
seconds are counted too, since other programs take time from both.
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.benchmark.cost import Cost, best_of, cost_of
from core.domain.photo import FileStamp
from core.errors import DatasetError
from core.ingest.folders.sniff import IMAGE_SUFFIXES
from core.ingest.metadata.metadata import read_metadata_file
from core.progress import Progress

EXIFTOOL = "exiftool"


@dataclass(frozen=True, slots=True)
class MetadataSpeed:
    """Both costs for the same photos; `theirs` is None where ExifTool is not installed."""

    photos: int
    ours: Cost
    theirs: Cost | None

    @property
    def ratio(self) -> float | None:
        """Our rate over theirs, by the clock."""
        if self.theirs is None or self.ours.wall_s <= 0:
            return None
        return self.theirs.wall_s / self.ours.wall_s

    @property
    def ratio_of_processor(self) -> float | None:
        """Our rate over theirs, by seconds of processors."""
        if self.theirs is None or self.ours.cpu_s <= 0:
            return None
        return self.theirs.cpu_s / self.ours.cpu_s


def copy_photos(source: Path, target: Path, count: int) -> int:
    """Fill `target` with copies of the photos below `source`, again and again up to `count`.

    Returns how many there are; raises DatasetError where `source` holds none.
    """
    photos = [path for path in sorted(source.rglob("*")) if _is_photo(path)]
    if not photos:
        raise DatasetError(f"There are no photos in {source}.", "Choose another folder.")
    target.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        photo = photos[number % len(photos)]
        shutil.copyfile(photo, target / f"{number:06d}{photo.suffix.lower()}")
    return count


def _is_photo(path: Path) -> bool:
    return path.suffix.lower() in IMAGE_SUFFIXES and path.is_file()


def metadata_speed(folder: Path, progress: Progress, rounds: int = 3) -> MetadataSpeed:
    """The costs of reading all photos of a folder, the best of some rounds in turn."""
    photos = [path for path in sorted(folder.rglob("*")) if _is_photo(path)]
    stamps = [_stamp(path) for path in photos]
    program = shutil.which(EXIFTOOL)
    ours: list[Cost] = []
    theirs: list[Cost] = []
    for _ in progress.track("metadata", range(rounds), total=rounds):
        ours.append(cost_of(lambda: _read(stamps)))
        if program is not None:
            theirs.append(cost_of(lambda: _exiftool(program, folder)))
    return MetadataSpeed(len(photos), best_of(ours), best_of(theirs) if theirs else None)


def _stamp(path: Path) -> FileStamp:
    stat = path.stat()
    return FileStamp(path, stat.st_size, stat.st_mtime_ns)


def _read(stamps: Sequence[FileStamp]) -> None:
    for stamp in stamps:
        read_metadata_file(stamp)


def _exiftool(program: str, folder: Path) -> None:
    """Whatever it says of damaged files is its own affair."""
    command = [program, "-fast2", "-json", "-r", str(folder)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
