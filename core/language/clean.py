"""Make any text plain: one line, plain quotes, no control characters, contractions spelt out."""

import re
import unicodedata

_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": ", "})
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:'t|not)\b", re.I), "can not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (
        re.compile(
            r"\b(is|are|was|were|do|does|did|has|have|had|should|must|could|would)n'?t\b", re.I
        ),
        r"\1 not",
    ),
    (re.compile(r"\b(i)'m\b", re.I), r"\1 am"),
    (re.compile(r"\b(he|she|it|that|there|who|what|where|nobody|no one)'s\b", re.I), r"\1 is"),
    (re.compile(r"\b(they|we|you)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(i|you|we|they)'d\b", re.I), r"\1 would"),
    (re.compile(r"\bno-one\b|\bnoone\b", re.I), "no one"),
    (re.compile(r"\bw/o\b", re.I), "without "),
    (re.compile(r"\bdont\b", re.I), "do not"),
    (re.compile(r"->|→|=>"), " to "),
)
_LONGEST = 1_000


def clean(text: str) -> str:
    """The text in NFC on one line, at most 1,000 characters; letters keep their case."""
    plain = unicodedata.normalize("NFC", text[:_LONGEST]).translate(_QUOTES)
    kept = "".join(c if _is_plain(c) else " " for c in plain)
    for pattern, spelt in _CONTRACTIONS:
        kept = pattern.sub(spelt, kept)
    return re.sub(r"\s+", " ", kept).strip()


def well_formed(text: str) -> str:
    """The text without halves of characters (undecoded bytes), which no other program takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_plain(character: str) -> bool:
    """Letters, digits, marks, punctuation and currency; no controls, no pictographs."""
    return unicodedata.category(character)[0] in "LNMPZ" or character in "+&=>$"


def tidy(text: str) -> str:
    """A phrase without stray punctuation, doubled or dangling joining words."""
    kept = re.sub(r"[^\w\s,'&\-]", " ", text)
    kept = re.sub(r"\s*,[\s,]*", ", ", kept)
    kept = re.sub(r"\s+", " ", kept).strip(" ,'-&")
    previous = None
    while kept != previous:
        previous = kept
        kept = re.sub(
            r"^(?:and|or|but|with|then|so|also|which|who|that|of|only|just)\b[ ,]*", "", kept
        )
        kept = re.sub(
            r"[ ,]+(?:and|or|but|with|in|on|at|of|the|a|an|from|by|is|are|which|who|that|it|has|"
            r"to|where|when|while)$",
            "",
            kept,
        )
        kept = re.sub(r"\b(and|or|with|in|on|at|a|the)(?: \1\b)+", r"\1", kept)
        kept = re.sub(r",? (?:and|with) (and|with|in|on|at)\b", r" \1", kept)
        kept = re.sub(r", (and|with|in|on|at)\b", r" \1", kept).strip(" ,")
    return kept
