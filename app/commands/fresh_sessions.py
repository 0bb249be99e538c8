"""Sessions and trips that are those of now, where the library can be written."""

from app.commands.terminal import Terminal
from core.engine import Engine
from core.errors import LibraryBusy, LibraryUnwritable


def bring_up_to_date(engine: Engine, terminal: Terminal) -> None:
    """Make sessions and trips again where photos or settings have changed since they were made;
    say so where that cannot be done."""
    try:
        engine.refresh_sessions(terminal.progress)
    except (LibraryBusy, LibraryUnwritable) as error:
        terminal.say(f"Sessions and trips may be older than the last changes. {error.message}")
