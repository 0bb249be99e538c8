"""Linux's events: what the library in between would stumble over."""

import sys
import time
import warnings
from pathlib import Path

import pytest

from core.ingest.watching.ear import Ear
from core.ingest.watching.sieve import Sieve
from core.settings import ScanSettings, WatchSettings

if sys.platform != "linux":
    pytest.skip("events of Linux", allow_module_level=True)

from watchdog.observers.inotify_c import InotifyConstants, WatchCallback

from core.ingest.watching.inotify import InotifyObserver
from core.ingest.watching.troubles import Troubles


def test_a_folder_that_is_met_twice_is_no_news(tmp_path: Path) -> None:
    observer = InotifyObserver(Troubles(), lambda folder: True)
    inotify, callback = observer._inotify, WatchCallback.__new__(WatchCallback)
    path, mask = bytes(tmp_path), InotifyConstants.IN_CREATE
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = inotify.add_callback(path, mask, callback, 1)  # type: ignore[arg-type]
        assert inotify.add_callback(path, mask, callback, 1) == first  # type: ignore[arg-type]
    inotify.stop()
    inotify.join()


def test_a_root_whose_reader_of_events_has_ended_is_listened_to_anew(tmp_path: Path) -> None:
    ear = Ear(Sieve(tmp_path, ScanSettings(), (), ()), WatchSettings(), lambda event, sieve: None)
    assert ear.listen() is None
    assert not ear.tend().look
    observer = ear._observer
    assert isinstance(observer, InotifyObserver)
    observer._inotify.stop()
    observer._inotify.join()
    assert ear.tend().look
    assert ear._observer is not observer
    assert not ear.tend().look
    ear.close()
    until = time.monotonic() + 20
    while observer.emitters and time.monotonic() < until:
        time.sleep(0.01)
    assert not observer.emitters
