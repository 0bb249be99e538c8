"""One named stretch of time: "July 2021", "last summer", "3 May 2020", "two weeks ago".

Seasons are the northern ones. "Winter 2019" may mean the one that began or the one that ended in
2019: both are in it, so that no right photo is lost. A day without a year is its latest return.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)} | {"sept": 9}
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"a": 1, "an": 1, "few": 3, "a few": 3, "couple": 2, "a couple of": 2, "couple of": 2}
_FIXED = {
    "christmas eve": ((12, 24), (12, 25)),
    "christmas": ((12, 23), (12, 27)),
    "xmas": ((12, 23), (12, 27)),
    "new year's eve": ((12, 31), (12, 31)),
    "new years eve": ((12, 31), (12, 31)),
    "silvester": ((12, 31), (12, 31)),
    "halloween": ((10, 30), (11, 1)),
    "valentine's day": ((2, 14), (2, 14)),
    "valentines day": ((2, 14), (2, 14)),
}
_MONTH = "|".join([*MONTHS, *(s + r"\.?" for s in _SHORT if s != "may")])
_YEAR = r"(?:18[3-9]\d|19\d\d|20\d\d)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_HOLIDAY = "|".join([*_FIXED, "easter"]).replace(" ", r"\s")
_COUNT = rf"\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=lambda w: -len(w)))}".replace(" ", r"\s")
_SEASON = "|".join(SEASONS)
_LAST = r"(?:the )?(?:last|previous|past)"
PERIOD = rf"""(?:
    {_YEAR}-\d\d?-\d\d? | \d\d?\.\s?\d\d?\.\s?{_YEAR} | \d\d?/\d\d?/{_YEAR} | {_YEAR}-\d\d(?!\d)
  | (?:the\s)?{_DAY}\s(?:of\s)?(?:{_MONTH}),?(?:\s(?:of\s)?{_YEAR})?
  | (?:{_MONTH})\s{_DAY},?(?:\s{_YEAR})?(?!\d)
  | (?:{_MONTH}),?\s(?:of\s)?{_YEAR} | (?:the\s)?(?:{_SEASON})\s(?:of\s)?{_YEAR}
  | (?:{_HOLIDAY})\s(?:of\s|in\s)?{_YEAR}
  | (?:{_LAST}|this|this\spast)\s(?:{_SEASON}|{"|".join(MONTHS)}|{_HOLIDAY}
      |{"|".join(DAYS)}|weekend|week|month|year|night|morning|evening|afternoon)
  | the\sday\sbefore\syesterday | yesterday | today | tonight
  | (?:{_COUNT})\s(?:day|week|month|year)s?\sago
  | {_LAST}\s(?:{_COUNT})\s(?:day|week|month|year)s
  | (?:the\s)?(?:early\s|late\s|mid\s|mid-)?(?:(?:19|20)\d0'?s|[2-9]0'?s)
)"""


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `earliest` to `latest`, both within, and the months that count among them."""

    earliest: date | None = None
    latest: date | None = None
    months: frozenset[int] = frozenset()


def read_period(words: str, today: date) -> Span | None:
    """The days that a period names; None where it names none (31 June)."""
    text = re.sub(r"[\s,]+", " ", words.lower().strip()).removeprefix("the ")
    for read in (_numeric, _named_day, _month, _season, _holiday, _relative, _ago, _years):
        span = read(text, today)
        if span:
            return span
    return None


def _make(year: int, month: int, day: int) -> date | None:
    if not (1 <= year <= 9998 and 1 <= month <= 12):
        return None
    return date(year, month, day) if 1 <= day <= monthrange(year, month)[1] else None


def _one_day(day: date | None) -> Span | None:
    return Span(day, day) if day else None


def _whole_month(year: int, month: int) -> Span:
    return Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _month_number(name: str) -> int:
    word = name.strip(". ")
    return MONTHS.index(word) + 1 if word in MONTHS else _SHORT.get(word, 0)


def _numeric(text: str, today: date) -> Span | None:
    if m := re.fullmatch(rf"({_YEAR})-(\d\d?)-(\d\d?)", text):
        return _one_day(_make(int(m[1]), int(m[2]), int(m[3])))
    if m := re.fullmatch(rf"(\d\d?)[./] ?(\d\d?)[./] ?({_YEAR})", text):
        first, second, year = int(m[1]), int(m[2]), int(m[3])
        return _one_day(_make(year, second, first) or _make(year, first, second))
    if (m := re.fullmatch(rf"({_YEAR})-(\d\d)", text)) and 1 <= int(m[2]) <= 12:
        return _whole_month(int(m[1]), int(m[2]))
    return None


def _named_day(text: str, today: date) -> Span | None:
    m = re.fullmatch(rf"({_DAY}) (?:of )?({_MONTH})(?: (?:of )?({_YEAR}))?", text)
    if m:
        day, month, year = m[1], m[2], m[3]
    else:
        m = re.fullmatch(rf"({_MONTH}) ({_DAY})(?: ({_YEAR}))?", text)
        if not m:
            return None
        day, month, year = m[2], m[1], m[3]
    number = int(re.sub(r"\D", "", day))
    if year:
        return _one_day(_make(int(year), _month_number(month), number))
    returns = (_make(today.year - back, _month_number(month), number) for back in range(9))
    return _one_day(next((d for d in returns if d and d <= today), None))


def _month(text: str, today: date) -> Span | None:
    if m := re.fullmatch(rf"({_MONTH}) (?:of )?({_YEAR})", text):
        return _whole_month(int(m[2]), _month_number(m[1]))
    if text in MONTHS:
        return Span(months=frozenset({MONTHS.index(text) + 1}))
    if m := re.fullmatch(rf"(last|previous|past|this|this past) ({'|'.join(MONTHS)})", text):
        month = MONTHS.index(m[2]) + 1
        back = 0 if m[1] == "this" or month < today.month else 1
        return _whole_month(max(1, today.year - back), month)
    return None


def season_months(season: str) -> frozenset[int]:
    """The months of a season in the northern hemisphere."""
    return frozenset(SEASONS[season])


def _season(text: str, today: date) -> Span | None:
    if m := re.fullmatch(rf"({_SEASON}) (?:of )?({_YEAR})", text):
        year, months = int(m[2]), SEASONS[m[1]]
        if m[1] == "winter":
            last = date(year + 1, 2, monthrange(year + 1, 2)[1])
            return Span(date(year - 1, 12, 1), last, frozenset(months))
        return Span(date(year, months[0], 1), _whole_month(year, months[2]).latest)
    if m := re.fullmatch(rf"(last|previous|past|this|this past) ({_SEASON})", text):
        return _near_season(m[2], m[1] == "this", today)
    return None


def _near_season(season: str, running: bool, today: date) -> Span:
    first = SEASONS[season][0]
    for back in range(3):
        year = max(2, today.year - back)
        start = date(year, first, 1)
        end = date(year + (first == 12), (first + 1) % 12 + 1, 1)
        end = end.replace(day=monthrange(end.year, end.month)[1])
        if end < today or (running and start <= today):
            break
    return Span(start, end)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by Gauss's rule as Butcher wrote it."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    j = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * j) // 451
    month, day = divmod(h + j - 7 * m + 114, 31)
    return date(year, month, day + 1)


def _holiday_of(name: str, year: int) -> Span:
    if name == "easter":
        sunday = _easter(year)
        return Span(sunday - timedelta(days=2), sunday + timedelta(days=1))
    first, last = _FIXED[name]
    return Span(date(year, *first), date(year, *last))


def _holiday(text: str, today: date) -> Span | None:
    if m := re.fullmatch(rf"({_HOLIDAY}) (?:of |in )?({_YEAR})", text):
        return _holiday_of(m[1], int(m[2]))
    if m := re.fullmatch(rf"(last|previous|past|this|this past) ({_HOLIDAY})", text):
        this_year = _holiday_of(m[2], today.year)
        over = this_year.latest is not None and this_year.latest < today
        return this_year if over or m[1] == "this" else _holiday_of(m[2], max(2, today.year - 1))
    return None


def _relative(text: str, today: date) -> Span | None:
    if text in ("today", "tonight", "this morning", "this evening", "this afternoon"):
        return _one_day(today)
    if text == "yesterday" or text in ("last evening", "last afternoon", "last morning"):
        return _one_day(today - timedelta(days=1))
    if text == "last night":
        return Span(today - timedelta(days=1), today)
    if text == "day before yesterday":
        return _one_day(today - timedelta(days=2))
    m = re.fullmatch(r"(last|previous|past|this|this past) (\w+)", text)
    return _calendar(m[2], m[1] == "this", today) if m else None


def _calendar(unit: str, running: bool, today: date) -> Span | None:
    monday = today - timedelta(days=today.weekday())
    if unit in DAYS:
        back = (today.weekday() - DAYS.index(unit)) % 7
        return _one_day(today - timedelta(days=back or (0 if running else 7)))
    if unit == "weekend":
        saturday = monday + timedelta(days=5 if running else -2)
        return Span(saturday, saturday + timedelta(days=1))
    if unit == "week":
        start = monday - timedelta(days=0 if running else 7)
        return Span(start, start + timedelta(days=6))
    if unit == "month":
        last = today if running else today.replace(day=1) - timedelta(days=1)
        return _whole_month(last.year, last.month)
    if unit == "year":
        return _whole_year(today.year - (not running))
    return None


def _whole_year(year: int, last: int | None = None) -> Span | None:
    end = year if last is None else last
    return Span(date(year, 1, 1), date(end, 12, 31)) if 1 <= year <= end <= 9998 else None


def _ago(text: str, today: date) -> Span | None:
    if m := re.fullmatch(rf"({_COUNT}) (day|week|month|year)s? ago", text):
        there = _step_back(today, _number(m[1]), m[2])
        return _around(there, m[2]) if there else None
    if m := re.fullmatch(rf"(?:last|previous|past) ({_COUNT}) (day|week|month|year)s", text):
        start = _step_back(today, _number(m[1]), m[2])
        return Span(start, today) if start else None
    return None


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _step_back(today: date, count: int, unit: str) -> date | None:
    if unit in ("day", "week"):
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    if year < 1:
        return None
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _around(there: date, unit: str) -> Span | None:
    """The calendar unit that holds a day: people count back roughly."""
    if unit == "day":
        return _one_day(there)
    if unit == "week":
        monday = there - timedelta(days=there.weekday())
        return Span(monday, monday + timedelta(days=6))
    return _whole_month(there.year, there.month) if unit == "month" else _whole_year(there.year)


def _years(text: str, today: date) -> Span | None:
    if re.fullmatch(_YEAR, text):
        return _whole_year(int(text))
    m = re.fullmatch(r"(?:early |late |mid |mid-)?(?:(19|20)(\d0)|(\d0))'?s", text)
    if not m:
        return None
    tens = int(m[2] or m[3])
    century = int(m[1]) if m[1] else (20 if tens <= 20 else 19)
    return _whole_year(century * 100 + tens, century * 100 + tens + 9)
