"""Words one by one: cutting text into them, their singular, their article."""

import re

from core.language.vocabulary import lexicon

_WORD = re.compile(r"[^\W_]+(?:['’\-&][^\W_]+)*|[,;:.!?]")
_AN = re.compile(r"^(?:[aeio]|un(?!i)|um|up|ug)")


def cut(text: str) -> list[str]:
    """Cut text into words and the punctuation marks , ; : . ! ? in order."""
    return _WORD.findall(text)


def singular(word: str) -> str:
    """The singular of one English noun, by rule."""
    known = lexicon()
    if word in known.irregular:
        return known.irregular[word]
    if word in known.plural_only or word in known.mass or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def is_plural(phrase: str) -> bool:
    """Whether the last word of a phrase is a plural."""
    last = phrase.rpartition(" ")[2]
    known = lexicon()
    return last in known.plural_only or last == "people" or singular(last) != last


def bare(phrase: str) -> str:
    """The phrase in lower case without leading articles and without punctuation."""
    words = [w for w in cut(phrase.lower()) if w not in ",;:.!?"]
    while len(words) > 1 and words[0] in lexicon().articles:
        words = words[1:]
    return " ".join(words)


def canonical(phrase: str) -> str:
    """One form for phrases that mean the same thing: bare, singular, one word for people."""
    text = bare(phrase)
    if text in lexicon().generic_people:
        return "people"
    front, _, last = text.rpartition(" ")
    return f"{front} {singular(last)}".strip()


def head(phrase: str) -> str:
    """The noun that a noun phrase is about: its last word, singular."""
    return canonical(phrase).rpartition(" ")[2]


def with_article(phrase: str) -> str:
    """The phrase as a caption names it: "a dog", "an old car", "snow", "two dogs"."""
    text = bare(phrase)
    known = lexicon()
    last = text.rpartition(" ")[2]
    if not text or last in known.mass or is_plural(text) or known.counts_first(text):
        return text
    return ("an " if _AN.match(text) else "a ") + text
