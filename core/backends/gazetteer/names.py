"""Names as people write them, made equal."""

import unicodedata


def fold(name: str) -> str:
    """A name without case, accents and repeated spaces."""
    if not name.isascii():
        decomposed = unicodedata.normalize("NFKD", name)
        name = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(name.casefold().split())
