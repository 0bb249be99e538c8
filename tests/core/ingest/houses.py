"""A folder of photos and a library over it, for tests of whole runs."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from core.backends.fakes import ColourEncoder, TinyGazetteer, fake_perception
from core.domain.arrays import Float32Array, PixelArray
from core.domain.photo import Photo
from core.domain.report import IndexReport
from core.ingest.options import IndexOptions
from core.ingest.pipeline import index_folders
from core.progress import Progress
from core.protocols import Perception
from core.settings import DecodeSettings, Settings
from core.store.library import Library
from tests.core.pictures import Scene, draw

NOON = datetime(2024, 5, 1, 12)
AREZZO = (43.463, 11.880)
ONE_WORKER = Settings(decode=DecodeSettings(workers=1, timeout_s=1))


class CountingEncoder(ColourEncoder):
    """Counts the photos that it looks at."""

    def __init__(self, name: str = "colours-1") -> None:
        self.name = name
        self.looked_at = 0

    def encode_images(self, pixels: PixelArray) -> Float32Array:
        """As its parent."""
        self.looked_at += len(pixels)
        return super().encode_images(pixels)


@dataclass
class House:
    """A folder of photos and a library."""

    photos: Path
    library: Library
    encoder: CountingEncoder = field(default_factory=CountingEncoder)

    def index(self, *folders: Path, **options: object) -> IndexReport:
        """Index the folders, or that of the photos."""
        fake = fake_perception()
        return index_folders(
            [] if "only" in options else folders or [self.photos],
            self.library,
            Perception(self.encoder, fake.sentences, fake.presence, fake.concepts),
            TinyGazetteer(),
            ONE_WORKER,
            Progress(),
            options=IndexOptions(**options),  # type: ignore[arg-type]
        )

    def draw(self, *names: str) -> None:
        """A picture each, an hour apart."""
        for number, name in enumerate(names):
            scene = Scene(name, "red", "blue", NOON + timedelta(hours=number), AREZZO)
            draw(self.photos, scene)

    def all(self) -> list[Photo]:
        """Every photo that has a file, by id."""
        return self.library.photos.photos(self.library.photos.ids())

    def names(self) -> list[str]:
        """The names of all files."""
        return sorted(file.path.name for photo in self.all() for file in photo.files)

    def at(self, path: Path | str) -> Photo:
        """The photo that a file holds."""
        photo_id = self.library.photos.id_at(self.photos / path)
        assert photo_id is not None
        return self.library.photos.photos([photo_id])[0]

    def words(self, photo: Photo) -> str:
        """The text of a photo's profile."""
        return self.library.profiles.profiles([photo.id])[photo.id].text
