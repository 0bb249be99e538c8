"""One order between naive and absolute times."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.moment import CaptureTime, ClockSource, Precision
from core.domain.photo import ContentHash, PhotoId
from core.domain.place import GeoPoint
from core.ingest.sessions.zones import corrected_order_keys, order_key, with_zone
from core.store.photos import TimelineEntry

NOON = datetime(2024, 7, 1, 12)
NAIVE = CaptureTime(NOON, None, ClockSource.ORIGINAL, Precision.SECOND)
NOON_UTC = datetime(2024, 7, 1, 12, tzinfo=UTC).timestamp()


def entry(
    number: int, hours: float, offset: int | None = None, zone: str | None = None, who: str = "Ada"
) -> TimelineEntry:
    taken = CaptureTime(
        NOON + timedelta(hours=hours),
        None if offset is None else timedelta(hours=offset),
        ClockSource.ORIGINAL,
        Precision.SECOND,
        zone,
    )
    content_hash = ContentHash(f"{number:064x}")
    return TimelineEntry(PhotoId(number), content_hash, taken, order_key(taken), None, who, "")


def test_zones_of_places() -> None:
    zones = ZoneFinder()
    assert zones.zone(GeoPoint(43.463, 11.88)) == "Europe/Rome"
    assert zones.zone(GeoPoint(27.7, 85.3)) == "Asia/Kathmandu"


def test_a_zone_orders_but_is_no_offset_of_the_photo() -> None:
    placed = with_zone(NAIVE, "Asia/Kathmandu")
    assert placed is not None and placed.offset is None and placed.zone == "Asia/Kathmandu"
    assert order_key(placed) == NOON_UTC - 5.75 * 3600
    assert with_zone(NAIVE, "Nowhere/Atlantis") == NAIVE


def test_gps_time_becomes_local() -> None:
    gps = CaptureTime(NOON, timedelta(0), ClockSource.GPS, Precision.SECOND)
    placed = with_zone(gps, "Asia/Kathmandu")
    assert placed is not None and placed.iso == "2024-07-01T17:45:00+05:45"
    assert order_key(placed) == NOON_UTC


def test_a_day_counts_as_its_noon() -> None:
    day = CaptureTime(datetime(2024, 7, 1), None, ClockSource.FILE_NAME, Precision.DAY)
    assert order_key(day) == NOON_UTC


def test_naive_times_follow_the_same_device_then_home() -> None:
    entries = [
        entry(1, 0, offset=9),
        entry(2, 1),
        entry(3, 40, zone="Asia/Kathmandu"),
        entry(4, 39),
        entry(5, 24 * 30),
        entry(6, 1, who="Bea"),
    ]
    keys = corrected_order_keys(entries, entries, lambda _: ZoneInfo("Europe/Vienna"))
    assert keys == {
        2: NOON_UTC + 3600 - 9 * 3600,
        4: NOON_UTC + 39 * 3600 - 5.75 * 3600,
        5: NOON_UTC + 30 * 24 * 3600 - 2 * 3600,
        6: NOON_UTC + 3600 - 2 * 3600,
    }
    assert corrected_order_keys(entries[5:], entries, lambda _: None) == {}
