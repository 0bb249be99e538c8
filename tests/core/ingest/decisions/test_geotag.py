"""Positions from GPS tracks: where the receiver was when a photo was taken."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import ContentHash, PhotoId
from core.domain.place import GeoPoint
from core.domain.track import Track, TrackPoint
from core.errors import InputError
from core.ingest.decisions import track as track_module
from core.ingest.decisions.geotag import GeotagOptions, instant, match_track, position
from core.ingest.decisions.track import read_track
from core.ingest.sessions.zones import order_key
from core.progress import Progress
from core.store.photos import TimelineEntry

NOON = datetime(2021, 7, 3, 12, tzinfo=UTC)
LOCAL = datetime(2021, 7, 3, 12)


def at(minutes: float, latitude: float = 43.0, longitude: float = 11.0) -> TrackPoint:
    return TrackPoint(NOON + timedelta(minutes=minutes), GeoPoint(latitude, longitude))


def track(*segments: tuple[TrackPoint, ...]) -> Track:
    return Track("walk.gpx", segments)


def entry(
    taken: CaptureTime | None, key: float | None = None, point: GeoPoint | None = None
) -> TimelineEntry:
    known = order_key(taken) if key is None else key
    return TimelineEntry(PhotoId(1), ContentHash("a"), taken, known, point, "", "")


def time(
    local: datetime = LOCAL,
    offset: timedelta | None = None,
    source: ClockSource = ClockSource.ORIGINAL,
    precision: Precision = Precision.SECOND,
    zone: str | None = None,
) -> CaptureTime:
    return CaptureTime(local, offset, source, precision, zone)


def test_between_two_points_the_position_is_between_them() -> None:
    walk = track((at(0), at(10, 44.0, 13.0)))
    found = position(walk, NOON + timedelta(minutes=2.5))
    assert found is not None
    assert found.latitude == pytest.approx(43.25)
    assert found.longitude == pytest.approx(11.5)
    assert position(walk, NOON) == GeoPoint(43.0, 11.0)


def test_across_the_date_line_the_way_is_short() -> None:
    found = position(track((at(0, 0, 179.0), at(4, 0, -179.0))), NOON + timedelta(minutes=3))
    assert found is not None
    assert found.longitude == pytest.approx(-179.5)


@pytest.mark.parametrize(
    ("minutes", "known"),
    [(-1.9, True), (-2.1, False), (1.9, True), (2.1, False), (10, False), (18.5, True)],
)
def test_in_a_gap_and_at_the_ends_only_the_nearest_point_counts(
    minutes: float, known: bool
) -> None:
    walk = track((at(0), at(20, 45.0)))
    found = position(walk, NOON + timedelta(minutes=minutes))
    assert (found is not None) == known
    assert found is None or found.latitude in (43.0, 45.0)


def test_nothing_is_interpolated_between_segments() -> None:
    apart = track((at(0), at(2)), (at(8, 45.0), at(10, 45.0)))
    assert position(apart, NOON + timedelta(minutes=5)) is None
    together = track((at(0), at(2), at(8, 45.0), at(10, 45.0)))
    assert position(together, NOON + timedelta(minutes=5)) is not None


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.floats(-89, 89), st.floats(-179, 179)),
        min_size=1,
        max_size=8,
    ),
    st.floats(-10, 70),
)
def test_a_position_is_never_far_in_time_from_what_was_recorded(
    points: list[tuple[int, float, float]], minutes: float
) -> None:
    segment = tuple(sorted((at(*point) for point in points), key=lambda p: p.at))
    when = NOON + timedelta(minutes=minutes)
    found = position(track(segment), when)
    nearest = min(abs(p.at - when) for p in segment)
    before = [p for p in segment if p.at <= when]
    after = [p for p in segment if p.at >= when]
    inside = bool(before and after) and after[0].at - before[-1].at <= timedelta(minutes=10)
    assert (found is not None) == (inside or nearest <= timedelta(minutes=2))
    if found is not None and inside:
        low, high = sorted((before[-1].point.latitude, after[0].point.latitude))
        same = [p.point.latitude for p in segment if p.at in (before[-1].at, after[0].at)]
        low, high = min([low, *same]), max([high, *same])
        assert low - 1e-9 <= found.latitude <= high + 1e-9


def test_the_instant_is_told_by_offset_zone_or_the_one_given() -> None:
    two = timedelta(hours=2)
    assert instant(entry(time(offset=two)), None) == NOON - two
    assert instant(entry(time(offset=two)), timedelta(hours=9)) == NOON - two
    assert instant(entry(time(zone="Europe/Rome")), None) == NOON - two
    assert instant(entry(time()), two) == NOON - two
    # neighbours or home have told its order
    assert instant(entry(time(), NOON.timestamp() - 7200), None) == NOON - two


def test_what_has_no_instant_gets_none() -> None:
    assert instant(entry(None), None) is None
    assert instant(entry(time()), None) is None
    assert instant(entry(time(precision=Precision.DAY)), timedelta(0)) is None
    written = time(offset=timedelta(0), source=ClockSource.FILE_TIME)
    assert instant(entry(written), None) is None


def test_each_photo_is_counted_once_with_its_reason() -> None:
    zero = timedelta(0)
    entries = [
        entry(time(offset=zero)),
        entry(time(offset=timedelta(hours=5))),
        entry(None),
        entry(time(offset=zero), point=GeoPoint(1, 1)),
    ]
    walk = track((at(0), at(1)))
    match = match_track(walk, entries, GeotagOptions(), Progress())
    assert (match.placed, match.away, match.undated, match.placed_already) == (1, 1, 1, 1)
    assert match.value is not None
    assert match.value.track == "walk.gpx"
    again = match_track(walk, entries, GeotagOptions(replace=True), Progress())
    assert (again.placed, again.placed_already) == (2, 0)
    ahead = GeotagOptions(clock_error=timedelta(hours=-5))
    assert match_track(walk, entries, ahead, Progress()).placed == 1
    nothing = match_track(walk, [entry(None)], GeotagOptions(), Progress())
    assert nothing.value is None


GPX = """<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}
</trkseg></trk></gpx>"""
POINT = '<trkpt lat="{}" lon="{}"><ele>12.5</ele><time>{}</time></trkpt>'


@pytest.fixture
def gpx(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "walk.gpx"
        path.write_text(text)
        return path

    return write


def test_a_gpx_file_is_read(gpx: Callable[[str], Path]) -> None:
    points = (
        POINT.format(43.5, 11.5, "2021-07-03T12:01:00Z"),
        POINT.format(43.4, 11.4, "2021-07-03T14:00:00+02:00"),
        POINT.format(97.0, 11.4, "2021-07-03T12:02:00Z"),
        '<trkpt lat="43" lon="11"></trkpt>',
    )
    read = read_track(gpx(GPX.format("".join(points))))
    assert read.name == "walk.gpx"
    assert read.segments == (
        (
            TrackPoint(NOON, GeoPoint(43.4, 11.4, 12.5)),
            TrackPoint(NOON + timedelta(minutes=1), GeoPoint(43.5, 11.5, 12.5)),
        ),
    )


BOMB = """<!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<gpx><trk><name>&b;</name></trk></gpx>"""
LEAK = '<!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/passwd">]><gpx><name>&a;</name></gpx>'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not xml at all",
        "<gpx",
        "<html></html>",
        "<gpx></gpx>",
        GPX.format('<trkpt lat="43" lon="11"></trkpt>'),
        GPX.format(POINT.format("north", "east", "2021-07-03T12:01:00Z")),
        GPX.format(POINT.format(1, 2, "yesterday")),
        GPX.format('<trkpt lon="11"><time>2021-07-03T12:01:00Z</time></trkpt>'),
        BOMB,
        LEAK,
        "<gpx>" + "<a>" * 20_000 + "</a>" * 20_000 + "</gpx>",
        GPX.format("<extensions>" + "<a>" * 3_000 + "</a>" * 3_000 + "</extensions>"),
    ],
    ids=range(13),
)
def test_junk_is_told_as_such(gpx: Callable[[str], Path], text: str) -> None:
    with pytest.raises(InputError) as told:
        read_track(gpx(text))
    assert told.value.advice
    assert "walk.gpx" in told.value.message


def test_what_is_no_file_of_text_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_track(tmp_path / "nowhere.gpx")
    with pytest.raises(InputError, match="cannot be read"):
        read_track(tmp_path)
    binary = tmp_path / "walk.gpx"
    binary.write_bytes(b"\xff\xfe\x00 junk \xff")
    with pytest.raises(InputError, match="UTF-8"):
        read_track(binary)
    monkeypatch.setattr(track_module, "MAX_BYTES", 3)
    with pytest.raises(InputError, match="larger"):
        read_track(binary)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.gpx"
    path.write_text(GPX.format(text), encoding="utf-8", errors="replace")
    with pytest.raises(InputError):
        read_track(path)
