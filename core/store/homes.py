"""Days and cells that were photographed, and the homes found by them, month by month."""

from collections.abc import Iterable, Mapping

from core.domain.place import GeoPoint
from core.domain.visit import Visit
from core.store.database import Database
from core.store.plain_rows import plain_rows

_VISITS = "SELECT day, north, east FROM visits WHERE day BETWEEN ? AND ?"


class HomeStore:
    """Reads and writes visits and homes; months count from the year 0, 12 a year."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def visits(self, first: int, last: int) -> set[Visit]:
        """The visits from one day to another, inclusive."""
        with self._database.read() as connection:
            return {Visit(*row) for row in plain_rows(connection, _VISITS, (first, last))}

    def days(self) -> tuple[int, int] | None:
        """The first and the last day with a visit, None where there is none."""
        with self._database.read() as connection:
            ((first, last),) = plain_rows(connection, "SELECT min(day), max(day) FROM visits")
        return None if first is None else (first, last)

    def change_visits(self, gone: Iterable[Visit], new: Iterable[Visit]) -> None:
        """Forget some visits and keep others; joins the open transaction."""
        forget = "DELETE FROM visits WHERE day = ? AND north = ? AND east = ?"
        with self._database.write() as connection:
            if old := [tuple(visit) for visit in gone]:
                connection.exec_driver_sql(forget, old)
            if fresh := [tuple(visit) for visit in new]:
                connection.exec_driver_sql("INSERT INTO visits VALUES (?, ?, ?)", fresh)

    def found(self) -> dict[int, GeoPoint]:
        """Home by month, where one was found."""
        with self._database.read() as connection:
            rows = plain_rows(connection, "SELECT month, latitude, longitude FROM homes")
        return {month: GeoPoint(latitude, longitude) for month, latitude, longitude in rows}

    def keep(self, homes: Mapping[int, GeoPoint | None]) -> None:
        """Keep the homes of these months, None where there is none."""
        rows = [(m, home.latitude, home.longitude) for m, home in homes.items() if home]
        gone = [(month,) for month, home in homes.items() if home is None]
        with self._database.write() as connection:
            if gone:
                connection.exec_driver_sql("DELETE FROM homes WHERE month = ?", gone)
            if rows:
                connection.exec_driver_sql("INSERT OR REPLACE INTO homes VALUES (?, ?, ?)", rows)
