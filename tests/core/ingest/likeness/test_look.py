"""The look of photos: what re-encoding keeps, what tells photos apart, what is sharper."""

import io
import itertools
from pathlib import Path

import numpy as np
import pytest
import skimage
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageEnhance, ImageFilter

from core.domain.photo import NO_LOOK, ContentHash, FileStamp, PhotoFacts, PhotoId
from core.errors import Cancelled
from core.ingest.likeness.complete_looks import complete_looks
from core.ingest.likeness.look import LIKE_WITHIN, SAME_WITHIN, look_of, perceptual_hash, sharpness
from core.paths import LibraryPaths
from core.progress import Progress
from core.store.library import Library, open_library
from core.store.looks import load_looks, photos_without_look
from tests.core.conftest import Picture, facts

DATA = Path(skimage.__file__).parent / "data"
NAMES = (
    "astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg", "camera.png", "coins.png",
    "page.png", "moon.png", "retina.jpg", "hubble_deep_field.jpg", "ihc.png",
    "motorcycle_left.png",
)  # fmt: skip


def photo(name: str, longest: int = 512) -> Image.Image:
    with Image.open(DATA / name) as picture:
        made = picture.convert("RGB")
    made.thumbnail((longest, longest))
    return made


PHOTOS = {name: photo(name) for name in NAMES}


def as_jpeg(picture: Image.Image, quality: int) -> Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(io.BytesIO(file.getvalue())).convert("RGB")


def bits_apart(one: str, other: str) -> int:
    return (int(one, 16) ^ int(other, 16)).bit_count()


def look_bits(one: Image.Image, other: Image.Image) -> int:
    return bits_apart(look_of(one).perceptual_hash, look_of(other).perceptual_hash)


@pytest.mark.parametrize("name", NAMES)
def test_the_hash_survives_what_copying_does(name: str) -> None:
    picture = PHOTOS[name]
    half = picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.BICUBIC)
    assert look_bits(picture, as_jpeg(picture, 30)) <= SAME_WITHIN
    assert look_bits(picture, half) <= SAME_WITHIN
    assert look_bits(picture, ImageEnhance.Brightness(picture).enhance(1.1)) <= SAME_WITHIN
    assert look_bits(picture, ImageEnhance.Brightness(picture).enhance(0.8)) <= SAME_WITHIN


@settings(max_examples=40, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    quality=st.integers(30, 95),
    side=st.integers(128, 700),
    light=st.floats(0.85, 1.1),
)
def test_the_hash_survives_all_of_it_together(
    name: str, quality: int, side: int, light: float
) -> None:
    picture = PHOTOS[name]
    scale = side / max(picture.size)
    size = (round(picture.width * scale), round(picture.height * scale))
    altered = ImageEnhance.Brightness(picture.resize(size)).enhance(light)
    assert look_bits(picture, as_jpeg(altered, quality)) <= LIKE_WITHIN


def test_different_photos_are_far_apart() -> None:
    hashes = [look_of(picture).perceptual_hash for picture in PHOTOS.values()]
    apart = [bits_apart(*pair) for pair in itertools.combinations(hashes, 2)]
    assert min(apart) > LIKE_WITHIN
    assert 26 < np.mean(apart) < 38


def test_a_picture_of_nothing_has_no_hash() -> None:
    blank = Image.new("RGB", (80, 60), "white")
    assert look_of(blank).perceptual_hash == ""
    assert look_of(blank).sharpness == 0
    assert look_of(blank).clipped == 1


def test_the_hash_knows_upside_down_and_negative() -> None:
    picture = PHOTOS["rocket.jpg"]
    assert look_bits(picture, picture.transpose(Image.Transpose.ROTATE_180)) > LIKE_WITHIN
    assert look_bits(picture, Image.eval(picture, lambda v: 255 - v)) > 50


@pytest.mark.parametrize("name", ["astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg"])
def test_blur_lowers_sharpness_more_than_size_or_light(name: str) -> None:
    picture = photo(name)
    sharp = look_of(picture).sharpness
    blurred = [
        look_of(picture.filter(ImageFilter.GaussianBlur(r))).sharpness for r in (0.7, 1.5, 3)
    ]
    assert sharp is not None
    assert [sharp, *blurred] == sorted([sharp, *blurred], reverse=True)
    assert blurred[1] < sharp / 4  # type: ignore[operator]
    small = photo(name, 128)
    assert look_of(small).sharpness < sharp  # type: ignore[operator]


def test_sharpness_compares_across_sizes() -> None:
    large = Image.open(DATA / "retina.jpg").convert("RGB")
    shrunk = large.resize((512, 512), Image.Resampling.BILINEAR)
    assert max(large.size) > 1000
    assert sharpness(large.convert("L")) == pytest.approx(sharpness(shrunk.convert("L")), rel=0.1)


def test_clipped_counts_what_is_lost() -> None:
    picture = Image.new("RGB", (100, 100), (128, 128, 128))
    picture.paste((255, 255, 255), (0, 0, 100, 20))
    picture.paste((0, 0, 0), (0, 20, 100, 30))
    assert look_of(picture).clipped == pytest.approx(0.3)


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (1, 3), (900, 1), (3, 3)])
def test_any_size_has_a_look(size: tuple[int, int]) -> None:
    look = look_of(Image.effect_noise(size, 80).convert("RGB"))
    assert look.sharpness is not None


def test_the_hash_is_of_64_bits() -> None:
    assert len(perceptual_hash(PHOTOS["moon.png"].convert("L"))) == 16


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(LibraryPaths(tmp_path / "library"))


def keep(library: Library, number: int, picture: Image.Image | None) -> PhotoId:
    """A photo as an older version left it: a thumbnail, no look."""
    its: PhotoFacts = facts(Picture("red"), number)
    photo_id = library.photos.save(its, FileStamp(Path(f"/photos/{number}.jpg"), 1, 1))
    if picture is not None:
        thumbnail = library.paths.thumbnail(ContentHash(its.content_hash))
        thumbnail.parent.mkdir(parents=True, exist_ok=True)
        picture.save(thumbnail, "JPEG", quality=85)
    return photo_id


def test_missing_looks_are_filled_from_thumbnails(library: Library) -> None:
    pictures = list(PHOTOS.values())[:4]
    ids = [keep(library, number, picture) for number, picture in enumerate(pictures, 1)]
    gone = keep(library, 9, None)
    assert complete_looks(library, Progress()) == 4
    looks = [photo.facts.look for photo in library.photos.photos([*ids, gone])]
    for look, picture in zip(looks[:4], pictures, strict=True):
        fresh = look_of(picture)
        assert bits_apart(look.perceptual_hash, fresh.perceptual_hash) <= 2
        assert look.sharpness == pytest.approx(fresh.sharpness, rel=0.15)
    assert looks[4] == NO_LOOK
    assert complete_looks(library, Progress()) == 0
    assert list(load_looks(library.database).hashed) == [True] * 4 + [False]


def test_a_damaged_thumbnail_costs_one_look(library: Library) -> None:
    first, second = (keep(library, n, PHOTOS["moon.png"]) for n in (1, 2))
    [photo_, _] = library.photos.photos([first, second])
    library.paths.thumbnail(photo_.facts.content_hash).write_bytes(b"not a picture")
    assert complete_looks(library, Progress()) == 1
    assert [i for i, _ in photos_without_look(library.database, PhotoId(0), 10)] == [first]


def test_photos_without_look_are_found_by_their_index(library: Library) -> None:
    with library.database.read() as connection:
        plan = connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT id FROM photos WHERE sharpness IS NULL AND id > 5"
        ).all()
    assert "photos_without_look" in str(plan)


def test_completing_can_be_cancelled(library: Library) -> None:
    keep(library, 1, PHOTOS["moon.png"])
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        complete_looks(library, progress)
