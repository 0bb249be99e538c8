"""A day on which a part of the globe was photographed: what homes are found by."""

from typing import NamedTuple

from core.domain.place import GeoPoint

CELLS = 20
"""Cells a degree."""

NORTH_UP, EAST_UP = 1800.5, 3600.5
"""Added to degrees in cells before they are cut to whole numbers."""


class Visit(NamedTuple):
    """A day (as `date.toordinal`) and a cell of 0.05 degrees, counted from the south-west."""

    day: int
    north: int
    east: int

    @classmethod
    def of(cls, day: int, point: GeoPoint) -> "Visit":
        """The visit that a photo of that day and place tells of."""
        north = int(point.latitude * CELLS + NORTH_UP)
        return cls(day, north, int(point.longitude * CELLS + EAST_UP))

    @property
    def point(self) -> GeoPoint:
        """The middle of the cell."""
        north, east = self.north - int(NORTH_UP), self.east - int(EAST_UP)
        return GeoPoint(north / CELLS, east / CELLS)
