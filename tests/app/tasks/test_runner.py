"""A task settles once, on the GUI thread, and lanes keep their promises."""

import threading
import time

from PySide6.QtCore import QThread

from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Outcome, Task
from core.errors import Cancelled, FolderMissing
from core.progress import Progress

WAIT_MS = 10_000


def settle(qtbot, runner: TaskRunner, task: Task, lane: Lane = Lane.QUERY) -> Task:
    with qtbot.waitSignal(task.settled, timeout=WAIT_MS):
        runner.start(task, lane)
    return task


def test_succeeds_once_on_the_gui_thread(qtbot, runner, qapp):
    heard = []
    task = Task(lambda progress, tell: threading.get_ident())
    task.succeeded.connect(lambda value: heard.append((value, QThread.currentThread())))
    settle(qtbot, runner, task)
    qtbot.wait(50)
    assert len(heard) == 1
    assert heard[0][0] != threading.get_ident()
    assert heard[0][1] is qapp.thread()
    assert task.outcome is Outcome.SUCCEEDED
    assert runner.running(Lane.QUERY) == []


def test_a_failure_reaches_task_and_runner(qtbot, runner):
    def work(progress, tell):
        raise FolderMissing("No folder.", "Choose another.")

    task, told = Task(work), []
    task.failed.connect(told.append)
    with qtbot.waitSignal(runner.failed, timeout=WAIT_MS) as from_runner:
        runner.start(task, Lane.LIBRARY)
    assert task.outcome is Outcome.FAILED
    assert told == [from_runner.args[1]]
    assert isinstance(told[0], FolderMissing)


def test_work_that_ignores_cancel_still_never_succeeds(qtbot, runner):
    begun, release, heard = threading.Event(), threading.Event(), []

    def work(progress, tell):
        begun.set()
        release.wait(10)
        return "too late"

    task = Task(work)
    for signal in (task.succeeded, task.failed, task.told):
        signal.connect(heard.append)
    runner.start(task, Lane.QUERY)
    assert begun.wait(10)
    task.cancel()
    with qtbot.waitSignal(task.cancelled, timeout=WAIT_MS):
        release.set()
    qtbot.wait(50)
    assert heard == []
    assert task.outcome is Outcome.CANCELLED


def test_cancel_between_the_end_of_the_work_and_its_news(qtbot, runner):
    ended, heard = threading.Event(), []
    task = Task(lambda progress, tell: ended.set())
    task.succeeded.connect(heard.append)
    runner.start(task, Lane.QUERY)
    assert ended.wait(10)
    time.sleep(0.05)  # the news lies in the mailbox, unread
    with qtbot.waitSignal(task.cancelled, timeout=WAIT_MS):
        task.cancel()
    assert heard == []


def test_an_error_after_cancel_is_silent(qtbot, runner):
    begun, release = threading.Event(), threading.Event()

    def work(progress, tell):
        begun.set()
        release.wait(10)
        raise ValueError("in pieces")

    task, failures = Task(work), []
    runner.failed.connect(lambda *news: failures.append(news))
    runner.start(task, Lane.IO)
    assert begun.wait(10)
    task.cancel()
    with qtbot.waitSignal(task.cancelled, timeout=WAIT_MS):
        release.set()
    qtbot.wait(20)
    assert failures == []


def test_early_results_and_progress_arrive_in_order_before_the_end(qtbot, runner):
    def work(progress: Progress, tell):
        tell("first")
        for _ in progress.track("count", range(3), 3):
            pass
        return "final"

    task, heard = Task(work), []
    task.told.connect(heard.append)
    task.progressed.connect(lambda report: heard.append((report.stage, report.done)))
    task.succeeded.connect(heard.append)
    settle(qtbot, runner, task)
    assert heard[0] == "first"
    assert ("count", 3) in heard
    assert heard[-1] == "final"


def test_library_lane_runs_one_after_the_other_in_order(qtbot, runner):
    running, most, order = [], [], []

    def work(number, progress, tell):
        running.append(number)
        most.append(len(running))
        time.sleep(0.01)
        order.append(number)
        running.remove(number)

    tasks = [Task(lambda p, t, n=n: work(n, p, t)) for n in range(6)]
    with qtbot.waitSignal(tasks[-1].settled, timeout=WAIT_MS):
        for task in tasks:
            runner.start(task, Lane.LIBRARY)
    assert max(most) == 1
    assert order == list(range(6))


def test_a_newer_query_replaces_the_older_one(qtbot, runner):
    def forever(progress: Progress, tell):
        while True:
            progress.check()
            time.sleep(0.005)

    older, newer = Task(forever), Task(lambda progress, tell: "new")
    other = Task(lambda progress, tell: "untouched")
    runner.start(older, Lane.QUERY, replaces="search")
    runner.start(other, Lane.IO, replaces="timeline")
    with qtbot.waitSignals([older.cancelled, newer.succeeded, other.succeeded], timeout=WAIT_MS):
        runner.start(newer, Lane.QUERY, replaces="search")
    assert (older.outcome, newer.outcome) == (Outcome.CANCELLED, Outcome.SUCCEEDED)
    runner.cancel("search")  # nothing of that name is left: no harm
    assert newer.outcome is Outcome.SUCCEEDED


def test_a_task_that_never_began_settles_as_cancelled(qtbot, runner):
    release, ran = threading.Event(), []
    blocker = Task(lambda progress, tell: release.wait(10))
    waiting = Task(lambda progress, tell: ran.append(1))
    runner.start(blocker, Lane.LIBRARY)
    runner.start(waiting, Lane.LIBRARY)
    with qtbot.waitSignal(waiting.cancelled, timeout=WAIT_MS):
        waiting.cancel()
    assert blocker.pending
    with qtbot.waitSignal(blocker.settled, timeout=WAIT_MS):
        release.set()
    assert ran == []


def test_background_gives_way_while_a_query_runs(qtbot, runner):
    steps, finish = [], threading.Event()

    def background(progress: Progress, tell):
        while not finish.is_set():
            progress.check()
            steps.append(1)
            time.sleep(0.001)

    release, asked = threading.Event(), threading.Event()

    def query(progress, tell):
        asked.set()
        release.wait(10)

    mining, search = Task(background), Task(query)
    runner.start(mining, Lane.BACKGROUND)
    qtbot.waitUntil(lambda: len(steps) > 3, timeout=WAIT_MS)
    runner.start(search, Lane.QUERY)
    assert asked.wait(10)
    time.sleep(0.1)  # the batch in hand ends
    before = len(steps)
    time.sleep(0.3)
    assert len(steps) == before
    with qtbot.waitSignal(search.settled, timeout=WAIT_MS):
        release.set()
    qtbot.waitUntil(lambda: len(steps) > before, timeout=WAIT_MS)
    with qtbot.waitSignal(mining.settled, timeout=WAIT_MS):
        finish.set()


def test_background_that_waits_can_be_cancelled(qtbot, runner):
    release = threading.Event()
    search = Task(lambda progress, tell: release.wait(10))
    mining = Task(lambda progress, tell: progress.check())
    runner.start(search, Lane.QUERY)
    runner.start(mining, Lane.BACKGROUND)
    qtbot.wait(50)
    assert mining.pending
    with qtbot.waitSignal(mining.cancelled, timeout=WAIT_MS):
        mining.cancel()
    with qtbot.waitSignal(search.settled, timeout=WAIT_MS):
        release.set()


def test_shutdown_stops_what_runs(qapp):
    runner, stopped = TaskRunner(), []

    def forever(progress: Progress, tell):
        try:
            while True:
                progress.check()
                time.sleep(0.005)
        except Cancelled:
            stopped.append(1)
            raise

    for lane in (Lane.LIBRARY, Lane.QUERY, Lane.IO):
        runner.start(Task(forever), lane)
    time.sleep(0.1)
    runner.shutdown()
    assert stopped == [1, 1, 1]
    late = runner.start(Task(forever), Lane.QUERY)
    time.sleep(0.05)
    assert late.pending
    assert stopped == [1, 1, 1]


def test_shutdown_says_where_work_does_not_stop(qapp):
    runner, go_on = TaskRunner(), threading.Event()
    runner.start(Task(lambda progress, tell: go_on.wait(60)), Lane.LIBRARY)
    assert runner.shutdown(0.05) is False
    go_on.set()
    assert runner.shutdown() is True
