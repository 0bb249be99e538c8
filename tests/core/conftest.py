"""Small real libraries made of coloured pictures: real SQLite, vectors of the colour encoder.

`make_library(pictures)` writes photos straight into the stores (no files are decoded) and returns
the open library; `make_gallery(pictures)` loads it. A picture is `Picture("red blue")`:
equal stripes of the colours named, with a time and a place where given. Ids count from 1 in the
order of the pictures; the file of photo 3 is `<tmp_path>/photos/3.png`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from core.backends.fakes import COLOURS, TinyGazetteer, fake_perception
from core.domain.arrays import Float32Array, PixelArray
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import Camera, ContentHash, FileStamp, PhotoFacts, PhotoId, PhotoKind
from core.domain.place import GeoPoint
from core.domain.profile import Profile
from core.domain.tag import Tag, TagKind
from core.paths import LibraryPaths
from core.progress import Progress
from core.retrieval.gallery import Gallery
from core.store.library import Library, open_library

_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of equal stripes: colours by name, when and where it was taken."""

    colours: str
    taken: datetime | None = None
    point: GeoPoint | None = None
    contributor: str = ""
    precision: Precision = Precision.SECOND
    keywords: tuple[str, ...] = ()
    kind: PhotoKind = PhotoKind.PHOTO

    @property
    def pixels(self) -> PixelArray:
        """The picture, (32, 32, 3)."""
        names = self.colours.split()
        picture = np.zeros((32, 32, 3), np.uint8)
        for name, stripe in zip(names, np.array_split(np.arange(32), len(names)), strict=True):
            picture[:, stripe] = COLOURS[name]
        return picture


Pictures = Sequence[Picture | str]


@pytest.fixture
def picture() -> type[Picture]:
    return Picture


@pytest.fixture
def make_library(tmp_path: Path) -> Iterator[Callable[[Pictures], Library]]:
    opened: list[Library] = []

    def make(pictures: Pictures) -> Library:
        library = open_library(LibraryPaths(tmp_path / "library"))
        opened.append(library)
        fill(library, [Picture(p) if isinstance(p, str) else p for p in pictures], tmp_path)
        return library

    yield make
    for library in opened:
        library.close()


@pytest.fixture
def make_gallery(make_library: Callable[[Pictures], Library]) -> Callable[[Pictures], Gallery]:
    return lambda pictures: Gallery.load(make_library(pictures), fake_perception(), Progress())


def fill(library: Library, pictures: Sequence[Picture], folder: Path) -> list[PhotoId]:
    """Write pictures into a library: facts, vectors and profiles."""
    start = library.photos.count()
    ids = [
        library.photos.save(
            facts(picture, number), FileStamp(folder / "photos" / f"{number}.png", number, 0)
        )
        for number, picture in enumerate(pictures, start=start + 1)
    ]
    if pictures:
        perception = fake_perception()
        vectors = perception.encoder.encode_images(np.stack([p.pixels for p in pictures]))
        library.vectors.save(perception.encoder.name, ids, vectors)
        proxies = perception.concepts.proxy_vectors(vectors)
        library.vectors.save(perception.proxy_name, ids, proxies)
        library.profiles.save(profiles(ids, pictures, vectors))
    return ids


def profiles(
    ids: Sequence[PhotoId], pictures: Sequence[Picture], vectors: Float32Array
) -> list[Profile]:
    concepts = fake_perception().concepts.concepts(vectors)
    return [
        Profile(i, seen, " ".join([*(concept.phrase for concept in seen), *picture.keywords]))
        for i, seen, picture in zip(ids, concepts, pictures, strict=True)
    ]


def facts(picture: Picture, number: int) -> PhotoFacts:
    taken = picture.taken and CaptureTime(
        picture.taken, None, ClockSource.ORIGINAL, picture.precision
    )
    place = TinyGazetteer().nearest([picture.point])[0] if picture.point else None
    return PhotoFacts(
        content_hash=ContentHash(f"{number:064x}"),
        pixel_hash=f"{number:x}",
        format="PNG",
        width=32,
        height=32,
        taken=taken,
        order_key=(picture.taken - _EPOCH).total_seconds() if picture.taken else None,
        point=picture.point,
        gps_problem="",
        place=place,
        camera=Camera(),
        contributor=picture.contributor,
        kind=picture.kind,
        tags=tuple(Tag(TagKind.KEYWORD, (word,)) for word in picture.keywords),
    )
