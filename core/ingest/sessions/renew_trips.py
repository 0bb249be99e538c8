"""Makes the trips again where sessions or homes have changed, and leaves all others alone."""

from collections.abc import Iterable

from core.ingest.sessions.home import Homes
from core.ingest.sessions.stretches import Stretch, merged
from core.ingest.sessions.trips import find_trips, is_at_home
from core.progress import Progress
from core.settings import SessionSettings
from core.store.library import Library
from core.store.stale import Changed

_MOST_STRETCHES = 200


def renew_trips(
    library: Library,
    changed: Iterable[Stretch],
    homes: Homes,
    settings: SessionSettings,
    progress: Progress,
) -> None:
    """Make trips again around the stretches in which sessions changed, and where home did."""
    homes_changed = (m for m in library.stale.taken() if m.what is Changed.HOME)
    stale = [*changed, *(Stretch(mark.first, mark.last) for mark in homes_changed)]
    windows = [_window(library, s, homes, settings) for s in merged(stale, _MOST_STRETCHES)]
    for window in progress.track("trips", merged(windows)):
        with library.database.write():
            spans = library.sessions.spans(window.first, window.last)
            before = next(library.sessions.spans_from(window.first, later=False), None)
            found = find_trips(spans, homes, settings, before)
            library.sessions.renew_trips(found, window.first, window.last)


def _window(library: Library, stretch: Stretch, homes: Homes, settings: SessionSettings) -> Stretch:
    """Widened to where nobody can be on a trip: what is not known to be at home is silent for
    longer than the gap. It holds the session after the stretch, which may begin a trip that says
    how long ago the one before was."""
    gap_s = settings.trip_gap_hours * 3600
    first, last = stretch.first, stretch.last
    longest = library.sessions.longest()
    for span in library.sessions.spans_from(first, later=False):
        if span.start < first - gap_s - longest:
            break
        if span.end >= first - gap_s and not is_at_home(span, homes, settings):
            first = span.start
    occupied, is_next = library.sessions.last_end(first, last, otherwise=last), True
    for span in library.sessions.spans_from(last, later=True):
        if span.start > occupied + gap_s and not is_next:
            break
        last = max(last, span.start)
        if is_next or not is_at_home(span, homes, settings):
            occupied = max(occupied, span.end)
        is_next = False
    return Stretch(first, last)
