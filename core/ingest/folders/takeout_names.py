"""Which photo a JSON file of a Google Takeout is about, by the names alone.

`a.jpg.json` or `a.jpg.supplemental-metadata.json` is about `a.jpg`, `a.jpg(1).json` about
`a(1).jpg`; names are cut after 46 characters, and an edited copy shares its original's.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping

from core.ingest.folders.names import comparable, parts_of, unedited

_MOST = 46
_TAIL = ".supplemental-metadata"
_NUMBERED = re.compile(r"\((\d+)\)$")
_ALBUM_NAMES = frozenset(
    map(
        comparable,
        (
            "metadata", "Metadaten", "métadonnées", "metadatos", "metadati", "metadados",
            "metagegevens", "metadane", "metadata-fil", "メタデータ", "метаданные", "元数据",
        ),
    )
)  # fmt: skip
"""What the file about a whole album is called, by language."""


def is_album_name(name: str) -> bool:
    """Whether a file of that name may be about all photos of its folder."""
    parts = parts_of(name)
    return parts.suffix == ".json" and _NUMBERED.sub("", parts.stem) in _ALBUM_NAMES


class TakeoutNames:
    """Finds the media that JSON files are about, among the media of one folder."""

    def __init__(self, by_whole: Mapping[str, list[str]]) -> None:
        """`by_whole` are the names of the media by their comparable form."""
        self._by_whole = by_whole
        self._about: dict[str, list[str]] = {}
        for whole in by_whole:
            for title in {whole, _original(whole)}:
                self._about.setdefault(title, []).append(whole)
        self._titles: list[str] = []

    def media(self, stem: str) -> list[str]:
        """The media that the JSON file of this comparable stem is about; mostly one."""
        found = _NUMBERED.search(stem)
        number = found.group() if found else ""
        base = stem.removesuffix(number)
        title = self._whole_title(base, number) or self._cut_title(base, number)
        return [] if title is None else self._named(title)

    def _whole_title(self, base: str, number: str) -> str | None:
        """The photo's whole name, where the base holds it and a part of the tail."""
        at = len(base)
        while at > 0:
            title = _numbered(base[:at], number)
            if title in self._about and _TAIL.startswith(base[at:]):
                return title
            at = base.rfind(".", 0, at)
        return None

    def _cut_title(self, base: str, number: str) -> str | None:
        """The one photo whose longer name begins so, where the base was cut."""
        if len(base) != _MOST:
            return None
        if not self._titles:
            self._titles = sorted(self._about)
        found = []
        for title in self._titles[bisect_left(self._titles, base) :]:
            if not title.startswith(base):
                break
            if _number_of(title) == number:
                found.append(title)
        return found[0] if len(found) == 1 else None

    def _named(self, title: str) -> list[str]:
        return [name for whole in self._about.get(title, ()) for name in self._by_whole[whole]]


def _original(whole: str) -> str:
    parts = parts_of(whole)
    return unedited(parts.stem) + parts.suffix


def _numbered(title: str, number: str) -> str:
    parts = parts_of(title)
    return f"{parts.stem}{number}{parts.suffix}"


def _number_of(title: str) -> str:
    found = _NUMBERED.search(parts_of(title).stem)
    return found.group() if found else ""
