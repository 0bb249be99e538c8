"""The capture time by its priority."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.moment import ClockSource, Precision
from core.ingest.clock import ClockTags, read_clock
from core.ingest.clock_text import name_date, parse_offset
from core.ingest.gps import GpsTags

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MODIFIED = 1_577_970_000_000_000_000  # 2020-01-02 13:00 UTC
GPS = GpsTags(date="2019:07:14", time=(10.0, 30.0, 5.0))


def test_original_comes_first_with_its_own_fraction_and_offset() -> None:
    tags = ClockTags(
        original="2019:07:14 12:30:00",
        original_subsec="25",
        original_offset="+02:00",
        digitized="2019:07:15 12:30:00",
        digitized_offset="+05:00",
    )
    taken = read_clock(tags, "IMG-20200102-WA0001.jpg", MODIFIED, NOW)
    assert taken is not None
    assert taken.source is ClockSource.ORIGINAL
    assert taken.iso == "2019-07-14T12:30:00.250000+02:00"


def test_each_offset_belongs_to_its_own_time() -> None:
    tags = ClockTags(original="2019:07:14 12:30:00", digitized_offset="+05:00")
    taken = read_clock(tags, "a.jpg", MODIFIED, NOW)
    assert taken is not None and taken.offset is None
    tags = ClockTags(digitized="2019:07:14 12:30:00", original_offset="+05:00")
    taken = read_clock(tags, "a.jpg", MODIFIED, NOW)
    assert taken is not None and taken.offset is None and taken.source is ClockSource.DIGITIZED


@pytest.mark.parametrize(
    ("tags", "source"),
    [
        (
            ClockTags(digitized="2019:07:14 12:30:00", xmp="2018-01-01T00:00:00"),
            "DateTimeDigitized",
        ),
        (ClockTags(xmp="2018-01-01T10:00:00+01:00", gps=GPS), "XMP"),
        (ClockTags(gps=GPS), "GPS time"),
        (ClockTags(), "file name"),
    ],
)
def test_the_order_of_sources(tags: ClockTags, source: str) -> None:
    taken = read_clock(tags, "IMG-20190102-WA0001.jpg", MODIFIED, NOW)
    assert taken is not None and taken.source == source


def test_a_day_never_beats_a_second_of_the_same_day() -> None:
    same_day = datetime(2020, 1, 2, 13, tzinfo=UTC).timestamp() * 1e9
    taken = read_clock(ClockTags(), "IMG-20200102-WA0001.jpg", int(same_day), NOW)
    assert taken is not None and taken.source is ClockSource.FILE_TIME
    other_day = read_clock(ClockTags(), "IMG-20190102-WA0001.jpg", int(same_day), NOW)
    assert other_day is not None and other_day.precision is Precision.DAY
    assert other_day.iso == "2019-01-02"


@pytest.mark.parametrize(
    "text",
    [
        "0000:00:00 00:00:00",
        "1904:01:01 00:00:00",
        "1970:01:01 00:00:00",
        "2031:01:01 00:00:00",
        "2019:02:30 10:00:00",
        "2019:07:14 25:00:00",
        "    :  :     :  :  ",
        "",
        "yesterday",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert read_clock(ClockTags(original=text), "a.jpg", 0, NOW) is None


def test_old_scans_keep_their_date() -> None:
    taken = read_clock(ClockTags(original="1931:05:06 12:00:00\0"), "a.jpg", 0, NOW)
    assert taken is not None and taken.local == datetime(1931, 5, 6, 12)


def test_offset_from_gps_time_of_the_same_photo() -> None:
    taken = read_clock(ClockTags(original="2019:07:14 16:15:20", gps=GPS), "a.jpg", 0, NOW)
    assert taken is not None and taken.offset == timedelta(hours=5, minutes=45)
    stale = read_clock(ClockTags(original="2019:07:14 16:22:00", gps=GPS), "a.jpg", 0, NOW)
    assert stale is not None and stale.offset is None
    far = read_clock(ClockTags(original="2019:07:16 16:15:05", gps=GPS), "a.jpg", 0, NOW)
    assert far is not None and far.offset is None


def test_gps_time_needs_a_valid_fix() -> None:
    void = GpsTags(date="2019:07:14", time=(10.0, 30.0, 5.0), status="V")
    assert read_clock(ClockTags(gps=void), "a.jpg", 0, NOW) is None
    ancient = GpsTags(date="1899:12:30", time=(1.0, 0.0, 0.0))
    assert read_clock(ClockTags(gps=ancient), "a.jpg", 0, NOW) is None


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("IMG-20200102-WA0001.jpg", "2020-01-02"),
        ("PXL_20200102_134501123.jpg", "2020-01-02"),
        ("20200102134501.jpg", "2020-01-02"),
        ("WhatsApp Image 2020-01-02 at 13.45.01.jpeg", "2020-01-02"),
        ("Screenshot_2020_01_02.png", "2020-01-02"),
        ("signal-2020-01-02-134501.jpg", "2020-01-02"),
        ("DSC_4711.jpg", None),
        ("12020010299.jpg", None),
        ("20201302.jpg", None),
        ("2020-02-31.jpg", None),
        ("2020-0102.jpg", None),
    ],
)
def test_dates_in_file_names(name: str, day: str | None) -> None:
    found = name_date(name)
    assert (found.iso if found else None) == day


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("+05:45", 345), ("-03:00", -180), ("Z", 0), ("+14:00", 840), ("+15:00", None), ("5", None)],
)
def test_offsets(text: str, minutes: int | None) -> None:
    found = parse_offset(text)
    assert found == (None if minutes is None else timedelta(minutes=minutes))


TEXT = st.one_of(
    st.text(max_size=40),
    st.from_regex(
        r"\d{4}:\d{2}:\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,12})?([+-]\d\d:\d\d)?", fullmatch=True
    ),
)
PARTS = st.lists(st.one_of(st.none(), st.floats()), max_size=4)


@given(st.lists(TEXT, min_size=6, max_size=6), PARTS, st.integers(-(10**20), 10**20))
def test_any_tags_give_a_date_of_the_past_or_none(
    texts: list[str], gps_parts: list[float | None], modified: int
) -> None:
    original, subsec, offset, other, gps_date, name = texts
    tags = ClockTags(
        original=original,
        original_subsec=subsec,
        original_offset=offset,
        digitized=other,
        xmp=other,
        gps=GpsTags(date=gps_date, time=gps_parts),
    )
    taken = read_clock(tags, name, modified, NOW)
    assert taken is None or taken.local < datetime(2026, 6, 3)
