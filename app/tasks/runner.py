"""Runs tasks in lanes: every thread of the window is made here."""

import math
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from enum import Enum

from PySide6.QtCore import QObject, Signal

from app.tasks.mailbox import Letter, Mailbox
from app.tasks.task import Task


class Lane(Enum):
    """Who waits for whom; the value is the number of workers.

    LIBRARY: every write, one after the other. QUERY: what a person waits for. BACKGROUND:
    gives way whenever QUERY has work. IO: pictures.
    """

    LIBRARY = ("library", 1)
    QUERY = ("query", 2)
    BACKGROUND = ("background", 1)
    IO = ("io", 3)

    @property
    def workers(self) -> int:
        """How many tasks of the lane run at the same time."""
        return self.value[1]


class TaskRunner(QObject):
    """Starts tasks and keeps them until they settle; used on the GUI thread alone."""

    started = Signal(object)
    settled = Signal(object)
    failed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mailbox = Mailbox(self)
        self._pools = {
            lane: ThreadPoolExecutor(lane.workers, f"photoapp-{lane.value[0]}") for lane in Lane
        }
        self._running: dict[Task, Lane] = {}
        self._named: dict[str, Task] = {}
        self._closed = False
        self._queries_idle = threading.Event()
        self._queries_idle.set()

    def start(self, task: Task, lane: Lane, replaces: str = "") -> Task:
        """Run a task in a lane; `replaces` cancels the unsettled task of the same name.

        After `shutdown` nothing runs and nothing settles: nobody is left to hear of it.
        """
        if self._closed:
            task.cancel()
            return task
        if replaces:
            self.cancel(replaces)
            self._named[replaces] = task
        if lane is Lane.BACKGROUND:
            task.progress.gate = self._queries_idle
        self._running[task] = lane
        self._mind_queries()
        task.settled.connect(self._forget)
        self.started.emit(task)
        task.follow(self._pools[lane].submit(task.run, self.post), self.post)
        return task

    def post(self, letter: Letter) -> None:
        """Have a call run on the GUI thread; the one method that any thread may call."""
        self._mailbox.post(letter)

    def cancel(self, name: str) -> None:
        """Cancel the unsettled task that was started under this name, if there is one."""
        if name in self._named:
            self._named[name].cancel()

    def running(self, lane: Lane) -> list[Task]:
        """The unsettled tasks of a lane, oldest first."""
        return [task for task, its_lane in self._running.items() if its_lane is lane]

    def shutdown(self, patience_s: float = math.inf) -> bool:
        """Cancel everything and wait for the workers to let go; False where one does not."""
        self._closed = True
        self._mailbox.close()
        for task in list(self._running):
            task.cancel()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        futures = [task.future for task in self._running if task.future is not None]
        waited = wait(futures, None if math.isinf(patience_s) else patience_s)
        return not waited.not_done

    def _forget(self, task: Task) -> None:
        self._running.pop(task, None)
        for name in [name for name, held in self._named.items() if held is task]:
            del self._named[name]
        self._mind_queries()
        self.settled.emit(task)
        if task.error is not None:
            self.failed.emit(task, task.error)

    def _mind_queries(self) -> None:
        if self.running(Lane.QUERY):
            self._queries_idle.clear()
        else:
            self._queries_idle.set()
