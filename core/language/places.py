"""Where the wanted photos were taken, and the text without these words.

A place is looked up only where one is likely: capitalised words after "in", "near", "from", …, or
in lower case words that are no everyday words ("in paris", never "in blue" or "on nice grass").
Of several places of one name, those in the country of the likeliest one count, all of them.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

from core.domain.place import GeoPoint, PlaceName
from core.domain.query import PlaceFilter
from core.language.vocabulary import lexicon, read_table
from core.language.words import singular
from core.protocols import Gazetteer

_IN_KM, _NEAR_KM, _MOST_POINTS, _LONGEST_NAME = 25.0, 50.0, 5, 4
_KM_PER_MILE = 1.609344
_TRIP = (
    r"(?:(?:from|of|on|during|in) )?(?:(?:our|my|the|a|his|her|their|last|this) )*(?:\w+ )?"
    r"(?:trip|holidays?|vacation|journey|visit|travels?|stay|tour|honeymoon|excursion|weekend)"
    r"(?: (?:to|in|at|through|around|of|near)) (?:the )?"
)
_LEAD = re.compile(
    rf"(?P<trip>\b{_TRIP})"
    r"|\b(?P<within>(?:with)?in (?P<far>\d{1,4}) ?(?P<unit>km|kilomet(?:er|re)s?|mi|miles?) "
    r"(?:of|from|around) )"
    r"|(?:\b(?:that |which )?(?:i |we |was |were )?(?:taken|shot|photographed|made|took) )?"
    r"\b(?P<prep>not far from|close to|next to|nearby|near|around|outside of|outside|in and around|"
    r"in|at|on|from|to|through|across|visiting|of) (?P<the>the (?:area of |region of )?)?",
    re.I,
)
_NOT = re.compile(r"\b(?:but not|not|except(?: for)?|excluding|without|other than)\s*$", re.I)
_OTHER = re.compile(r"^,? (?:or|and) (?=[A-Z])")
_WORD = re.compile(r"[^\W\d_][\w'.-]*")


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """The text without its places, the filter that they make, and what couldn't be used."""

    rest: str
    filter: PlaceFilter | None = None
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Names that stand where a place would, but that no gazetteer has."""


@dataclass(frozen=True, slots=True)
class _Hit:
    """A place in the text: where its words start and end, and the filter for it."""

    start: int
    end: int
    filter: PlaceFilter


@cache
def _tables() -> tuple[frozenset[str], frozenset[str], tuple[str, ...], dict[str, str]]:
    """Everyday words, inner words, words before names, and the code of each country name."""
    table = read_table("places.toml")
    codes = {name: code for code, names in table["countries"].items() for name in names}
    before = tuple(sorted(table["before"], key=lambda word: -len(word)))
    return frozenset(table["everyday"].split()), frozenset(table["inner"]), before, codes


def find_where(text: str, gazetteer: Gazetteer, capitals: bool = True) -> FoundPlace:
    """Take the places out of a text; of several places any one will do.

    `capitals` says whether a capital marks a name (not in German, not in titles).
    """
    capitals = capitals and not _is_title(text)
    whole = _whole_text(text, gazetteer)
    if whole:
        return FoundPlace("", whole)
    where: PlaceFilter | None = None
    unknown: list[str] = []
    notes: list[str] = []
    at = 0
    while match := _LEAD.search(text, at):
        hit = _look_up(text, match, gazetteer, capitals)
        if hit is None:
            unknown.extend(_unknown(text, match, capitals))
            at = match.start() + 1 if match["trip"] else match.end()
            continue
        negated = _NOT.search(text[: hit.start])
        if negated:
            words = text[negated.start() : hit.end].strip()
            notes.append(f"“{words}” could not be used: a place can't be left out.")
        else:
            where = _both(where, hit.filter)
        at = negated.start() if negated else hit.start
        after = _OTHER.sub(" in ", text[hit.end :])
        text = f"{text[:at].rstrip()} {after.lstrip()}".strip()
    names = tuple(dict.fromkeys(unknown))
    notes += [f"“{name}” is not a place that is known." for name in names]
    return FoundPlace(text, where, tuple(dict.fromkeys(notes)), names)


def _is_title(text: str) -> bool:
    words = _WORD.findall(text)
    raised = sum(w[0].isupper() for w in words)
    return text.isupper() or (len(words) > 3 and raised > 0.7 * len(words))


def _whole_text(text: str, gazetteer: Gazetteer) -> PlaceFilter | None:
    """A text that is nothing but the name of a place."""
    name = text.strip(" .,!?")
    if not name or len(name.split()) > _LONGEST_NAME or not _WORD.fullmatch(name.split()[0]):
        return None
    if _is_own(name, gazetteer):
        return _filter_for(name, gazetteer, _IN_KM)
    if all(is_everyday(w.lower()) for w in name.split()):
        return None
    return _filter_for(name, gazetteer, _IN_KM)


def is_everyday(word: str) -> bool:
    """Whether a lower-case word has a plain meaning of its own."""
    known = lexicon()
    everyday = _tables()[0]
    plain = (
        known.function_words,
        known.adjectives,
        known.actions,
        known.mass,
        known.plural_only,
        known.counts,
        known.tie,
        known.not_actions,
        known.light,
        everyday,
        *known.groups.values(),
    )
    forms = {word, singular(word)}
    return any(form in table for form in forms for table in plain) or bool(
        forms & (known.scene_lead.keys() | known.finite.keys())
    )


def _candidates(text: str, start: int) -> list[tuple[str, int]]:
    """The longest runs of words from `start`, longest first, with where they end."""
    found: list[tuple[str, int]] = []
    at = start
    while len(found) < _LONGEST_NAME and (word := _WORD.match(text, at)):
        found.append((text[start : word.end()].rstrip(".'-"), word.end()))
        at = word.end() + 1
        if text[word.end() : at] not in (" ", "-"):
            break
    return found[::-1]


def _is_likely(name: str, prep: str, capitals: bool) -> bool:
    words = name.split()
    inner = _tables()[1]
    if capitals and words[0][0].isupper():
        return all(w[0].isupper() or w in inner for w in words) and words[-1] not in inner
    if prep.lower() in ("of", "to", "across", "through", "next to", "on"):
        return False
    if name in _tables()[3] and not is_everyday(name):
        return True
    lower = [w.lower() for w in words]
    return not is_everyday(lower[-1]) and not (
        is_everyday(lower[0]) and (len(lower) == 1 or lower[0] in lexicon().function_words)
    )


def _look_up(text: str, match: re.Match[str], gazetteer: Gazetteer, capitals: bool) -> _Hit | None:
    prep = match["prep"] or ("to" if match["trip"] else "in")
    radius = _radius(match, prep)
    for name, end in _candidates(text, match.end()):
        if capitals and _goes_on(text, name, end):
            continue
        likely = _is_likely(name, "in" if match["trip"] or match["within"] else prep, capitals)
        likely = likely and (prep.lower() != "on" or _is_land(name))
        likely = likely or _is_own(name, gazetteer)
        found = _filter_for(name, gazetteer, radius) if likely else None
        if found is None and match["the"]:
            the_name = f"the {name}".lower()
            found = _country(the_name) if the_name in _tables()[3] else None
        if found:
            until, found = _with_country(text, end, found, gazetteer)
            words = text[match.start() : until].strip()
            return _Hit(match.start(), until, replace(found, text=words))
    return None


def _is_own(name: str, gazetteer: Gazetteer) -> bool:
    """Whether it is a name that the user gave: any words may be one."""
    return any(hit.own for hit in gazetteer.find(name))


def _goes_on(text: str, name: str, end: int) -> bool:
    """Whether a name is only the beginning of one: "Mono" of "Mono Lake"."""
    more = re.match(r"[ -]([A-Z][\w'-]+)", text[end:])
    return name[:1].isupper() and more is not None


def _is_land(name: str) -> bool:
    """Whether one can be on it: "Merritt Island", "Mount Etna"."""
    return bool({"island", "islands", "isle", "mount", "mt"} & set(name.lower().split()))


def _radius(match: re.Match[str], prep: str) -> float:
    if match["far"]:
        return float(match["far"]) * (_KM_PER_MILE if match["unit"].startswith("mi") else 1.0)
    near = prep.lower() in ("near", "nearby", "around", "close to", "not far from", "next to")
    near = near or "outside" in prep.lower() or prep.lower() == "in and around"
    return _NEAR_KM if near or match["trip"] else _IN_KM


def _country(name: str) -> PlaceFilter:
    return PlaceFilter(name, (), 0.0, _tables()[3][name.lower()])


def _filter_for(name: str, gazetteer: Gazetteer, radius: float) -> PlaceFilter | None:
    if name.lower() in _tables()[3]:
        return _country(name)
    hits = gazetteer.find(name)
    if not hits and name.lower().endswith(" city"):
        hits = gazetteer.find(name[:-5])
    if hits:
        return _named(name, hits, radius)
    for word in _tables()[2]:
        rest = name[len(word) + 1 :].strip()
        if name.lower().startswith(f"{word} ") and len(rest) > 2 and (hits := gazetteer.find(rest)):
            return _named(name, hits, _NEAR_KM)
    return None


def _named(name: str, hits: tuple[PlaceName, ...], radius: float) -> PlaceFilter:
    """The filter for the likeliest of the places: a town, or a whole region or country."""
    likeliest = hits[0]
    if likeliest.own:
        points = tuple(hit.point for hit in hits)[:_MOST_POINTS]
        return PlaceFilter(name, points, max(hit.distance_km for hit in hits))
    if likeliest.name:
        return PlaceFilter(name, _points(hits), radius)
    if likeliest.region:
        return PlaceFilter(name, (), 0.0, regions=((likeliest.region, likeliest.country),))
    return PlaceFilter(name, (), 0.0, likeliest.country)


def _points(hits: tuple[PlaceName, ...]) -> tuple[GeoPoint, ...]:
    near = [hit.point for hit in hits if hit.name and hit.country == hits[0].country]
    return tuple(dict.fromkeys(near))[:_MOST_POINTS]


def _with_country(
    text: str, end: int, found: PlaceFilter, gazetteer: Gazetteer
) -> tuple[int, PlaceFilter]:
    """Read "Paris, Texas" and "Vienna, Austria": the second name chooses among the first ones."""
    after = re.match(r",? (?P<name>[A-Z][\w' ]*?)(?=$|[,.;!?]| [a-z])", text[end:])
    if after is None or not (found.points or found.regions):
        return end, found
    name = after["name"].lower()
    code = _tables()[3].get(name, "")
    if any(code == country for _, country in found.regions):
        return end + after.end(), found
    fitting = [
        hit.point
        for hit in gazetteer.find(found.text)
        if (code and hit.country == code) or hit.region.lower() == name
    ]
    if not fitting:
        return end, found
    return end + after.end(), replace(found, points=tuple(fitting)[:_MOST_POINTS])


def _both(one: PlaceFilter | None, other: PlaceFilter) -> PlaceFilter:
    if one is None:
        return other
    return PlaceFilter(
        text=f"{one.text} or {other.text}",
        points=(*one.points, *other.points),
        radius_km=max(one.radius_km, other.radius_km),
        country=one.country or other.country,
        regions=(*one.regions, *other.regions),
    )


def _unknown(text: str, match: re.Match[str], capitals: bool) -> list[str]:
    """A capitalised name after a word of place that the gazetteer doesn't know."""
    if not capitals or match["prep"] in ("of", "to", "across", "on"):
        return []
    names = [
        name
        for name, _ in _candidates(text, match.end())
        if all(w[0].isupper() for w in name.split())
        and (" " in name or not is_everyday(name.lower()))
    ]
    return names[:1]
