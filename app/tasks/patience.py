"""A progress that waits while something more urgent runs."""

import threading

from core.progress import Progress, ProgressListener

_LOOK_AGAIN_S = 0.05


class PatientProgress(Progress):
    """A `Progress` whose every check waits until its gate is open; without a gate it never waits.

    Work that checks between batches so gives way without knowing of lanes.
    """

    def __init__(self, listener: ProgressListener) -> None:
        super().__init__(listener)
        self.gate: threading.Event | None = None

    def check(self) -> None:
        """Wait for the gate; raise `Cancelled` when the task was asked to stop."""
        super().check()
        while self.gate is not None and not self.gate.wait(_LOOK_AGAIN_S):
            super().check()
