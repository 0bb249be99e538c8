"""What a sentence excludes, and the words that are left when that is taken out.

A trigger ("without", "no", "nobody", "free of", …) opens a scope. The scope holds one or more
short noun phrases and closes at a comma, at "but", at "and with", before a place ("no people on
the beach": the beach is wanted) and before a new thing ("without people and a dog").
"""

import re
from dataclasses import dataclass

from core.language.clean import clean
from core.language.conditions import find_parts, is_adjective
from core.language.vocabulary import is_scene, lexicon
from core.language.words import canonical, cut, singular

_TRIGGERS = tuple(
    sorted(
        """without any of|without any|without|with none of|none of|with no|no longer any|no longer|
no more|but no|but not|and no|nor|neither|no one|nobody|none|nothing of|no|not any|not a single|
not even|not|never|hardly any|free of|free from|clear of|devoid of|empty of|lacking|lacks|lack of|
absence of|minus|sans|excluding|exclude|excludes|except for|except|apart from|other than|
anything but|everything but|avoid|avoiding|instead of|rather than|in place of|as opposed to|
unlike|nowhere|zero|leave out|leaving out|leave away|omit|skip|ignore""".replace("\n", "").split(
            "|"
        ),
        key=lambda trigger: -len(trigger.split()),
    )
)
_NEGATION_WORDS = frozenset(
    [
        "no",
        "not",
        "without",
        "nobody",
        "none",
        "never",
        "neither",
        "nor",
        "nothing",
        "nowhere",
        "cannot",
        "non",
        "no-one",
        "noone",
        "n't",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "don't",
        "doesn't",
        "didn't",
        "can't",
        "won't",
        "hasn't",
        "haven't",
        "except",
        "excluding",
        "exclude",
        "minus",
        "sans",
        "lacking",
        "lacks",
        "absent",
        "ohne",
        "kein",
        "keine",
        "keinen",
        "nicht",
        "sans",
        "pas",
        "sin",
        "senza",
    ]
)
_FILLERS = frozenset(
    [
        "any",
        "a",
        "an",
        "the",
        "of",
        "to",
        "be",
        "is",
        "are",
        "was",
        "were",
        "being",
        "been",
        "see",
        "seeing",
        "want",
        "wanted",
        "show",
        "showing",
        "shows",
        "include",
        "including",
        "includes",
        "have",
        "having",
        "has",
        "contain",
        "containing",
        "contains",
        "wearing",
        "holding",
        "carrying",
        "with",
        "on",
        "in",
        "at",
        "for",
        "from",
        "near",
        "by",
        "there",
        "some",
        "other",
        "another",
        "single",
        "even",
        "longer",
        "more",
        "should",
        "must",
        "can",
        "could",
        "would",
        "do",
        "does",
        "did",
        "i",
        "we",
        "you",
        "please",
        "really",
        "also",
        "only",
        "just",
        "it",
        "and",
        "or",
        "but",
        "than",
        "rather",
        "instead",
        "that",
        "which",
        "who",
        "this",
        "these",
        "those",
        "them",
        "all",
        "such",
        "his",
        "her",
        "their",
        "my",
        "our",
        "visible",
        "seen",
        "present",
        "shown",
        "at",
        "least",
        "over",
        "under",
        "inside",
        "outside",
        "into",
        "onto",
        "across",
        "around",
        "behind",
        "beside",
        "along",
        "through",
    ]
)
_TAIL = frozenset(
    [
        "around",
        "nearby",
        "visible",
        "anywhere",
        "there",
        "please",
        "whatsoever",
        "present",
        "else",
        "seen",
        "shown",
        "appearing",
        "either",
        "today",
        "here",
        "again",
        "now",
        "everywhere",
    ]
)
_PHOTO_WORDS = frozenset(
    ["photo", "picture", "image", "frame", "shot", "view", "sight", "scene", "it", "background"]
)
_NOBODY = frozenset({"nobody", "no one"})
_STOPS = frozenset(
    [
        "but",
        "while",
        "whereas",
        "although",
        "though",
        "however",
        "where",
        "when",
        "then",
        "instead",
        "plus",
    ]
)
_IDIOMS = (
    (re.compile(r"\bnot (?:only|just|merely|simply)\b(.*?),? but (?:also )?", re.I), r"\1 and "),
    (re.compile(r"\b(?:nothing|nobody|no one|none) (?:but|except|other than)\b", re.I), "only"),
    (re.compile(r"\bno other \w+ (?:but|except|than)\b", re.I), "only"),
    (re.compile(r"\bno matter\b[^,;.]*", re.I), ""),
    (
        re.compile(
            r"\b(?:no doubt|no problem|no idea|why not|or not|if not|not bad|last but not least)\b",
            re.I,
        ),
        "",
    ),
    (re.compile(r"\bnot (?:exactly|necessarily)\b[^,;.]*", re.I), ""),
    (re.compile(r"\b(?:it )?(?:does|do) not matter\b[^,;.]*", re.I), ""),
    (re.compile(r"\b(?:no|not) (?:fewer|less) than\b", re.I), "at least"),
    (re.compile(r"\b(?:not|never|no|nobody|no one)(?: \w+)? without\b", re.I), "with"),
    (re.compile(r"\b(?:not|no) (?:un)?(?:alone)\b", re.I), "together"),
    (re.compile(r"\b(?:not|never) (?:free|devoid|empty) (?:of|from)\b", re.I), "with"),
    (re.compile(r"\b(?:is|are) (?:not )?no (?:exception)\b", re.I), ""),
)
_BUT = re.compile(
    r"\bnot (?P<old>[^,;.]{1,60}?),? but (?:rather |instead )?(?!not\b|no\b|without\b)(?P<new>[^,;.]+)",
    re.I,
)
_FREE = re.compile(r"\b(\w+)-free\b(?: (?!of\b|from\b|in\b|on\b|at\b|and\b|with\b)(\w+))?", re.I)


@dataclass(frozen=True, slots=True)
class Exclusions:
    """A text without its exclusions, and what they name; `replaced` came with "instead of"."""

    rest: str
    unwanted: tuple[str, ...]
    replaced: tuple[str, ...] = ()


def settle_idioms(text: str) -> str:
    """The text with idioms that only look negative put plainly, and "not X but Y" turned round."""
    for pattern, plain in _IDIOMS:
        text = pattern.sub(plain, text)
    text = _FREE.sub(_without, text)
    return _BUT.sub(lambda m: f"{m['new'].strip()} instead of {m['old'].strip()}", text)


def _without(match: re.Match[str]) -> str:
    """ "A car-free street" is a street without cars."""
    noun = match[1].lower()
    plural = (
        noun if singular(noun) != noun or noun in lexicon().mass or noun == "people" else noun + "s"
    )
    return f"{match[2] or ''} without {plural}".strip()


def name_unwanted(text: str) -> str:
    """The thing that a negative phrase names: "no people" → "people", "nobody" → "people".

    The answer never holds a negation; "" where nothing is named.
    """
    words = [w for w in cut(clean(text).lower()) if w not in ",;:.!?"]
    kept: list[str] = []
    for at, word in enumerate(words):
        if word == "nobody" or (word == "one" and at and words[at - 1] == "no"):
            kept.append("people")
        elif not _negates(word):
            kept.append(word)
    while kept and kept[0] in _FILLERS:
        kept = kept[1:]
    while kept and (kept[-1] in _FILLERS or kept[-1] in _TAIL):
        kept = kept[:-1]
    name = " ".join(kept)
    return "people" if canonical(name) == "people" else name


def _negates(word: str) -> bool:
    return word in _NEGATION_WORDS or word.endswith("n't") or word.startswith("non-")


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
        for trigger in _TRIGGERS:
            parts = trigger.split()
            if self.words[at : at + len(parts)] == parts:
                return trigger
        return ""

    def _scope(self, trigger: str) -> None:
        instead = trigger in ("instead of", "rather than", "in place of", "as opposed to", "unlike")
        items = [["people"]] if trigger in _NOBODY else [[]]
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
        if word in _STOPS or word in ";:.!?" or self._trigger(self.at):
            return False
        if word == ",":
            return self._list_goes_on(items)
        if word in ("and", "or", "nor", "&"):
            return bool(now) and self._joined(word, items, first_article)
        if word in _TAIL or word in known.be or word in ("who", "which", "that", "to"):
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
        if noun in _PHOTO_WORDS:
            self.at += 1 + self._length_ahead()
            return True
        if is_scene(noun) or is_scene(" ".join([*ahead[:-1], noun])) or word in ("with", "from"):
            return False
        if _is_doing(now[-1]) or (len(now) > 1 and _is_doing(now[-2])):
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
    return tuple(dict.fromkeys(name for phrase in phrases if (name := name_unwanted(phrase))))


def _join(words: list[str]) -> str:
    return re.sub(r" ([,;:.!?])", r"\1", " ".join(words))


def same_thing(one: str, other: str) -> bool:
    """Whether two phrases name the same thing, or one a kind of the other: man, people."""
    first, second = canonical(one), canonical(other)
    return first == second or is_kind_of(first, second) or is_kind_of(second, first)


def is_kind_of(phrase: str, group: str) -> bool:
    """Whether a phrase names one of a group: "old man" of "people", "brown dog" of "dog"."""
    name, wide = canonical(phrase), canonical(group)
    if name == wide or name.endswith(f" {wide}"):
        return True
    members = lexicon().groups.get(wide, frozenset())
    return name in members or name.rpartition(" ")[2] in members
