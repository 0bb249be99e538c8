"""What names, devices and sizes say of a picture, from a table of words in many languages."""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

_SHEET_TOLERANCE = 0.02
_MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class KindWords:
    """The table, ready to be asked."""

    screenshot: re.Pattern[str]
    scan: re.Pattern[str]
    devices: re.Pattern[str]
    programs: re.Pattern[str]
    screens: frozenset[tuple[int, int]]
    resolutions: frozenset[int]
    sheets: tuple[tuple[int, int], ...]

    def is_screen(self, width: int, height: int) -> bool:
        """Whether some screen has these sides, upright or lying."""
        return (min(width, height), max(width, height)) in self.screens

    def is_sheet(self, width: int, height: int, dots_per_inch: int) -> bool:
        """Whether the picture is as large as a sheet of paper."""
        sides = [side / dots_per_inch * _MM_PER_INCH for side in sorted((width, height))]
        return any(
            all(
                abs(side - wanted) <= _SHEET_TOLERANCE * wanted
                for side, wanted in zip(sides, sheet, strict=True)
            )
            for sheet in self.sheets
        )


def plain_name(text: str) -> str:
    """A name without case, accents and signs: words between single spaces."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(re.sub(r"[^\w]|_", " ", unicodedata.normalize("NFKC", bare)).split())


@cache
def kind_words() -> KindWords:
    """The table beside this module, read once."""
    text = (
        resources.files("core.ingest.likeness").joinpath("kinds.toml").read_text(encoding="utf-8")
    )
    table = tomllib.loads(text)
    shot, scan = table["screenshot"], table["scan"]
    sizes = (size.split("x") for size in shot["sizes"].split())
    return KindWords(
        screenshot=_pattern(shot["words"], shot["anywhere"]),
        scan=_pattern(scan["words"], scan["anywhere"]),
        devices=re.compile("|".join(scan["devices"]), re.IGNORECASE),
        programs=re.compile("|".join(scan["programs"]), re.IGNORECASE),
        screens=frozenset((int(short), int(long)) for short, long in sizes),
        resolutions=frozenset(scan["resolutions"]),
        sheets=tuple((short, long) for short, long in scan["sheets"]),
    )


def _pattern(words: Sequence[str], anywhere: Sequence[str]) -> re.Pattern[str]:
    """Any of the words where no letter touches it, or of the others at any place."""
    whole = "|".join(re.escape(plain_name(word)) for word in words)
    inside = "|".join(re.escape(plain_name(word)) for word in anywhere)
    letter = r"[^\W\d_]"
    return re.compile(rf"(?<!{letter})(?:{whole})(?!{letter})|{inside}")
