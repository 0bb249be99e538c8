"""Time zones by position, offline: the polygons of timezonefinder."""

import threading
from typing import Any

from core.domain.place import GeoPoint


class ZoneFinder:
    """IANA zones by position; its data are loaded with the first question; safe across threads."""

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._finder: Any = None

    def zone(self, point: GeoPoint) -> str | None:
        """The name of the zone at a point, None at sea without one."""
        with self._loading:
            if self._finder is None:
                from timezonefinder import TimezoneFinder  # noqa: PLC0415 - loads 40 MB of shapes

                self._finder = TimezoneFinder(in_memory=True)
            found: str | None = self._finder.timezone_at(lng=point.longitude, lat=point.latitude)
        return found
