"""Every Qt model keeps Qt's rules and tells what it should."""

from dataclasses import replace
from datetime import date, datetime

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.library.item_model import TimelineModel, prepare
from app.library.problems_item_model import ProblemsModel
from app.search.item_model import ResultModel
from app.widgets.chip import ChipKind
from app.widgets.item_model import CellRole
from core.domain.photo import PhotoId
from core.domain.problem import ProblemReason
from core.domain.timeline import TimelineSection
from core.domain.verdict import Verdict, VerdictState
from tests.app import answers
from tests.app.conftest import PaintedSource


@pytest.fixture
def timeline_model(source):
    model = TimelineModel(source)
    model.show_timeline(prepare(answers.timeline()))
    return model


@pytest.fixture
def result_model(source):
    model = ResultModel(source)
    model.show_answer(answers.answer())
    return model


@pytest.fixture
def problems_model():
    model = ProblemsModel()
    model.show_problems(answers.problems())
    return model


@pytest.mark.parametrize("name", ["timeline_model", "result_model", "problems_model"])
def test_models_keep_the_rules(name, request, qtmodeltester):
    model = request.getfixturevalue(name)
    qtmodeltester.check(model)
    assert model.rowCount() > 0


@pytest.mark.parametrize("kind", [TimelineModel, ResultModel])
def test_empty_models_keep_the_rules(kind, source, qtmodeltester):
    qtmodeltester.check(kind(source))


def test_sections_are_days_with_place_and_count(timeline_model):
    titles = [section.title for section in timeline_model.sections]
    assert titles[0].endswith("4 July 2021")
    assert titles[-1] == "No date"
    assert timeline_model.sections[0].detail == "Arezzo  ·  3 photos"
    assert timeline_model.sections[2].detail == "1 photo"
    assert [timeline_model.picture(row) for row in range(7)] == list(range(1, 8))
    assert (timeline_model.row_of(5), timeline_model.row_of(99)) == (4, -1)


def test_sessions_of_one_day_are_told_apart_by_time_and_place():
    day, (nine, ten, noon) = date(2024, 4, 14), (datetime(2024, 4, 14, h, 5) for h in (9, 10, 12))
    timeline = [
        TimelineSection(day, 1, "Auckland", (PhotoId(1), PhotoId(2)), nine, ten),
        TimelineSection(day, 2, "Tokyo", (PhotoId(3),), noon, noon),
        TimelineSection(day, 3, "", (PhotoId(4),)),  # of these only the day is known
        TimelineSection(date(2024, 4, 13), 4, "Tokyo", (PhotoId(5),), nine, ten),
    ]
    details = [section.detail for section in prepare(timeline).sections]
    assert details == [
        "09:05–10:05  ·  Auckland  ·  2 photos", "12:05  ·  Tokyo  ·  1 photo",
        "1 photo", "Tokyo  ·  1 photo",
    ]  # fmt: skip


def test_the_model_holds_numbers_alone(timeline_model, source):
    assert source.asked == []
    timeline_model.index(2, 0).data(Qt.ItemDataRole.DecorationRole)
    assert source.asked == [3]
    assert timeline_model.pictures.dtype == np.int64


def test_left_out_results_come_last_under_a_header(result_model):
    assert [section.count for section in result_model.sections] == [2, 1]
    assert [section.title for section in result_model.sections] == ["", "Left out"]
    dimmed = [result_model.index(row, 0).data(CellRole.DIMMED) for row in range(3)]
    assert dimmed == [False, False, True]


def test_results_that_lack_what_was_asked_for_come_under_a_header_of_their_own(source):
    absent = Verdict(answers.DOG, VerdictState.ABSENT, 0.01)
    kept = Verdict(answers.DOG, VerdictState.KEPT, 0.9)
    model = ResultModel(source)
    ranked = [answers.ranked(1, False, absent), answers.ranked(2, False, kept)]
    model.show_answer(replace(answers.answer(), results=tuple(ranked)))
    assert [(s.title, s.count) for s in model.sections] == [("", 1), ("Less likely", 1)]
    assert [model.picture(row) for row in range(2)] == [2, 1]
    model.show_answer(replace(answers.answer(), results=tuple(ranked[:1])))
    assert [(s.title, s.count) for s in model.sections] == [("", 1)], "nothing to set it apart from"


def test_chips_tell_each_state_by_kind_and_word(result_model):
    chips = [chip for row in range(3) for chip in result_model.index(row, 0).data(CellRole.CHIPS)]
    told = {(chip.text, chip.word, chip.kind) for chip in chips}
    assert ("dog", "kept", ChipKind.KEPT) in told
    assert ("dog", "unsure", ChipKind.UNSURE) in told
    assert ("people", "absent", ChipKind.ABSENT) in told
    assert ("without people", "changed", ChipKind.CHANGED) in told
    assert len({chip.kind.icon for chip in chips}) == len({chip.kind for chip in chips})


def test_results_are_spoken_with_their_verdicts(result_model):
    spoken = result_model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "a photo; dog, kept; without people, changed; left out"


def test_marks_stay_when_an_answer_is_refined(result_model):
    result_model.mark([2], right=False)
    result_model.show_answer(answers.answer())
    assert result_model.index(1, 0).data(CellRole.MARK) is False
    assert result_model.index(0, 0).data(CellRole.MARK) is None
    result_model.clear()
    assert result_model.rowCount() == 0


def test_files_that_failed_come_before_skipped_ones(problems_model):
    first = [problems_model.index(0, column).data() for column in range(5)]
    assert first == ["torn.jpg", "/photos", "The picture is damaged", "ends early", "1 May 2024"]
    assert problems_model.problem(1).reason is ProblemReason.VIDEO
    assert problems_model.headerData(2, Qt.Orientation.Horizontal) == "Why it is not here"


def test_tooltips_show_markup_as_it_is():
    model = TimelineModel(PaintedSource("<b>bold</b> & co"))
    model.show_timeline(prepare(answers.timeline()))
    tooltip = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; co" in tooltip
    assert "<b>" not in tooltip
