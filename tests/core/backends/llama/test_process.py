"""A model's process: answers, crashes, hangs, cancellation, the end of the application."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from core.backends.llama.process import ModelProcess, ProcessLimits
from core.errors import Cancelled, ModelCorrupt, ModelCrashed, ModelError, ModelMissing
from core.progress import Progress
from tests.core.backends.llama import fake_model_server

Open = Callable[..., ModelProcess]


def ask(process: ModelProcess, what: str, progress: Progress | None = None) -> object:
    return process.ask({"do": what}, progress or Progress(), lambda _: None)


def gone(pid: int) -> bool:
    """Whether a process has ended within 10 s; what nobody reaped has ended too."""
    for _ in range(200):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def start() -> Iterator[Open]:
    opened: list[ModelProcess] = []

    def open_process(order: str = "", limits: ProcessLimits | None = None) -> ModelProcess:
        process = ModelProcess("fake-1", fake_model_server.serve, lambda _: order, limits)
        opened.append(process)
        return process

    yield open_process
    for process in opened:
        process.close()


def test_answers_come_from_one_child_that_starts_when_asked(start: Open) -> None:
    process = start()
    assert process.pid is None
    texts: list[str] = []
    assert process.ask({"do": "answer"}, Progress(), texts.append) == 1
    pid = process.pid
    assert process.ask({"do": "answer"}, Progress(), texts.append) == 2
    assert (process.pid, texts) == (pid, ["yes", "yes"])
    assert pid not in (None, os.getpid())


@pytest.mark.parametrize("what", ["SIGKILL", "SIGSEGV", "SIGABRT", "garbage"])
def test_a_crash_costs_one_request(start: Open, what: str) -> None:
    process = start()
    with pytest.raises(ModelCrashed, match="fake-1"):
        ask(process, what)
    assert process.pid is None
    assert ask(process, "answer") == 2


def test_a_processor_that_is_too_old_is_named(start: Open) -> None:
    with pytest.raises(ModelCrashed) as caught:
        ask(start(), "SIGILL")
    assert "GGML_NATIVE=OFF" in caught.value.advice


def test_crashes_in_a_row_end_the_attempts_until_closed(start: Open) -> None:
    process = start(limits=ProcessLimits(crashes=2))
    for what in ("SIGKILL", "answer", "SIGKILL", "SIGKILL"):
        try:
            ask(process, what)
        except ModelCrashed as error:
            assert "stays down" not in error.message
    with pytest.raises(ModelCrashed, match="2 times in a row"):
        ask(process, "answer")
    assert process.pid is None
    process.close()
    assert ask(process, "answer")


@pytest.mark.parametrize(("order", "what"), [("never", "answer"), ("", "hang")])
def test_a_child_that_hangs_is_ended(start: Open, order: str, what: str) -> None:
    process = start(order, ProcessLimits(start_s=3 if order else 60, answer_s=0.5))
    if not order:
        ask(process, "answer")
    with pytest.raises(ModelCrashed, match="in time"):
        ask(process, what)
    assert process.pid is None


def test_cancelling_between_texts_keeps_the_child(start: Open) -> None:
    process, progress, texts = start(), Progress(), list[str]()

    def keep(text: str) -> None:
        texts.append(text)
        if len(texts) == 3:
            progress.cancel()
        progress.check()

    with pytest.raises(Cancelled):
        process.ask({"do": "count"}, progress, keep)
    assert texts == ["1", "2", "3"]
    pid = process.pid
    later: list[str] = []
    assert process.ask({"do": "answer"}, Progress(), later.append) == 2
    assert (process.pid, later) == (pid, ["yes"])


def test_cancelling_while_nothing_comes(start: Open) -> None:
    process, progress = start("never"), Progress()
    timer = threading.Timer(0.3, progress.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        ask(process, "answer", progress)
    timer.join()
    with pytest.raises(Cancelled):
        ask(process, "answer", progress)


def test_a_cancelled_start_serves_the_next_request(start: Open) -> None:
    process, progress = start("slow"), Progress()
    timer = threading.Timer(0.2, progress.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        ask(process, "count", progress)
    timer.join()
    pid = process.pid
    assert ask(process, "answer") == 2
    assert process.pid == pid


def test_a_listener_that_fails_does_not_spoil_the_next_answer(start: Open) -> None:
    def fail(text: str) -> None:
        raise KeyError(text)

    process = start()
    with pytest.raises(KeyError):
        process.ask({"do": "count"}, Progress(), fail)
    assert ask(process, "answer") == 2


def test_refusals_and_unusable_models_are_known_errors(start: Open) -> None:
    process = start()
    with pytest.raises(ModelError, match="too long"):
        ask(process, "refuse")
    assert ask(process, "answer") == 2
    with pytest.raises(ModelCorrupt, match="damaged"):
        ask(start("corrupt"), "answer")


def test_what_prepares_a_start_may_fail(start: Open) -> None:
    def missing(progress: Progress) -> object:
        raise ModelMissing("not there")

    process = ModelProcess("fake-1", fake_model_server.serve, missing)
    with pytest.raises(ModelMissing):
        ask(process, "answer")


def test_requests_of_threads_wait_for_each_other(start: Open) -> None:
    process, answers = start(), list[object]()
    threads = [
        threading.Thread(target=lambda: answers.append(ask(process, "answer"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == list(range(1, 9))


def test_closing_ends_an_answer_in_progress(start: Open) -> None:
    process, errors, begun = start(), list[ModelError](), threading.Event()

    def count() -> None:
        try:
            process.ask({"do": "count"}, Progress(), lambda _: begun.set())
        except ModelError as error:
            errors.append(error)

    thread = threading.Thread(target=count)
    thread.start()
    assert begun.wait(60)
    pid = process.pid
    process.close()
    thread.join()
    assert [type(error) for error in errors] == [ModelCrashed]
    assert pid is not None
    assert gone(pid)


PARENT = """
import os, signal, sys
sys.path.insert(0, {root!r})
from core.backends.llama.process import ModelProcess
from core.progress import Progress
from tests.core.backends.llama import fake_model_server

if __name__ == "__main__":
    process = ModelProcess("fake-1", fake_model_server.serve, lambda _: "")
    def told(text):
        print(process.pid, flush=True)
        {end}
    process.ask({{"do": "count"}}, Progress(), told)
"""


@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(1)", "os.kill(os.getpid(), 9)"])
def test_no_child_outlives_the_application(tmp_path: Path, end: str) -> None:
    root = str(Path(__file__).parents[4])
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(root=root, end=end), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=120
    )
    assert gone(int(run.stdout.split()[0])), run.stderr


def test_an_interrupt_of_the_terminal_leaves_the_child_alone(start: Open) -> None:
    process = start()
    ask(process, "answer")
    assert process.pid is not None
    os.kill(process.pid, signal.SIGINT)
    assert ask(process, "answer") == 2


def test_a_child_leaves_the_standard_output_alone(
    start: Open, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ask(start("noisy"), "answer") == 1
    assert capfd.readouterr().out == ""
