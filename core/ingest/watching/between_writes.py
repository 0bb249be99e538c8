"""A progress that gives way at no wrong moment."""

from core.progress import Progress
from core.store.database import Database


class BetweenWrites(Progress):
    """Asks another progress, but never while this thread writes to the library.

    Whoever waits for a person's search with the library in hand would have that search wait too,
    for ever.
    """

    def __init__(self, progress: Progress, database: Database) -> None:
        super().__init__(progress.listener, progress._cancelled)
        self._asked, self._database = progress, database

    def check(self) -> None:
        """Wait and raise `Cancelled` as the other one does, between two transactions."""
        if not self._database.writes_here:
            self._asked.check()

    def cancel(self) -> None:
        """Cancel the other one."""
        self._asked.cancel()
