"""Which files of one folder are one item: RAW and JPEG, live photos, edits, sidecars.

A file that is not surely paired is an item of its own: none is ever lost.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from core.domain.photo import CompanionRole
from core.ingest.folders.names import NameParts, parts_of, unedited
from core.ingest.folders.sniff import IMAGE_SUFFIXES, RAW_SUFFIXES, VIDEO_SUFFIXES
from core.ingest.folders.takeout_names import TakeoutNames, is_album_name

Mate = tuple[CompanionRole, str]
_CAMERA_SUFFIXES = frozenset((".jpg", ".jpeg", ".jpe", ".heic", ".heif", ".hif", ".avif", ".jxl"))
"""What cameras write beside a RAW file or a live video."""

_LIVE_SUFFIXES = frozenset((".mov", ".mp4", ".mp"))
_TEXT_SUFFIXES = frozenset((".xmp", ".aae", ".json"))
_MEDIA_SUFFIXES = IMAGE_SUFFIXES | RAW_SUFFIXES | VIDEO_SUFFIXES | {".mp"}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The companions of each item that has some, and every name that is a companion.

    `of_all` are companions of every item of the folder: what is told about an album.
    """

    mates: Mapping[str, tuple[Mate, ...]]
    owned: frozenset[str]
    of_all: tuple[Mate, ...] = ()


def pair_names(
    names: Iterable[str],
    is_short: Callable[[str], bool] = lambda name: True,
    alone: Collection[str] = frozenset(),
) -> Pairs:
    """Pair the names of one folder's files; they are gone through several times.

    `is_short` tells whether a video may be a live photo's; `alone` are media that are not to be
    paired with other media (they cannot be read), though their sidecars are theirs.
    """
    texts = [name for name in names if _suffix_of(name) in _TEXT_SUFFIXES]
    owners = _media_owners(names, alone, is_short)
    found: dict[str, list[Mate]] = {}
    for name, (main, role) in owners.items():
        found.setdefault(main, []).append((role, name))
    owned = set(owners)
    media = [name for name in names if _suffix_of(name) in _MEDIA_SUFFIXES] if texts else []
    albums = sorted(name for name in texts if media and is_album_name(name))
    for name, mains, role in _told(media, owners, set(texts).difference(albums)):
        owned.add(name)
        for main in mains:
            found.setdefault(main, []).append((role, name))
    owned.update(albums)
    mates = {main: tuple(sorted(some, key=lambda m: m[1])) for main, some in found.items()}
    return Pairs(mates, frozenset(owned), tuple((CompanionRole.TAKEOUT, name) for name in albums))


def _told(
    media: list[str], owners: Mapping[str, tuple[str, CompanionRole]], texts: Collection[str]
) -> Iterator[tuple[str, list[str], CompanionRole]]:
    """Each file that is about some items, these, and as what."""
    if not texts or not media:
        return
    about = _TextOwners(media, owners)
    for name in texts:
        mains, role = about.mains(name)
        if mains:
            yield name, mains, role


def _suffix_of(name: str) -> str:
    """What follows the last dot, with it; all of a name that has none."""
    return name[name.rfind(".") :].lower()


def _stem_key(name: str) -> str:
    parts = parts_of(name)
    return unedited(_still_stem(parts))


def _still_stem(parts: NameParts) -> str:
    """The stem; of a motion photo that was taken apart, `a.MP.jpg` and `a.MP`, that of both."""
    return parts.stem.removesuffix(".mp")


def _media_owners(
    names: Iterable[str], alone: Collection[str], is_short: Callable[[str], bool]
) -> dict[str, tuple[str, CompanionRole]]:
    """The item that each companion among pictures and videos belongs to, and as what."""
    owners: dict[str, tuple[str, CompanionRole]] = {}
    for key, group in groupby(sorted(_sharing_stems(names, alone)), key=itemgetter(0)):
        members = [name for _, name in group]
        if len(members) > 1:
            _pair_group(key, members, is_short, owners)
    return owners


def _sharing_stems(names: Iterable[str], alone: Collection[str]) -> list[tuple[str, str]]:
    """Media whose stems seem to be shared, each after its stem: mostly few of many.

    Hashes of the stems find them, eight bytes each.
    """
    hashes = np.sort(np.fromiter((hash(stem) for stem, _ in _stems(names, alone)), np.int64))
    shared = frozenset(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    if not shared:
        return []
    return [(stem, name) for stem, name in _stems(names, alone) if hash(stem) in shared]


def _stems(names: Iterable[str], alone: Collection[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        if _suffix_of(name) in _MEDIA_SUFFIXES and name not in alone:
            yield _stem_key(name), name


@dataclass(frozen=True, slots=True)
class _OneStem:
    """The names of one stem by what they are."""

    cameras: list[str]
    others: list[str]
    raws: list[str]
    videos: list[str]

    @classmethod
    def of(cls, members: Iterable[tuple[str, NameParts]]) -> "_OneStem":
        found = cls([], [], [], [])
        for name, parts in members:
            if parts.suffix in _CAMERA_SUFFIXES:
                found.cameras.append(name)
            elif parts.suffix in RAW_SUFFIXES:
                found.raws.append(name)
            elif parts.suffix in IMAGE_SUFFIXES:
                found.others.append(name)
            elif parts.suffix in _LIVE_SUFFIXES:
                found.videos.append(name)
        return found


def _pair_group(
    key: str,
    members: list[str],
    is_short: Callable[[str], bool],
    owners: dict[str, tuple[str, CompanionRole]],
) -> None:
    named = [(name, parts_of(name)) for name in members]
    shot = _OneStem.of((n, p) for n, p in named if _still_stem(p) == key)
    edit = _OneStem.of((n, p) for n, p in named if _still_stem(p) != key)
    main = _pair_stem(shot, is_short, owners)
    edited = edit.cameras + edit.others
    if len(edited) != 1 or edit.raws:
        return
    if _only(edit.cameras) and _only(edit.videos) and is_short(edit.videos[0]):
        owners[edit.videos[0]] = edited[0], CompanionRole.LIVE
    stills = shot.cameras + shot.others
    if main is None or len(stills) > 1:
        return
    for name, (owner, role) in list(owners.items()):
        if owner == main:
            owners[name] = edited[0], role
    owners[main] = edited[0], CompanionRole.ORIGINAL if stills else CompanionRole.RAW


def _pair_stem(
    shot: _OneStem, is_short: Callable[[str], bool], owners: dict[str, tuple[str, CompanionRole]]
) -> str | None:
    """Pair what was shot together; returns the item that it is, None where that is not sure."""
    if _only(shot.cameras):
        main = shot.cameras[0]
        if _only(shot.raws):
            owners[shot.raws[0]] = main, CompanionRole.RAW
        if _only(shot.videos) and is_short(shot.videos[0]):
            owners[shot.videos[0]] = main, CompanionRole.LIVE
        return main
    alone = shot.others + shot.raws
    return alone[0] if not shot.cameras and _only(alone) else None


def _only(names: list[str]) -> bool:
    return len(names) == 1


class _TextOwners:
    """Finds the items that sidecars and Takeout's JSON files tell about."""

    def __init__(self, media: list[str], owners: Mapping[str, tuple[str, CompanionRole]]) -> None:
        self._owners = owners
        self._by_whole: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for name in media:
            parts = parts_of(name)
            self._by_whole.setdefault(parts.whole, []).append(name)
            self._by_stem.setdefault(parts.stem, []).append(name)
        self._takeout = TakeoutNames(self._by_whole)

    def mains(self, name: str) -> tuple[list[str], CompanionRole]:
        """The items that a file tells about (none: it is a file like any other)."""
        parts = parts_of(name)
        if parts.suffix == ".json":
            return self._items_of(self._told_by(parts.stem)), CompanionRole.TAKEOUT
        stem = parts.stem
        if parts.suffix == ".aae" and stem not in self._by_stem:
            stem = unedited(stem)  # IMG_O1234.AAE tells how IMG_1234 was edited
        named = self._by_whole.get(stem) or self._of_stem(stem)
        return self._items_of(named), CompanionRole.SIDECAR

    def _of_stem(self, stem: str) -> list[str]:
        """Those of a stem; where one of them is a RAW file, the sidecar is its."""
        found = self._by_stem.get(stem, [])
        raws = [name for name in found if parts_of(name).suffix in RAW_SUFFIXES]
        return raws if _only(raws) else found

    def _told_by(self, stem: str) -> list[str]:
        found = self._takeout.media(stem)
        if found:
            return found
        same = self._by_stem.get(stem, [])  # a title without suffix
        return same if len(self._items_of(same)) == 1 else []

    def _items_of(self, names: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(self._owners.get(n, (n,))[0] for n in names))
