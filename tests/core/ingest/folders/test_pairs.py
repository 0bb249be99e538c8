"""Files of one folder are paired where that is sure, and none is ever lost."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.photo import CompanionRole
from core.ingest.folders.pairs import Pairs, pair_names

RAW, LIVE = CompanionRole.RAW, CompanionRole.LIVE
ORIGINAL, SIDECAR, TAKEOUT = CompanionRole.ORIGINAL, CompanionRole.SIDECAR, CompanionRole.TAKEOUT


def items(*names: str) -> dict[str, dict[str, CompanionRole]]:
    """Each item with its companions."""
    pairs = pair_names(names)
    mains = [name for name in names if name not in pairs.owned]
    return {
        main: {n: role for role, n in (*pairs.mates.get(main, ()), *pairs.of_all)} for main in mains
    }


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("a.CR2 a.JPG", {"a.JPG": {"a.CR2": RAW}}),
        ("a.dng a.HEIC b.nef", {"a.HEIC": {"a.dng": RAW}, "b.nef": {}}),
        ("IMG_1.HEIC img_1.mov", {"IMG_1.HEIC": {"img_1.mov": LIVE}}),
        ("a.MP.jpg a.MP", {"a.MP.jpg": {"a.MP": LIVE}}),
        (
            "IMG_1234.HEIC IMG_E1234.JPG IMG_1234.MOV IMG_E1234.MOV IMG_1234.AAE IMG_O1234.AAE",
            {
                "IMG_E1234.JPG": {
                    "IMG_1234.HEIC": ORIGINAL,
                    "IMG_1234.MOV": LIVE,
                    "IMG_E1234.MOV": LIVE,
                    "IMG_1234.AAE": SIDECAR,
                    "IMG_O1234.AAE": SIDECAR,
                }
            },
        ),
        ("IMG_E1234.JPG IMG_1235.JPG", {"IMG_E1234.JPG": {}, "IMG_1235.JPG": {}}),
        ("a.jpg a-edited.jpg", {"a-edited.jpg": {"a.jpg": ORIGINAL}}),
        ("a(1).jpg a-bearbeitet(1).jpg", {"a-bearbeitet(1).jpg": {"a(1).jpg": ORIGINAL}}),
        ("a.nef a.jpg a-Edit.tif", {"a-Edit.tif": {"a.nef": RAW, "a.jpg": ORIGINAL}}),
        ("a.nef a-Edit.tif", {"a-Edit.tif": {"a.nef": RAW}}),
        ("a.jpg a-edited.jpg a-edit.jpg", {"a.jpg": {}, "a-edited.jpg": {}, "a-edit.jpg": {}}),
        ("a.jpg a.heic a.cr2", {"a.jpg": {}, "a.heic": {}, "a.cr2": {}}),
        ("a.jpg A.JPG a.mov", {"a.jpg": {}, "A.JPG": {}, "a.mov": {}}),
        ("a.jpg a.cr2 a.nef", {"a.jpg": {}, "a.cr2": {}, "a.nef": {}}),
        ("a.png a.mov", {"a.png": {}, "a.mov": {}}),
        ("a.avi a.jpg", {"a.avi": {}, "a.jpg": {}}),
    ],
)
def test_media_are_paired(names: str, expected: dict[str, dict[str, CompanionRole]]) -> None:
    assert items(*names.split()) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("a.jpg a.jpg.xmp", {"a.jpg": {"a.jpg.xmp": SIDECAR}}),
        ("a.jpg a.XMP", {"a.jpg": {"a.XMP": SIDECAR}}),
        ("a.CR2 a.CR2.xmp a.jpg", {"a.jpg": {"a.CR2": RAW, "a.CR2.xmp": SIDECAR}}),
        ("a.cr2 a.png a.xmp", {"a.cr2": {"a.xmp": SIDECAR}, "a.png": {}}),
        ("a.mp4 a.xmp", {"a.mp4": {"a.xmp": SIDECAR}}),
        ("a.jpg b.xmp c.AAE", {"a.jpg": {}, "b.xmp": {}, "c.AAE": {}}),
        ("a.jpg a.jpg.json", {"a.jpg": {"a.jpg.json": TAKEOUT}}),
        ("a.jpg a.JSON", {"a.jpg": {"a.JSON": TAKEOUT}}),
        (
            "a.jpg a.jpg.supplemental-metadata.json",
            {"a.jpg": {"a.jpg.supplemental-metadata.json": TAKEOUT}},
        ),
        ("a.jpg a.jpg.supplemental-me.json", {"a.jpg": {"a.jpg.supplemental-me.json": TAKEOUT}}),
        ("a.jpg a.jpg..json", {"a.jpg": {"a.jpg..json": TAKEOUT}}),
        ("a.jpg a.jpg.text.json", {"a.jpg": {}, "a.jpg.text.json": {}}),
        (
            "a.jpg a(1).jpg a.jpg.json a.jpg(1).json",
            {"a.jpg": {"a.jpg.json": TAKEOUT}, "a(1).jpg": {"a.jpg(1).json": TAKEOUT}},
        ),
        (
            "a(1).jpg a.jpg.supplemental-metadata(1).json",
            {"a(1).jpg": {"a.jpg.supplemental-metadata(1).json": TAKEOUT}},
        ),
        (
            "a.jpg a-edited.jpg a.jpg.json",
            {"a-edited.jpg": {"a.jpg": ORIGINAL, "a.jpg.json": TAKEOUT}},
        ),
        ("a-edited.jpg a.jpg.json", {"a-edited.jpg": {"a.jpg.json": TAKEOUT}}),
        (
            "a.jpg b.jpg Metadaten.json",
            {"a.jpg": {"Metadaten.json": TAKEOUT}, "b.jpg": {"Metadaten.json": TAKEOUT}},
        ),
        ("metadata.json", {"metadata.json": {}}),
    ],
)
def test_what_is_told_about_media(
    names: str, expected: dict[str, dict[str, CompanionRole]]
) -> None:
    assert items(*names.split()) == expected


LONG = "a-very-long-name-that-somebody-gave-a-photo-years-ago"


def test_names_that_were_cut_are_found_where_they_are_of_one() -> None:
    about = f"{LONG[:46]}.json"
    assert items(f"{LONG}.jpg", about) == {f"{LONG}.jpg": {about: TAKEOUT}}
    assert items(f"{LONG}.jpg", f"{LONG}x.jpg", about)[about] == {}
    numbered = f"{LONG[:46]}(2).json"
    assert items(f"{LONG}.jpg", f"{LONG}(2).jpg", numbered)[f"{LONG}(2).jpg"] == {numbered: TAKEOUT}
    assert items(f"{LONG}.jpg", f"{LONG[:30]}.json")[f"{LONG}.jpg"] == {}


def test_names_compare_without_case_and_composition() -> None:
    composed, parted = (unicodedata.normalize(form, "Été") for form in ("NFC", "NFD"))
    assert items(f"{composed}.JPG", f"{parted.lower()}.cr2") == {
        f"{composed}.JPG": {f"{parted.lower()}.cr2": RAW}
    }


def test_long_videos_and_what_stands_alone_are_not_paired() -> None:
    names = ["a.jpg", "a.mov", "a.cr2", "a.xmp"]
    assert pair_names(names, lambda name: False).owned == {"a.cr2", "a.xmp"}
    apart = pair_names(names, alone={"a.jpg"})
    assert apart == Pairs({"a.cr2": ((SIDECAR, "a.xmp"),)}, frozenset({"a.xmp"}))
    named = pair_names(["a.jpg", "a.jpg.xmp"], alone={"a.jpg"})
    assert named.owned == {"a.jpg.xmp"}, "what is told about it is no photo of its own"


STEMS = st.sampled_from(
    ["metadata", "a", "A", "a-edited", "IMG_1234", "IMG_E1234", "img_1234", "a(1)", "b"]
)
SUFFIXES = st.sampled_from(
    [".jpg", ".JPG", ".heic", ".png", ".cr2", ".dng", ".mov", ".mp4", ".xmp", ".jpg.xmp", ".aae",
     ".jpg.json", ".json", ".txt", ""]
)  # fmt: skip
NAMES = st.builds(lambda stem, suffix: stem + suffix, STEMS, SUFFIXES) | st.text(
    st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=9
)


@given(st.lists(NAMES, unique=True, max_size=14), st.randoms())
def test_no_file_is_lost_whatever_the_names(names: list[str], chance: object) -> None:
    pairs = pair_names(names)
    mains = set(names) - pairs.owned
    assert set(pairs.mates) <= mains
    told = [*pairs.mates.values(), pairs.of_all]
    assert {name for mates in told for _, name in mates} == pairs.owned
    media = [n for _, mates in pairs.mates.items() for r, n in mates if r in (RAW, LIVE, ORIGINAL)]
    assert len(media) == len(set(media)), "a picture has one item"
    chance.shuffle(names)  # type: ignore[attr-defined]
    assert pair_names(names) == pairs, "the order of the listing does not matter"


@given(st.text(max_size=60))
def test_any_name_can_be_compared(name: str) -> None:
    pair_names([name, f"{name}.jpg", f"{name}.json", f"{name}.xmp"])
