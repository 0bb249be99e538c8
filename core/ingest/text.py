"""Text out of files, made harmless: it is data, shown and searched, nothing else."""

import unicodedata
from collections.abc import Iterable

_MAX_TEXT = 300
_MAX_KEYWORD = 80
_MAX_KEYWORDS = 50


def clean_text(value: object, longest: int = _MAX_TEXT) -> str:
    """One line without control, format or surrogate characters; "" for what is no text."""
    if not isinstance(value, str):
        return ""
    kept = "".join(" " if _is_invisible(c) else c for c in value[: 4 * longest])
    return unicodedata.normalize("NFC", " ".join(kept.split()))[:longest].strip()


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean_keywords(values: Iterable[object]) -> tuple[str, ...]:
    """Keywords without repeats, in their order, at most fifty."""
    words = (clean_text(value, _MAX_KEYWORD) for value in values)
    return tuple(dict.fromkeys(word for word in words if word))[:_MAX_KEYWORDS]
