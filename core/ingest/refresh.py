"""Order, sessions and trips of a whole library, made again when its photos have changed."""

from core.backends.gazetteer.zone_finder import ZoneFinder
from core.domain.place import GeoPoint
from core.ingest.home import find_homes
from core.ingest.sessionize import sessionize
from core.ingest.trips import find_trips
from core.ingest.zones import corrected_order_keys
from core.settings import SessionSettings
from core.store.library import Library

_MADE_WITH = "sessions_made_with"
HOME = "home"
"""The fact that holds the user's own home, "latitude,longitude"; empty while they gave none."""


def sessions_are_stale(library: Library) -> None:
    """Say, in the transaction that changes photos, that sessions must be made again."""
    library.facts.put(_MADE_WITH, "")


def refresh_sessions(library: Library, settings: SessionSettings, zones: ZoneFinder) -> bool:
    """Make order, sessions and trips again unless they are those of today's photos; whether so."""
    wanted = f"{settings.model_dump_json()} {library.facts.get(HOME)}"
    if library.facts.get(_MADE_WITH) == wanted:
        return False
    entries = list(library.photos.timeline())
    homes = find_homes(entries, _fixed_home(library))
    home = homes.fixed or homes.otherwise
    keys = corrected_order_keys(entries, zones.zone(home) if home else None)
    with library.database.write():
        library.photos.set_order_keys(keys)
        sessions = sessionize(library.photos.timeline() if keys else entries, settings)
        trips = find_trips(sessions, homes, settings)
        library.sessions.replace([timed.session for timed in sessions], trips)
        library.facts.put(_MADE_WITH, wanted)
    return True


def _fixed_home(library: Library) -> GeoPoint | None:
    """The user's own word; a fact that is no position counts as none."""
    try:
        latitude, longitude = map(float, library.facts.get(HOME).split(","))
    except ValueError:
        return None
    return GeoPoint(latitude, longitude)
