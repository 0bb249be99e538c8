"""Order, homes, sessions and trips of a library, made again where its photos have changed.

What changes photos notes it in the same transaction (see `core.store.stale`), so that a run which
is cancelled or killed at any moment leaves what is to do to the next one.
"""

from contextlib import nullcontext
from datetime import date, timedelta

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.decision import DecisionValue, HomeSet, SessionsJoined, SessionStart
from core.ingest.sessions.by_hand import photos_named
from core.ingest.sessions.home import Homes
from core.ingest.sessions.renew_homes import renew_homes
from core.ingest.sessions.renew_order import renew_order
from core.ingest.sessions.renew_sessions import renew_sessions
from core.ingest.sessions.renew_trips import renew_trips
from core.progress import Progress
from core.settings import SessionSettings
from core.store.library import Library
from core.store.stale import FOREVER, Changed

_MADE_WITH = "sessions_made_with"
_MARGIN = timedelta(days=2)
_EPOCH = date(1970, 1, 1)


def everything_is_stale(library: Library) -> None:
    """Say that all sessions must be made again; joins the open transaction."""
    library.stale.mark(Changed.PHOTOS, -FOREVER, FOREVER)


def decision_changes_sessions(library: Library, value: DecisionValue) -> None:
    """Say what must be made again after a decision was made or taken back; joins the open
    transaction. Decisions that change photos need no word: the photos tell."""
    match value:
        case SessionStart() | SessionsJoined():
            for key in library.entries.keys_of(photos_named(value)).values():
                library.stale.mark(Changed.PHOTOS, key, key)
        case HomeSet(_, first, last):
            since = -FOREVER if first is None else (first - _EPOCH - _MARGIN).total_seconds()
            until = FOREVER if last is None else (last - _EPOCH + _MARGIN).total_seconds()
            library.stale.mark(Changed.HOME, since, until)
            library.stale.mark(Changed.ZONE, since, until)


def sessions_are_fresh(library: Library, settings: SessionSettings) -> bool:
    """Whether order, sessions and trips are those of today's photos, decisions and settings."""
    made_with = library.facts.get(_MADE_WITH)
    return made_with == settings.model_dump_json() and library.stale.is_empty()


def refresh_sessions(
    library: Library, settings: SessionSettings, zones: ZoneFinder, progress: Progress
) -> bool:
    """Make order, sessions and trips again where they are not fresh; whether so.

    Little is done in one transaction, much bit by bit. Raises Cancelled, which keeps what was
    made so far and leaves the rest to the next time.
    """
    if sessions_are_fresh(library, settings):
        return False
    made_with, wanted = library.facts.get(_MADE_WITH), settings.model_dump_json()
    if made_with and made_with != wanted:
        everything_is_stale(library)
    with library.database.write() if library.stale.is_short() else nullcontext():
        library.stale.take()
        _renew(library, settings, zones, progress)
        with library.database.write():
            library.stale.forget_taken()
            library.facts.put(_MADE_WITH, wanted)
    return True


def refresh_if_short(library: Library, settings: SessionSettings, zones: ZoneFinder) -> None:
    """The same after a run that was stopped, where it takes no time to speak of; what takes
    longer is left to whoever asks for sessions next."""
    made_as_now = library.facts.get(_MADE_WITH) in ("", settings.model_dump_json())
    if made_as_now and library.stale.is_short():
        refresh_sessions(library, settings, zones, Progress())


def _renew(
    library: Library, settings: SessionSettings, zones: ZoneFinder, progress: Progress
) -> None:
    renew_homes(library, zones, progress)
    homes = Homes.of(library.homes.found(), library.decisions.of(HomeSet))
    renew_order(library, homes, zones, progress)
    changed = renew_sessions(library, settings, progress)
    renew_trips(library, changed, homes, settings, progress)
