"""Put a wished change into plain words, and cut what is wanted into clauses.

Orders become statements: "remove X" → "without X", "replace X with Y" → "Y instead of X",
"add X" → "with X", "make the dog white" → "white dog". The exclusions are then read by
`negation`, and what is left is cut here.
"""

import re
from dataclasses import dataclass

from core.domain.query import ConditionKind
from core.language.conditions import find_parts, is_adjective
from core.language.scenes import place_phrase
from core.language.vocabulary import lexicon
from core.language.words import cut, with_article

_END = r"(?=$|[,;.!?]| and (?:then |also )?(?:with|without|no|not|remove|add|change|replace|make|put|keep|turn|swap|take|get|have|has|show|is|are|on|in|at)\b| and (?:the|a|an|his|her) [\w ]{2,25}? (?:into|to|with|by) | but\b)"
_SHORT = r"[^,;.!?]{1,80}?"
_WHOLE = r"(?:the )?(?:whole )?(?:photo|picture|image|scene|shot|it|them)"
_QUALITY = re.compile(
    r"^(?:the )?(?P<of>\w+)(?:'s)? (?:colou?r|breed|species|size|hair colou?r)$"
    r"|^(?:the )?(?P<name>colou?r|breed|background|weather|sky|lighting|light|time|season|setting|"
    r"location|scene|style|type|angle|view|number)(?: of (?:the )?(?P<owner>\w+))?$"
)
_ORDERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (
            r"\b(?:remove|delete|erase|eliminate|take away|take out|take off|get rid of|rid of|crop out|cut out|lose|drop|hide)\b(?: out)?",
            "without",
        ),
        (r"\b(?:removing|deleting|erasing)\b", "without"),
        (
            rf"\bwith (?:the )?(?P<x>[\w ]{{2,30}}?) (?:gone|removed|missing|taken away|absent){_END}",
            r"without \g<x>",
        ),
        (
            r"(?:^|(?<=[,;.] )|(?<=and )|(?<=but ))(?:the |a )?(?P<x>[\w ]{2,30}?) (?:is|are|was|were|should be|must be) (?:gone|removed|missing|absent|not (?:visible|there|present|shown|seen|in (?:the |this )?(?:photo|picture|image|shot|frame|scene|view))|no longer (?:visible|there|present|shown))\b",
            r"without \g<x>",
        ),
        (
            r"\b(?:i )?(?:do|does|should|must|can|would|could) not (?:want |like |see |show |include |have |contain |wish )+(?:to )?(?:see |have |show |include )*",
            "without ",
        ),
        (
            r"\b(?:there |it |he |she |they |that |which |who )*(?:is|are|has|have|shows?|contains?) (?=no\b|none\b|without\b|nobody\b)",
            "",
        ),
        (
            rf"\b(?:replace|swap|exchange|substitute|trade)s? (?P<x>{_SHORT}) (?:with|by|for|against) (?P<y>{_SHORT}){_END}",
            "CHANGE",
        ),
        (
            rf"\b(?:change|turn|convert|transform|switch|alter)s? (?P<x>{_SHORT}) (?:into|to|for|from \w+ to) (?P<y>{_SHORT}){_END}",
            "CHANGE",
        ),
        (rf"\bchange(?:s|d)? (?:it |them )?(?:in)?to (?P<y>{_SHORT}){_END}", r"\g<y>"),
        (
            rf"\b(?:make|turn|paint|colou?r|set)s? {_WHOLE} (?:to |be |look |into |like )*(?P<y>{_SHORT}){_END}",
            r"\g<y>",
        ),
        (
            rf"\b(?:make|paint|colou?r|turn)s? (?P<x>(?:the |a |his |her |their )?[\w-]+(?: [\w-]+)?) (?:to |be |look |into )*(?P<y>{_SHORT}){_END}",
            "MAKE",
        ),
        (
            r"\b(?:add|include|put in|insert|give (?:it|him|her|them|the \w+)|show also)(?: in)?\b",
            "with",
        ),
        (r"\bput(?:ting)? (?:it|them|him|her)\b", ""),
        (r"\bput(?:ting)? ", "with "),
        (r"\b(?:the )?(?:photo|picture|image|shot) (?:is|are|shows?|has|was)\b", "with"),
        (r"(?:^|(?<=, )|(?<=and ))(?:has|have|shows?|contains?|features?)\b", "with"),
        (r"(?:^|(?<=, )|(?<=and ))(?:it |they |he |she )?(?:is|are|be|being)\b", ""),
        (
            r"\b(?:i (?:only )?want|i would like|i need|there (?:is|are|should be)|should (?:have|be|show)|must (?:have|be|show))\b",
            "",
        ),
        (
            r"(?:^|(?<=, )|(?<=and )|(?<=but ))more (?P<x>\w+s|people|children)\b",
            r"with many \g<x>",
        ),
        (r"\bmore (?P<x>\w+s|people|children|men|women)\b", r"many \g<x>"),
        (r"\bfewer (?P<x>\w+)\b", r"few \g<x>"),
        (r"\bmore (?P<x>colou?rful|crowded|organized|modern|beautiful)\b", r"\g<x>"),
    )
)
_CLAUSE = re.compile(
    r"[,;:.!?]+(?:\s+and\b)?|\bbut\b|\bthen\b|\bplus\b"
    r"|\band (?=(?:with|on|in|at|near|by|is|are|has|have|it|there|wearing|holding)\b)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One piece of what is wanted; `added` when it joins the subject ("with a ball")."""

    text: str
    added: bool = False


def state_plainly(text: str) -> str:
    """The text (lower case) with every order turned into a statement."""
    for pattern, plain in _ORDERS:
        if plain == "CHANGE":
            text = _continue_changes(pattern.sub(_changed, text))
        elif plain == "MAKE":
            text = pattern.sub(_made, text)
        else:
            text = pattern.sub(plain, text)
    words = [lexicon().plain_form.get(word, word) for word in text.split(" ")]
    return re.sub(r"\s+", " ", " ".join(words)).strip()


def _changed(match: re.Match[str]) -> str:
    old, new = match["x"].strip(), match["y"].strip()
    quality = _QUALITY.match(old)
    if quality is None:
        joined = place_phrase(new) if _is_scene_alone(new) else f"with {new}"
        return f", {joined} instead of {old}"
    owner = quality["of"] or quality["owner"]
    if owner and all(is_adjective(word) for word in cut(new)):
        return f", {with_article(f'{new} {owner}')}"
    if quality["name"] in ("background", "sky") and all(is_adjective(w) for w in cut(new)):
        return f", with a {new} {quality['name']}"
    return f", {new}"


def _is_scene_alone(phrase: str) -> bool:
    parts = find_parts(phrase)
    return len(parts) == 1 and parts[0].kind is ConditionKind.SCENE


def _continue_changes(text: str) -> str:
    """ "… instead of the grass and the ball to a frisbee": the second change has no verb."""
    return re.sub(
        r"(instead of [^,;.]+?),? and (?P<x>(?:the|a|his|her) [\w ]+?) (?:in)?(?:to|with|by) "
        r"(?P<y>[^,;.]+)",
        r"\1, with \g<y> instead of \g<x>",
        text,
    )


def _made(match: re.Match[str]) -> str:
    noun, new = match["x"].strip(), match["y"].strip()
    words = cut(new)
    if words and all(is_adjective(lexicon().plain_form.get(w, w)) for w in words):
        stem = re.sub(r"^(?:the|a|his|her|their) ", "", noun)
        named = f"{new} {stem}"
        return f", {with_article(named)}"
    return f", {noun} {new}"


def cut_clauses(text: str) -> tuple[Clause, ...]:
    """Cut what is wanted at commas, "but", and "and" before a new beginning."""
    clauses = []
    for piece in _CLAUSE.split(text):
        plain = re.sub(r"^(?:and|or|also|then|so|instead|with instead)\b ?", "", piece.strip())
        plain = re.sub(r"\b(?:instead|please|too|as well)$", "", plain).strip()
        plain = re.sub(r"^with (?=(?:on|in|at|with|from|under|near)\b)", "", plain)
        if plain and plain not in ("with", "the", "a", "it", "and"):
            clauses.append(Clause(plain, plain.startswith("with ")))
    return tuple(clauses)
