"""Under which phrases a thing shows itself in photos."""

from functools import cache

from core.language.vocabulary import read_table
from core.language.words import canonical


@cache
def _table() -> dict[str, tuple[str, ...]]:
    things = read_table("appearances.toml")["thing"]
    return {name: tuple(thing["phrases"]) for thing in things for name in thing["names"]}


def appearances(name: str) -> tuple[str, ...]:
    """The phrases of a thing, its own name first; the name alone where it is not known."""
    known = _table().get(canonical(name), ())
    return tuple(dict.fromkeys((name, *known)))
