"""The words that the rules know, read once from the tables beside this module."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from core.domain.query import ConditionKind

_LEADS = {
    "on_a": "on a",
    "on": "on",
    "in_a": "in a",
    "in": "in",
    "in_the": "in the",
    "at_a": "at a",
    "at": "at",
    "in_the_time": "in the",
    "in_season": "in",
    "bare": "",
}


def read_table(name: str) -> dict[str, Any]:
    """Read one TOML table that ships beside this module."""
    text = resources.files("core.language").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def everyday_rows() -> list[list[str]]:
    """Everyday words: English, German, French, Spanish, Italian; forms are parted by "/"."""
    text = resources.files("core.language").joinpath("everyday.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words by the part they play; all lower case, nouns in the singular."""

    scene_lead: dict[str, str]
    light: frozenset[str]
    people: frozenset[str]
    generic_people: frozenset[str]
    groups: dict[str, frozenset[str]]
    actions: frozenset[str]
    finite: dict[str, str]
    whole: frozenset[str]
    tie: frozenset[str]
    not_actions: frozenset[str]
    adjectives: frozenset[str]
    style: frozenset[str]
    plain_form: dict[str, str]
    counts: frozenset[str]
    digits: dict[str, str]
    prepositions: frozenset[str]
    articles: frozenset[str]
    joiners: frozenset[str]
    be: frozenset[str]
    adverbs: frozenset[str]
    mass: frozenset[str]
    plural_only: frozenset[str]
    irregular: dict[str, str]

    def counts_first(self, text: str) -> bool:
        """Whether a phrase begins with a count."""
        return any(text.startswith(f"{count} ") for count in self.counts)

    def is_action(self, word: str) -> bool:
        """Whether one word is a verb form that shows: "running", "swims"."""
        if word in self.actions or word in self.finite:
            return True
        return word.endswith("ing") and len(word) > 4 and word not in self.not_actions

    @property
    def function_words(self) -> frozenset[str]:
        """Words that name nothing."""
        return self.prepositions | self.articles | self.joiners | self.be | self.adverbs


@cache
def lexicon() -> Lexicon:
    """The English tables."""
    table = read_table("vocabulary.toml")
    scenes = {word: _LEADS[lead] for lead, words in table["scenes"].items() for word in words}
    people = frozenset(table["people"]["words"])
    grammar, attributes = table["grammar"], table["attributes"]
    return Lexicon(
        scene_lead=scenes,
        light=frozenset(table["light"]["words"]),
        people=people,
        generic_people=frozenset(table["people"]["generic"]),
        groups={
            "people": people,
            "animal": frozenset(table["animals"]["words"]),
            "vehicle": frozenset(table["vehicles"]["words"]),
        },
        actions=frozenset(table["actions"]["words"]),
        finite=dict(table["actions"]["finite"]),
        whole=frozenset(table["actions"]["whole"]),
        tie=frozenset(table["actions"]["tie"]),
        not_actions=frozenset(table["actions"]["not_actions"]),
        adjectives=frozenset(attributes["colours"]) | frozenset(attributes["looks"]),
        style=frozenset(attributes["style"]),
        plain_form=dict(attributes["plain_form"]),
        counts=frozenset(table["counts"]["words"]),
        digits=dict(table["counts"]["digits"]),
        prepositions=frozenset(grammar["prepositions"]),
        articles=frozenset(grammar["articles"]),
        joiners=frozenset(grammar["joiners"]),
        be=frozenset(grammar["be"]),
        adverbs=frozenset(grammar["adverbs"]),
        mass=frozenset(grammar["mass"]),
        plural_only=frozenset(grammar["plural_only"]),
        irregular=dict(grammar["irregular"]),
    )


def is_scene(noun: str) -> bool:
    """Whether a bare singular phrase names a place or a light rather than a thing in it."""
    known = lexicon()
    return noun in known.scene_lead or noun in known.light


def kind_of_noun(noun: str) -> ConditionKind:
    """Whether a bare singular phrase is a scene or a thing; its last word decides."""
    return (
        ConditionKind.SCENE
        if is_scene(noun) or is_scene(noun.rpartition(" ")[2])
        else ConditionKind.THING
    )
