"""When the wanted photos were taken, and the text without these words.

Read are days, months, years, seasons and holidays with a year, spans, weekdays, clock times, and
"taken in the morning". Not read are light and season words alone ("at night", "in winter"): they
say how the photo looks. A stated year, month or "last summer" filters; several must all hold.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial

from core.domain.query import TimeFilter
from core.language.periods import DAYS, MONTHS, PERIOD, SEASONS, Span, read_period, season_months

_I = re.IGNORECASE | re.VERBOSE
_YEAR = r"(?:18[3-9]\d|19\d\d|20\d\d)"
_TAKEN = (
    r"(?:(?:that\s|which\s)?(?:i\s|we\s|was\s|were\s)?"
    r"(?:taken|shot|photographed|captured|made|took)\s)"
)
_LEAD = rf"(?:{_TAKEN}?(?:back\s)?(?:in|on|from|of|during|over|at|around)\s(?:the\s)?)"
_CLEAR = "|".join(m for m in MONTHS if m not in ("march", "april", "may", "june", "august"))
_ANY_MONTH = "|".join(MONTHS)
_POINT = rf"(?:{PERIOD}|{_YEAR}|{_ANY_MONTH})"
_NOT = r"(?:(?:but\s)?(?:not|except|excluding|without|other\sthan)\s(?:for\s|those\s|the\sones\s)?)"
_ENDS = r"(?=\s*(?:$|[,;.!?]|(?:in|on|at|near|with|without|and|but|from|of|by|for|to|no|not)\b))"
_HOURS = {
    "morning": range(5, 12),
    "noon": range(11, 14),
    "midday": range(11, 14),
    "afternoon": range(12, 18),
    "evening": range(17, 23),
    "night": (*range(21, 24), *range(0, 6)),
    "dawn": range(4, 9),
    "sunrise": range(4, 9),
    "dusk": range(16, 23),
    "sunset": range(16, 23),
    "midnight": (23, 0, 1),
}
_EXCEPT = re.compile(
    rf"\b{_NOT}{_LEAD}?(?P<p>{_POINT}|(?:a\s)?(?:{'|'.join(DAYS)}|weekend)s?)\b", _I
)
_BETWEEN = re.compile(
    rf"\b{_LEAD}?(?:(?:between|from)\s(?P<a>{_POINT})\s(?:and|to|until|till|through)\s(?P<b>{_POINT})"
    rf"|(?P<c>{_YEAR})\s?(?:-|to|and|or)\s?(?P<d>{_YEAR}))\b(?!-)",
    _I,
)
_SIDE = re.compile(
    rf"\b{_TAKEN}?(?P<side>before|after|since|until|till|up\sto|by\sthe\send\sof|prior\sto|"
    rf"earlier\sthan|later\sthan|older\sthan|newer\sthan)\s(?P<p>{_POINT})\b",
    _I,
)
_PERIOD = re.compile(rf"(?<![\w-])(?:{_LEAD}|{_TAKEN})?(?P<p>{PERIOD})(?![\w-])", _I)
_LED_YEAR = re.compile(rf"(?<![\w-]){_LEAD}(?:year\s)?(?P<p>{_YEAR})(?![\w-])", _I)
_BARE_YEAR = re.compile(rf"(?<![\w-])(?P<p>{_YEAR})(?![\w-]){_ENDS}", _I)
_LED_MONTH = re.compile(
    rf"\b{_TAKEN}?(?:in|during|of|every|each)\s(?:the\smonth\sof\s)?(?P<p>{_ANY_MONTH})\b"
    rf"(?!\sof\sthe\b)",
    _I,
)
_BARE_MONTH = re.compile(rf"\b(?P<p>{_CLEAR})\b{_ENDS}", _I)
_WEEKDAY = re.compile(
    rf"\b{_TAKEN}?(?:on|at|over|every|each|during)\s(?:(?:a|the|any)\s)?(?P<p>(?:{'|'.join(DAYS)}|weekend)s?)\b"
    rf"|\b(?P<q>(?:{'|'.join(DAYS)}|weekend)s)\b{_ENDS}",
    _I,
)
_TAKEN_AT = re.compile(
    rf"\b{_TAKEN}(?:in|at|during|around|on)\s(?:the\s|an?\s)?(?:early\s|late\s)?"
    rf"(?P<p>{'|'.join([*_HOURS, *SEASONS])})\b",
    _I,
)
_CLOCK = re.compile(
    r"\b(?P<about>at|around|about|towards)\s(?P<h>\d{1,2})(?::(?P<m>[0-5]\d))?\s?"
    r"(?P<half>[ap]\.?m\b\.?|o'clock|h\b)?",
    _I,
)


@dataclass(frozen=True, slots=True)
class FoundTime:
    """The text without its times, the filter that they make, and what couldn't be used."""

    rest: str
    filter: TimeFilter | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """What one wording asks of the time of capture."""

    span: Span = field(default_factory=Span)
    weekdays: frozenset[int] = frozenset()
    hours: frozenset[int] = frozenset()


def find_when(text: str, today: date) -> FoundTime:
    """Take the times out of a text; what they ask must hold together."""
    readers: tuple[tuple[re.Pattern[str], Callable[..., _Piece | None]], ...] = (
        (_EXCEPT, _excepted),
        (_BETWEEN, _between),
        (_SIDE, _beside),
        (_TAKEN_AT, _taken_at),
        (_PERIOD, _simple),
        (_LED_YEAR, _simple),
        (_BARE_YEAR, _simple),
        (_LED_MONTH, _simple),
        (_BARE_MONTH, _simple),
        (_WEEKDAY, _weekday),
        (_CLOCK, _clock),
    )
    found: list[tuple[str, _Piece]] = []
    notes: list[str] = []
    for pattern, read in readers:
        text = _read_all(text, pattern, partial(read, today=today), (found, notes))
    if not found:
        return FoundTime(text, None, tuple(notes))
    joined, clash = _join(found)
    return FoundTime(text, joined, (*notes, *clash))


def _read_all(
    text: str,
    pattern: re.Pattern[str],
    read: Callable[[re.Match[str]], _Piece | None],
    into: tuple[list[tuple[str, _Piece]], list[str]],
) -> str:
    """Cut every match that can be read; an exception that no filter can say is only noted."""
    found, notes = into

    def cut(match: re.Match[str]) -> str:
        piece = read(match)
        if piece is None and pattern is not _EXCEPT:
            return match[0]
        if piece is None:
            notes.append(f"“{match[0].strip()}” could not be used: a time can't be left out.")
        else:
            found.append((match[0].strip(), piece))
        return " "

    return re.sub(r"\s+", " ", pattern.sub(cut, text)).strip()


def _join(found: list[tuple[str, _Piece]]) -> tuple[TimeFilter, tuple[str, ...]]:
    """Intersect the pieces; where nothing would be left the later ones are dropped, and told."""
    whole = TimeFilter(text="")
    names: list[str] = []
    notes: list[str] = []
    for name, piece in found:
        narrowed = _narrow(whole, piece)
        if narrowed is None:
            notes.append(f"“{name}” contradicts another time and was not used.")
        else:
            whole, names = narrowed, [*names, name]
    return _replace_text(whole, ", ".join(names)), tuple(notes)


def _replace_text(when: TimeFilter, text: str) -> TimeFilter:
    return TimeFilter(text, when.earliest, when.latest, when.months, when.weekdays, when.hours)


def _narrow(when: TimeFilter, piece: _Piece) -> TimeFilter | None:
    starts = [d for d in (when.earliest, piece.span.earliest) if d]
    ends = [d for d in (when.latest, piece.span.latest) if d]
    earliest, latest = max(starts, default=None), min(ends, default=None)
    sets = []
    for old, new in (
        (when.months, piece.span.months),
        (when.weekdays, piece.weekdays),
        (when.hours, piece.hours),
    ):
        if old and new and not old & new:
            return None
        sets.append(old & new if old and new else old | new)
    if earliest and latest and earliest > latest:
        return None
    return TimeFilter("", earliest, latest, sets[0], sets[1], sets[2])


def _point(words: str, today: date) -> Span | None:
    return read_period(words, today)


def _simple(match: re.Match[str], today: date) -> _Piece | None:
    span = _point(match["p"], today)
    return _Piece(span) if span else None


def _between(match: re.Match[str], today: date) -> _Piece | None:
    first = _point(match["a"] or match["c"], today)
    last = _point(match["b"] or match["d"], today)
    if first is None or last is None:
        return None
    if first.months and not first.earliest:
        return _between_months(first, last)
    if not (first.earliest and last.latest) or first.earliest > last.latest:
        return None
    return _Piece(Span(first.earliest, last.latest))


def _between_months(first: Span, last: Span) -> _Piece | None:
    """Read "from June to August (2020)": the months between, within the year where one is given."""
    start = min(first.months)
    if last.earliest and last.latest:
        if start > last.latest.month:
            return None
        return _Piece(Span(date(last.latest.year, start, 1), last.latest))
    end = max(last.months, default=start)
    length = (end - start) % 12 + 1
    return _Piece(Span(months=frozenset((start - 1 + k) % 12 + 1 for k in range(length))))


def _beside(match: re.Match[str], today: date) -> _Piece | None:
    span = _point(match["p"], today)
    if span is None or not (span.earliest and span.latest):
        return None
    side, day = match["side"].lower(), timedelta(days=1)
    if side in ("before", "prior to", "earlier than", "older than"):
        return _Piece(Span(latest=span.earliest - day))
    if side in ("after", "later than", "newer than"):
        return _Piece(Span(earliest=span.latest + day))
    if side == "since":
        return _Piece(Span(earliest=span.earliest))
    return _Piece(Span(latest=span.latest))


def _days_named(words: str) -> frozenset[int]:
    name = words.lower().removeprefix("a ").rstrip("s")
    return frozenset({5, 6}) if name == "weekend" else frozenset({DAYS.index(name)})


def _weekday(match: re.Match[str], today: date) -> _Piece | None:
    return _Piece(weekdays=_days_named(match["p"] or match["q"]))


def _excepted(match: re.Match[str], today: date) -> _Piece | None:
    """The other months or weekdays; a single year or day can't be left out by a filter."""
    words = match["p"].lower()
    if words.removeprefix("a ").rstrip("s") in (*DAYS, "weekend"):
        return _Piece(weekdays=frozenset(range(7)) - _days_named(words))
    span = _point(words, today)
    if span and span.months and not span.earliest:
        return _Piece(Span(months=frozenset(range(1, 13)) - span.months))
    return None


def _taken_at(match: re.Match[str], today: date) -> _Piece | None:
    word = match["p"].lower()
    if word in SEASONS:
        after = match.string[match.end() :]
        return (
            None
            if re.match(rf"\s(?:of\s)?{_YEAR}", after)
            else _Piece(Span(months=season_months(word)))
        )
    return _Piece(hours=frozenset(_HOURS[word]))


def _clock(match: re.Match[str], today: date) -> _Piece | None:
    hour, half = int(match["h"]), (match["half"] or "").lower().replace(".", "")
    if not half and match["m"] is None:
        return None
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23:
        return None
    around = (-1, 0, 1) if match["about"].lower() != "at" else (0,)
    return _Piece(hours=frozenset((hour + step) % 24 for step in around))
