"""What an indexing run did is said in a sentence that a person would say."""

from datetime import datetime
from pathlib import Path

import pytest

from app.library.report import report_in_words
from core.domain.problem import Problem, ProblemReason
from core.domain.report import IndexReport

TORN = Problem(Path("/p/torn.jpg"), ProblemReason.DAMAGED, "", datetime(2024, 1, 1))
FILM = Problem(Path("/p/film.mp4"), ProblemReason.VIDEO, "", datetime(2024, 1, 1))


def report(**facts: object) -> IndexReport:
    counts = dict.fromkeys(("added", "changed", "removed", "unchanged", "embedded"), 0)
    rest = {"offline": (), "problems": (), "seconds": {}, "cpu_seconds": {}, "rate": 0.0}
    return IndexReport(**(counts | rest | facts))


@pytest.mark.parametrize(
    ("facts", "message", "advice"),
    [
        ({"added": 1}, "1 photo added", ""),
        ({"added": 12, "removed": 2}, "12 photos added, 2 removed", ""),
        ({"unchanged": 7}, "Nothing has changed", ""),
        ({}, "No photos were found there", ""),
        ({"changed": 1, "problems": (FILM,)}, "1 changed", ""),
        ({"added": 2, "problems": (TORN,)}, "2 photos added",
         "1 file could not be read; see Problems."),
        ({"added": 2, "problems": (TORN, TORN)}, "2 photos added",
         "2 files could not be read; see Problems."),
        ({"unchanged": 2, "offline": (Path("/mnt/disk"),)}, "Nothing has changed",
         "Not connected now: disk. Its photos stay in the library."),
    ],
)  # fmt: skip
def test_a_report_in_words(qapp, facts, message, advice):
    assert report_in_words(report(**facts)) == (message, advice)
