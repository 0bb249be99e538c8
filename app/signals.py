"""Ctrl-C in the terminal, and a polite end by the system, close the window as a click does."""

import signal
import socket
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier


class SignalWatch(QObject):
    """Wakes Qt when a signal comes: Python handles signals only when it has its turn."""

    def __init__(self, close: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._close = close
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._before = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        self._handlers = {kind: signal.signal(kind, self._hear) for kind in _KINDS}

    def stop(self) -> None:
        """Handle signals as before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._before)
        for kind, handler in self._handlers.items():
            signal.signal(kind, handler)
        self._ours.close()
        self._theirs.close()

    def _drain(self) -> None:
        try:
            self._ours.recv(64)
        except BlockingIOError:
            return

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        self._close()


_KINDS = (signal.SIGINT, signal.SIGTERM)
