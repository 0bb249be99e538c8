"""Text out of files, made harmless: it is data, shown and searched, nothing else."""

import re
import unicodedata
from collections.abc import Iterable

_MAX_TEXT = 300
_MAX_KEYWORD = 80
_MAX_KEYWORDS = 50
_NO_DESCRIPTION = re.compile(
    r"digital camera|^dcf |^sony dsc|exif[_ ]jpeg|^default$|^untitled$|^<|^[\W\d_]*$", re.IGNORECASE
)
"""What cameras write as a description by themselves."""

_STRAY = {0xDC00 + b: bytes([b]).decode("cp1252", "replace") for b in range(0x80, 0x100)}
_UNWANTED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean_text(value: object, longest: int = _MAX_TEXT) -> str:
    """One line without control, format or surrogate characters; "" for what is no text."""
    if not isinstance(value, str):
        return ""
    text = value[: 4 * longest]
    if not (text.isascii() and text.isprintable()):
        kept = "".join(" " if unicodedata.category(c) in _UNWANTED else c for c in text)
        text = unicodedata.normalize("NFC", kept)
    return " ".join(text.split())[:longest].strip()


def clean_keywords(values: Iterable[object]) -> tuple[str, ...]:
    """Keywords without repeats, in their order, at most fifty."""
    words = (clean_text(value, _MAX_KEYWORD) for value in values)
    return tuple(dict.fromkeys(word for word in words if word))[:_MAX_KEYWORDS]


def described(texts: Iterable[object]) -> str:
    """The first description, cleaned, that a camera did not write by itself."""
    cleaned = map(clean_text, texts)
    return next((text for text in cleaned if text and not _NO_DESCRIPTION.search(text)), "")


def decoded_text(raw: bytes) -> str:
    """Text of a field that names no charset: UTF-8 where it is that, else Western European."""
    raw = raw.split(b"\0", 1)[0]
    try:
        return unmangled(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace").replace("\ufffd", "")


def lenient_utf8(raw: bytes) -> str:
    """UTF-8; bytes that are none of it count as Western European."""
    return raw.decode("utf-8", "surrogateescape").translate(_STRAY)


def unmangled(text: str) -> str:
    """Text that was UTF-8, taken for Latin-1 and encoded again ("ZÃ¼rich"), as it was meant."""
    if text.isascii():
        return text
    for wrong in ("cp1252", "latin-1"):
        try:
            return text.encode(wrong).decode("utf-8")
        except UnicodeError:
            continue
    return text
