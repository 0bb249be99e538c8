"""Known errors are told with advice; unknown ones with a report; cancelling in silence."""

import sys

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.errors import ErrorPresenter, crash_report
from app.widgets.message_bar import MessageBar, MessageKind
from core.errors import Cancelled, EmptyQuery, LibraryEmpty


@pytest.fixture
def presenter(qtbot, theme):
    window = QWidget()
    qtbot.addWidget(window)
    bar = MessageBar(theme, window)
    window.show()
    made = ErrorPresenter(bar, window)
    yield made
    if made.dialog is not None:
        made.dialog.close()


def test_a_known_error_is_told_with_its_advice(presenter):
    presenter.show(EmptyQuery("Nothing to search for.", "Write something."))
    bar = presenter._bar
    assert (bar.message, bar.advice) == ("Nothing to search for.", "Write something.")
    assert bar.isVisible()
    assert bar.property("kind") == MessageKind.ERROR
    assert presenter.dialog is None


def test_cancelling_is_silent(presenter):
    presenter.show(Cancelled())
    assert not presenter._bar.isVisible()
    assert presenter.dialog is None


def test_anything_else_opens_one_dialog_with_a_report(presenter, caplog):
    error = ZeroDivisionError("by zero")
    presenter.show(error)
    first = presenter.dialog
    presenter.show(error)
    assert presenter.dialog is first
    assert "ZeroDivisionError: by zero" in first.report
    first.copy()
    assert QGuiApplication.clipboard().text() == first.report
    assert not presenter._bar.isVisible()


def test_the_report_names_versions(qapp):
    assert "Qt 6." in crash_report(ValueError("x"))


def test_what_no_slot_caught_is_shown_too(presenter, monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    presenter.watch_uncaught()
    sys.excepthook(EmptyQuery, EmptyQuery("Empty.", "Fill it."), None)
    assert presenter._bar.message == "Empty."


def test_an_empty_library_speaks_of_the_window_not_of_commands(presenter):
    presenter.show(LibraryEmpty("No photo is indexed yet.", "Run `photoapp index FOLDER` first."))
    assert "Ctrl+O" in presenter._bar.advice
    presenter.show(LibraryEmpty("The model has not looked.", "Index their folders again."))
    assert presenter._bar.advice == "Index their folders again."
