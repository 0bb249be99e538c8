"""The capture time by its priority."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.moment import ClockSource, Precision
from core.ingest.metadata.clock import ClockTags, read_clock
from core.ingest.metadata.clock_text import name_date, parse_offset, parse_time
from core.ingest.metadata.gps import GpsTags

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
        (ClockTags(iptc="20180101 101500+0100", gps=GPS), "IPTC"),
        (ClockTags(xmp="2018-01-01T10:00:00+01:00", iptc="20180101 101500"), "XMP"),
        (ClockTags(changed="2020:05:05 10:00:00"), "file name"),
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


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2019:07:14 12:30:15", "2019-07-14T12:30:15"),
        ("2019-07-14T12:30:15", "2019-07-14T12:30:15"),
        ("2019/07/14 12:30:15", "2019-07-14T12:30:15"),
        ("2019.07.14 12.30.15", "2019-07-14T12:30:15"),
        ("2019: 7:14  9: 5: 3", "2019-07-14T09:05:03"),
        ("2019:07:14 12:30:60", "2019-07-14T12:30:59"),
        ("2019:07:14 12:30", "2019-07-14T12:30:00"),
        ("2019:07:14 01:30:15 PM", "2019-07-14T13:30:15"),
        ("2019:07:14 12:30:15 am", "2019-07-14T00:30:15"),
        ("2019:07:14 12:30:15.25", "2019-07-14T12:30:15.250000"),
        ("2019-07-14T12:30:15.1234567891234+02:00", "2019-07-14T12:30:15.123456+02:00"),
        ("2019-07-14T12:30:15Z", "2019-07-14T12:30:15+00:00"),
        ("20190714T123015-0330", "2019-07-14T12:30:15-03:30"),
        ("2019-07-14", "2019-07-14"),
        ("20190714", "2019-07-14"),
        ("2019-07", None),
        ("2019", None),
        ("2019:07:14 ab:cd:ef", "2019-07-14"),
        ("٢٠١٩:07:14 12:30:15", None),
        ("2019:00:00 00:00:00", None),
    ],
)
def test_dates_as_they_are_written(text: str, iso: str | None) -> None:
    found = parse_time(text, "", "", ClockSource.XMP)
    assert (found.iso if found else None) == iso


@given(st.integers(-14 * 60, 14 * 60))
def test_every_offset_that_zones_have(minutes: int) -> None:
    sign = "-" if minutes < 0 else "+"
    text = f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    assert parse_offset(text) == timedelta(minutes=minutes)


def test_a_bad_offset_leaves_the_time_naive() -> None:
    for bad in ("+25:00", "+02:75", "2", "    ", "\0\0", "+٠٢:00"):
        tags = ClockTags(original="2019:07:14 12:30:00", original_offset=bad)
        taken = read_clock(tags, "a.jpg", 0, NOW)
        assert taken is not None and taken.offset is None, bad


def test_the_date_of_the_last_change_comes_before_the_files_own() -> None:
    tags = ClockTags(changed="2019:07:14 12:30:00", changed_subsec="5", changed_offset="+02:00")
    taken = read_clock(tags, "a.jpg", MODIFIED, NOW)
    assert taken is not None and taken.iso == "2019-07-14T12:30:00.500000+02:00"
    assert taken.source is ClockSource.CHANGED
    named = read_clock(tags, "IMG-20190714-WA0001.jpg", MODIFIED, NOW)
    assert named is not None and named.source is ClockSource.CHANGED
    other = read_clock(tags, "IMG-20190101-WA0001.jpg", MODIFIED, NOW)
    assert other is not None and other.source is ClockSource.FILE_NAME


@pytest.mark.parametrize("text", ["1980:01:01 00:00:00", "1899:12:30 00:00:00"])
def test_where_clocks_begin_is_no_date(text: str) -> None:
    assert read_clock(ClockTags(original=text), "a.jpg", 0, NOW) is None


@pytest.mark.parametrize("offset", ["-14:00", "+14:00", "Z", ""])
@pytest.mark.parametrize("text", ["9999:12:31 23:59:59", "0001:01:01 00:00:00"])
def test_the_ends_of_all_time_are_no_dates(text: str, offset: str) -> None:
    tags = ClockTags(original=text, original_offset=offset, xmp=text + offset)
    assert read_clock(tags, "a.jpg", 0, NOW) is None


def test_an_unset_clock_gives_way_to_the_next() -> None:
    tags = ClockTags(original="1970:01:01 08:00:00", digitized="2019:07:14 12:30:00")
    taken = read_clock(tags, "a.jpg", 0, NOW)
    assert taken is not None and taken.source is ClockSource.DIGITIZED


def rolled(weeks: int) -> GpsTags:
    day = datetime(2019, 7, 14) - timedelta(weeks=weeks)
    return GpsTags(date=f"{day:%Y:%m:%d}", time=(10.0, 30.0, 5.0))


@pytest.mark.parametrize("weeks", [0, 1024, 2048])
def test_a_receiver_whose_weeks_ran_over(weeks: int) -> None:
    named = read_clock(ClockTags(gps=rolled(weeks)), "IMG-20190714-WA0001.jpg", 0, NOW)
    assert named is not None and named.iso == "2019-07-14T10:30:05+00:00"
    tags = ClockTags(original="2019:07:14 12:30:00", gps=rolled(weeks))
    taken = read_clock(tags, "a.jpg", 0, NOW)
    assert taken is not None and taken.offset == timedelta(hours=2)


def test_an_old_gps_time_without_a_witness_stays() -> None:
    taken = read_clock(ClockTags(gps=rolled(1024)), "IMG-20100714-WA0001.jpg", 0, NOW)
    assert taken is not None and taken.local.year == 1999


@pytest.mark.parametrize(
    "name",
    [
        "Screenshot_2020-01-02-12-30-15.png",
        "Screenshot_20200102-123015_Maps.jpg",
        "IMG_20200102_123456.jpg",
        "IMG_20200102_123456_HDR.jpg",
        "IMG_20200102_123456789_BURST001.jpg",
        "photo_2020-01-02_12-30-15.jpg",
        "2020-01-02 12.30.15.jpg",
        "2020-01-02 12.30.15-1.jpg",
        "Bildschirmfoto 2020-01-02 um 12.30.15.png",
        "Capture d’écran 2020-01-02 à 12.30.15.png",
        "VID-20200102-WA0003.mp4",
        "WIN_20200102_12_30_15_Pro.jpg",
        "20200102_123456(0).jpg",
        "signal-2020-01-02-12-30-15-123.jpg",
        "UTC-20200102-203630-London.jpg",
    ],
)
def test_names_by_every_program_tell_the_day(name: str) -> None:
    found = name_date(name)
    assert found is not None and found.iso == "2020-01-02"
    assert found.precision is Precision.DAY


@pytest.mark.parametrize(
    "name",
    [
        "3b20200102a8c9d04f1e2b3c4d5e6f7a8b.jpg",
        "20200102-1a2b-4c3d-8e9f-0123456789ab.jpg",
        "٢٠٢٠٠١٠٢.jpg",
        "IMG_2020.jpg",
    ],
)
def test_digits_of_machines_are_no_dates(name: str) -> None:
    assert name_date(name) is None


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
        changed=other,
        xmp=other,
        iptc=other,
        gps=GpsTags(date=gps_date, time=gps_parts),
    )
    taken = read_clock(tags, name, modified, NOW)
    assert taken is None or taken.local < datetime(2026, 6, 3)
