"""Brings calls from worker threads to the GUI thread."""

from collections.abc import Callable
from queue import SimpleQueue

from PySide6.QtCore import QObject, Qt, Signal, Slot

Letter = Callable[[], None]


class Mailbox(QObject):
    """Runs each posted call once, in order, on the thread that made the mailbox.

    The calls travel in a Python queue: no Python object crosses threads inside Qt.
    """

    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._letters: SimpleQueue[Letter] = SimpleQueue()
        self._closed = False
        self._woken.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def close(self) -> None:
        """Deliver nothing from now on."""
        self._closed = True

    def post(self, letter: Letter) -> None:
        """Have a call run on the GUI thread; may be called from any thread."""
        self._letters.put(letter)
        self._woken.emit()

    @Slot()
    def _deliver(self) -> None:
        """Run one letter: every post wakes once, so a letter that raises delays no other."""
        letter = self._letters.get()
        if not self._closed:
            letter()
