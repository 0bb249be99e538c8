"""The patterns and word lists by which wordings are recognised, compiled once."""

import re
from functools import cache
from typing import Any

from core.language.vocabulary import read_table


@cache
def _table() -> dict[str, Any]:
    return read_table("wordings.toml")


def _expand(pattern: str) -> str:
    for name, text in _table()["macros"].items():
        pattern = pattern.replace(f"{{{name}}}", text)
    return pattern


@cache
def pattern(section: str, name: str) -> re.Pattern[str]:
    """One named pattern of a section; case doesn't matter to it."""
    return re.compile(_expand(_table()[section][name]), re.IGNORECASE)


@cache
def replacements(section: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of a list in order, each with what is put in its place."""
    return tuple(
        (re.compile(_expand(entry["find"]), re.IGNORECASE), str(entry["put"]))
        for entry in _table()[section]
    )


@cache
def word_set(section: str, name: str) -> frozenset[str]:
    """One named word list of a section."""
    return frozenset(_table()[section][name].split())


@cache
def expressions(section: str, name: str) -> tuple[str, ...]:
    """One named list of expressions of one or more words, those with most words first."""
    return tuple(sorted(_table()[section][name], key=lambda text: -len(text.split())))
