"""What a sentence excludes, and the words that are left when that is taken out.

A trigger ("without", "no", "nobody", "free of", …) opens a scope. The scope holds one or more
short noun phrases and closes at a comma, at "but", at "and with", before a place ("no people on
the beach": the beach is wanted) and before a new thing ("without people and a dog").
"""

import re
from dataclasses import dataclass
from functools import cache

from core.language.conditions import find_parts, is_adjective
from core.language.negation import name_unwanted
from core.language.vocabulary import is_scene, lexicon
from core.language.wordings import expressions, word_set
from core.language.words import cut, singular


@dataclass(frozen=True, slots=True)
class Exclusions:
    """A text without its exclusions, and what they name; `replaced` came with "instead of"."""

    rest: str
    unwanted: tuple[str, ...]
    replaced: tuple[str, ...] = ()


@cache
def _triggers() -> tuple[str, ...]:
    both = (*expressions("negation", "triggers"), *expressions("negation", "instead"))
    return tuple(sorted(both, key=lambda trigger: -len(trigger.split())))


def find_exclusions(text: str) -> Exclusions:
    """Take the exclusions out of one clause (lower case)."""
    return _Scanner(text).scan()


class _Scanner:
    """Walks over a clause; every trigger opens a scope that names unwanted things."""

    def __init__(self, text: str) -> None:
        self.words = cut(text)
        self.rest: list[str] = []
        self.unwanted: list[str] = []
        self.replaced: list[str] = []
        self.at = 0

    def scan(self) -> Exclusions:
        """Split the words into what is wanted and what is not."""
        while self.at < len(self.words):
            trigger = self._trigger(self.at)
            if trigger:
                self.at += len(trigger.split())
                self._scope(trigger)
            else:
                self.rest.append(self.words[self.at])
                self.at += 1
        return Exclusions(_join(self.rest), _named(self.unwanted), _named(self.replaced))

    def _trigger(self, at: int) -> str:
        for trigger in _triggers():
            parts = trigger.split()
            if self.words[at : at + len(parts)] == parts:
                return trigger
        return ""

    def _scope(self, trigger: str) -> None:
        instead = trigger in expressions("negation", "instead")
        items = [["people"]] if trigger.endswith(("nobody", "no one")) else [[]]
        first_article = False
        while self.at < len(self.words):
            word = self.words[self.at]
            if word in lexicon().articles or word in ("single", "of"):
                if items[-1] and not _is_doing(items[-1][-1]):
                    if word != "of":
                        break
                    items[-1].append(word)
                first_article = first_article or (word in lexicon().articles and len(items) == 1)
                self.at += 1
            elif not self._take(word, items, first_article):
                break
        named = [self._complete(item) for item in items if item]
        (self.replaced if instead else self.unwanted).extend(named)

    def _complete(self, item: list[str]) -> str:
        """Carry a noun over: "a red hat instead of a blue one" leaves out a "blue hat"."""
        looks = item[:-1] if item[-1] in ("one", "ones") else item
        if not looks or not all(is_adjective(word) for word in looks):
            return " ".join(item)
        parts = find_parts(_join(self.rest))
        nouns = [p.head for p in reversed(parts) if p.head and not is_adjective(p.text)]
        return " ".join([*looks, *nouns[:1]])

    def _take(self, word: str, items: list[list[str]], first_article: bool) -> bool:
        """Use one word in the scope; False where the scope ends before it."""
        now, known = items[-1], lexicon()
        if word in word_set("negation", "stops") or word in ";:.!?" or self._trigger(self.at):
            return False
        if word == ",":
            return self._list_goes_on(items)
        if word in ("and", "or", "nor", "&"):
            return bool(now) and self._joined(word, items, first_article)
        if (
            word in word_set("negation", "tail")
            or word in known.be
            or word in ("who", "which", "that", "to")
        ):
            self.at += 1
            return True
        if word in known.prepositions:
            return self._place(word, now)
        return self._noun(word, now)

    def _noun(self, word: str, now: list[str]) -> bool:
        known = lexicon()
        if now and known.is_action(word) and singular(now[-1]) not in _actors():
            return False
        if now and word in known.adverbs:
            return False
        if len(now) >= 6:
            return False
        if not (not now and word in known.tie):
            now.append(word)
        self.at += 1
        return True

    def _place(self, word: str, now: list[str]) -> bool:
        """A preposition: skipped at the start, else it closes the scope or is swallowed."""
        if not now:
            self.at += 1
            return True
        ahead = self._phrase_ahead()
        noun = singular(ahead[-1]) if ahead else ""
        if noun in word_set("negation", "photo_words"):
            self.at += 1 + self._length_ahead()
            return True
        if is_scene(noun) or is_scene(" ".join([*ahead[:-1], noun])) or word in ("with", "from"):
            return False
        self.at += 1 + self._length_ahead()
        return True

    def _phrase_ahead(self) -> list[str]:
        words = self.words[self.at + 1 : self.at + 1 + self._length_ahead()]
        return [w for w in words if w not in lexicon().articles]

    def _length_ahead(self) -> int:
        count = 0
        known = lexicon()
        for word in self.words[self.at + 1 :]:
            closes = word in known.prepositions or word in known.joiners or word in known.be
            if closes or word in ",;:.!?" or known.is_action(word):
                break
            count += 1
        return count

    def _list_goes_on(self, items: list[list[str]]) -> bool:
        """Whether a comma only separates excluded things: "people, cars or bikes"."""
        after = self.words[self.at + 1 : self.at + 8]
        if not items[-1] or not after or not _is_bare_noun(after[0]):
            return False
        for at, word in enumerate(after):
            if word in ("or", "nor", "and"):
                goes_on = at > 0 and at + 1 < len(after) and _is_bare_noun(after[at + 1])
                break
            if word != "," and not _is_bare_noun(word):
                return False
        else:
            return False
        if goes_on:
            items.append([])
            self.at += 1
        return goes_on

    def _joined(self, word: str, items: list[list[str]], first_article: bool) -> bool:
        """Whether a joining word adds another excluded thing."""
        after = self.words[self.at + 1 : self.at + 3]
        known = lexicon()
        if not after or self._trigger(self.at + 1):
            return False
        article = after[0] in known.articles
        again = after[0] in known.prepositions and word == "or"
        closed = (after[0] in known.function_words and not article and not again) or (
            known.is_action(after[0]) and not _is_doing(items[-1][-1])
        )
        any_kind = word in ("or", "nor")
        if closed or after[0] in ",;:.!?" or (article and not any_kind and not first_article):
            return False
        items.append([])
        self.at += 1
        return True


def _actors() -> frozenset[str]:
    groups = lexicon().groups
    return groups["people"] | groups["animal"] | groups["vehicle"]


def _is_doing(word: str) -> bool:
    return lexicon().is_action(word) or word in lexicon().tie


def _is_bare_noun(word: str) -> bool:
    known = lexicon()
    return word not in known.function_words and word not in ",;:.!?" and not known.is_action(word)


def _named(phrases: list[str]) -> tuple[str, ...]:
    names = (name_unwanted(phrase) for phrase in phrases)
    return tuple(dict.fromkeys(name for name in names if name and name not in ("one", "ones")))


def _join(words: list[str]) -> str:
    return re.sub(r" ([,;:.!?])", r"\1", " ".join(words))
