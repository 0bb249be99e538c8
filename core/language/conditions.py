"""Which checkable conditions a positive phrase states: things, scenes, actions, counts."""

from dataclasses import dataclass
from functools import cache

from core.domain.query import Condition, ConditionKind
from core.language.scenes import place_phrase
from core.language.vocabulary import is_scene, kind_of_noun, lexicon
from core.language.words import canonical, cut, singular, with_article

EMPTY_NOUNS = frozenset(
    [
        "photo",
        "picture",
        "image",
        "shot",
        "scene",
        "background",
        "foreground",
        "middle",
        "front",
        "side",
        "top",
        "back",
        "edge",
        "distance",
        "view",
        "one",
        "ones",
        "thing",
        "things",
        "day",
        "time",
        "something",
        "everything",
        "kind",
        "type",
        "part",
        "end",
        "left",
        "right",
        "bottom",
        "center",
        "centre",
        "lot",
        "version",
        "way",
        "place",
        "area",
        "camera",
        "style",
        "breed",
        "stuff",
    ]
)


@dataclass(frozen=True, slots=True)
class Part:
    """One condition of a phrase, bare ("red hat"), its kind, and the noun it is about."""

    text: str
    kind: ConditionKind
    head: str


@cache
def _many_words() -> frozenset[str]:
    """Every known expression of more than one word."""
    known = lexicon()
    tables = (
        *known.groups.values(),
        frozenset(known.scene_lead),
        known.light,
        known.style,
        known.adjectives,
        known.counts,
        known.prepositions,
    )
    return frozenset(word for table in tables for word in table if " " in word)


def merge_words(words: list[str]) -> list[str]:
    """Join the words of known expressions into one item, longest first."""
    merged: list[str] = []
    at = 0
    while at < len(words):
        for length in (4, 3, 2):
            piece = words[at : at + length]
            joined = " ".join(piece)
            single = " ".join([*piece[:-1], singular(piece[-1])])
            if len(piece) == length and (joined in _many_words() or single in _many_words()):
                merged.append(joined)
                at += length
                break
        else:
            merged.append(words[at])
            at += 1
    return merged


def is_adjective(word: str) -> bool:
    """Whether a word tells how a thing looks."""
    return word in lexicon().adjectives or word in lexicon().plain_form


class _Reader:
    """Walks over the words of one phrase and collects its parts."""

    def __init__(self, phrase: str) -> None:
        self.words = merge_words(cut(phrase.lower()))
        self.parts: list[Part] = []
        self.noun_phrase: list[str] = []
        self.at = 0
        self.linked = False

    def read(self) -> tuple[Part, ...]:
        """All parts in order, none twice."""
        while self.at < len(self.words):
            self._step(self.words[self.at])
            self.at += 1
        self._flush()
        return tuple(dict.fromkeys(self.parts))

    def _step(self, word: str) -> None:
        known = lexicon()
        if word in known.style and not self._noun_follows():
            self._flush()
            self.parts.append(Part(word, ConditionKind.ATTRIBUTE, word))
        elif word in known.counts or word in known.digits:
            self._flush()
            self.noun_phrase = [known.digits.get(word, word)]
        elif word in known.tie:
            self._flush()
        elif known.scene_lead.get(word) == "" and not self._leads_on(word):
            self._flush()
            self.parts.append(Part(word, ConditionKind.SCENE, word))
        elif is_scene(singular(word)) and word not in known.adjectives | known.prepositions:
            self.noun_phrase.append(word)
        elif word in known.function_words or word in ",;:.!?":
            self._flush()
            self.linked = word in known.be
        elif known.is_action(word):
            self._action(known.finite.get(word, word))
        else:
            self.noun_phrase.append(known.plain_form.get(word, word))

    def _noun_follows(self) -> bool:
        after = self.words[self.at + 1 : self.at + 2]
        known = lexicon()
        return bool(after) and not (
            after[0] in known.function_words
            or after[0] in EMPTY_NOUNS
            or after[0] in ",;:.!?"
            or known.is_action(after[0])
        )

    def _leads_on(self, word: str) -> bool:
        """Whether "outside" is a preposition here: "outside a church"."""
        after = self.words[self.at + 1 : self.at + 2]
        article = bool(after) and after[0] in (lexicon().articles | {"of"})
        return word in lexicon().prepositions and (article or self._noun_follows())

    def _action(self, verb: str) -> None:
        known = lexicon()
        before = self.words[self.at - 1] if self.at else ""
        looks = before in known.articles or (not before and verb not in known.whole | known.tie)
        if looks and self._noun_follows():
            self.noun_phrase.append(verb)
            return
        self._flush()
        if verb in known.tie:
            return
        held = self._object_of(verb) if verb in known.whole else ""
        self.parts.append(Part(f"{verb} {held}".strip(), ConditionKind.ACTION, verb))

    def _object_of(self, verb: str) -> str:
        taken: list[str] = []
        known = lexicon()
        for word in self.words[self.at + 1 :]:
            stops = word in known.function_words or word in ",;:.!?" or known.is_action(word)
            if (stops and word not in known.articles) or (taken and word in known.articles):
                break
            if word not in known.articles:
                taken.append(word)
            self.at += 1
        return with_article(" ".join(taken)) if taken and verb != "playing" else " ".join(taken)

    def _flush(self) -> None:
        words, self.noun_phrase = self.noun_phrase, []
        linked, self.linked = self.linked, False
        if not words:
            return
        text = " ".join(words)
        noun = words[-1]
        if all(is_adjective(word) for word in words) and not is_scene(singular(noun)):
            self._describe(text, linked)
        elif len(words) > 1 and words[0] in lexicon().counts:
            self.parts.append(Part(text, ConditionKind.COUNT, singular(noun)))
        elif words[0] not in lexicon().counts and not (len(words) == 1 and noun in EMPTY_NOUNS):
            self.parts.append(Part(text, _kind(words), canonical(noun)))

    def _describe(self, look: str, linked: bool) -> None:
        last = self.parts[-1] if self.parts else None
        if linked and last and last.kind in (ConditionKind.THING, ConditionKind.ATTRIBUTE):
            self.parts[-1] = Part(f"{look} {last.text}", ConditionKind.ATTRIBUTE, last.head)
        else:
            self.parts.append(Part(look, ConditionKind.ATTRIBUTE, look))


def _kind(words: list[str]) -> ConditionKind:
    noun = " ".join([*words[:-1], singular(words[-1])])
    known = lexicon()
    if any(noun in group for group in known.groups.values()):
        return ConditionKind.THING
    if kind_of_noun(noun) is ConditionKind.SCENE:
        return ConditionKind.SCENE
    described = len(words) > 1 and (is_adjective(words[0]) or known.is_action(words[0]))
    return ConditionKind.ATTRIBUTE if described else ConditionKind.THING


def find_parts(phrase: str) -> tuple[Part, ...]:
    """The conditions that a positive phrase states, in its order."""
    return _Reader(phrase).read()


def constraint_sentence(conditions: tuple[Condition, ...]) -> str:
    """One declarative phrase that names every condition (C_key of DeliCIR, section III-B)."""
    named = [_named(c) for c in conditions if not _is_whole(c)]
    whole = [_named(c) for c in conditions if _is_whole(c)]
    joined = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
    return " ".join([joined, *whole]).strip()


def _is_whole(condition: Condition) -> bool:
    """Whether a condition is about the whole photo: its light or its style."""
    return canonical(condition.text) in lexicon().light or condition.text in lexicon().style


def _named(condition: Condition) -> str:
    text = condition.text
    if canonical(text) in lexicon().light and canonical(text) in lexicon().scene_lead:
        return place_phrase(text)
    plain = text in lexicon().style or condition.kind is ConditionKind.ACTION or is_adjective(text)
    return text if plain else with_article(text)
