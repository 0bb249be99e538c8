"""The main window: places the screens, connects them, and owns the task runner."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QStandardPaths, Signal
from PySide6.QtGui import QCloseEvent, QImage, QPixmap
from PySide6.QtWidgets import (
    QFileDialog,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QWidget,
)

from app.actions import ACTIONS
from app.arrivals import Arrivals
from app.errors import ErrorPresenter
from app.frame import framed, header_of
from app.library.controller import LibraryContent, LibraryController
from app.library.folders import FolderList
from app.library.problems_view import ProblemsScreen
from app.library.report import report_in_words
from app.library.view import LibraryScreen
from app.library.watching import WatchController
from app.menu import make_commands, menu_button, menu_of
from app.outgoing.commands import OutgoingCommands
from app.outgoing.controller import OutgoingController
from app.preview.controller import PreviewController
from app.preview.view import PreviewScreen
from app.progress_view import ProgressView
from app.search.bar import Chosen, SearchBar
from app.search.controller import SearchController
from app.search.view import SearchScreen
from app.story.controller import StoryController
from app.story.view import StoryScreen
from app.tasks.runner import Lane, TaskRunner
from app.tasks.task import Task
from app.theme import Theme, Variant
from app.thumbnails import Thumbnails
from app.widgets.item_model import Pictures
from app.widgets.message_bar import MessageBar, MessageKind
from app.widgets.nav_rail import NavRail
from app.widgets.progress_strip import ProgressStrip
from app.widgets.section_grid import SectionGrid
from app.widgets.shortcuts_dialog import ShortcutsDialog
from core.domain.change import LibraryChange
from core.domain.photo import PhotoId
from core.domain.report import IndexReport
from core.engine import Engine

_WELL_EDGE = 128
_PATIENCE_S = 15.0
"""How long a closed window waits for work that was asked to stop."""

_PLACE_ACTIONS = {
    "library": "view.photos",
    "search": "view.search",
    "story": "view.stories",
    "problems": "view.problems",
}


class MainWindow(QMainWindow):
    """One library; implements `actions.Shell`."""

    library_changed = Signal(object)

    def __init__(self, engine: Engine, theme: Theme) -> None:
        super().__init__()
        self.theme, self.engine = theme, engine
        self.runner = TaskRunner(self)
        self.stopped = True
        self.thumbnails = Thumbnails(engine, self.runner, self)
        self.library = LibraryController(engine, self.runner, self)
        self.searching = SearchController(engine, self.runner, self)
        self.stories = StoryController(engine, self.runner, self)
        self.previewing = PreviewController(engine, self.runner, self)
        self._make_screens()
        self._arrange()
        self.errors = ErrorPresenter(self.messages, self)
        watching = WatchController(engine, self.runner, self)
        Arrivals(watching, self.library, self.progress, self.messages, self.errors)
        leaving = OutgoingController(engine, self.runner, self)
        leaving.trashed.connect(self._leave_what_is_gone)
        self.outgoing = OutgoingCommands(leaving, self._chosen_photos, self.messages, self)
        self.commands = make_commands(self, self, theme)
        self._menu_button.setMenu(menu_of(self.commands, self))
        self._connect_library()
        self._connect_search()
        self._connect_story_and_preview()
        self.setWindowTitle("photoapp")
        self.setWindowIcon(theme.icon("photoapp"))
        self.resize(1360, 860)
        self.setMinimumSize(860, 560)
        self.show_place("library")
        self.library.load()

    # commands (actions.Shell)

    def choose_folder(self) -> None:
        """Let the user choose a folder to add."""
        pictures = QStandardPaths.StandardLocation.PicturesLocation
        start = QStandardPaths.writableLocation(pictures)
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Add a folder of photos"), start)
        if chosen:
            self.index([Path(chosen)])

    def index(self, folders: Sequence[Path]) -> None:
        """Take the photos below the folders into the library."""
        if folders:
            self.library_screen.expect_photos()
            self.library.index(folders)

    def index_again(self) -> None:
        """Look for changes in the folders of the library."""
        if self.library.index_again() is None:
            self.choose_folder()

    def show_place(self, name: str) -> None:
        """Show a screen."""
        screen = self._places[name]
        self.pages.setCurrentWidget(screen)
        self.rail.set_current(name)
        screen.setFocus()

    def focus_search(self) -> None:
        """Put the cursor into the search bar."""
        self.bar.line.setFocus()
        self.bar.line.selectAll()

    def choose_reference(self) -> None:
        """Let the user choose a file as the reference photo."""
        title = self.tr("Choose a photo to start from")
        chosen, _ = QFileDialog.getOpenFileName(self, title)
        if chosen:
            self.bar.refer_to(Chosen(path=Path(chosen)))

    def use_current_as_reference(self) -> None:
        """Take the current photo as the reference photo."""
        picture = self._current_picture()
        if picture >= 0:
            self.refer_to(picture)

    def refer_to(self, picture: int) -> None:
        """Take a photo of the library as the reference photo."""
        self.bar.refer_to(Chosen(picture))

    def focus_story(self) -> None:
        """Put the cursor into the story's brief."""
        self.show_place("story")
        self.story_screen.line.setFocus()
        self.story_screen.line.selectAll()

    def toggle_why(self) -> None:
        """Show or hide why the results are there."""
        self.show_place("search")
        self.search_screen.show_why()

    def zoom(self, steps: int) -> None:
        """Make the pictures larger, or smaller where negative."""
        self.library_screen.zoom(steps)

    def toggle_theme(self) -> None:
        """Change between light and dark."""
        self.theme.choose(Variant.LIGHT if self.theme.colours.dark else Variant.DARK)

    def judge_chosen(self, right: bool) -> None:
        """Keep the user's word on the chosen results."""
        answer, pictures = self.search_screen.answer, self.search_screen.grid.chosen()
        if answer is not None and pictures:
            self.search_screen.model.mark(pictures, right)
            self.searching.judge(answer.query_id, pictures, right)

    def escape(self) -> None:
        """Stop what runs, close the preview, or clear, whichever comes first."""
        if self.pages.currentWidget() is self.preview:
            self.preview.close_preview()
        elif not self.progress.stop_query():
            self.messages.hide()
            if self.pages.currentWidget() is self.search_screen:
                self.bar.clear()

    def show_shortcuts(self) -> None:
        """Show every shortcut."""
        rows = [(action.words, action.shortcut) for action in ACTIONS if action.shortcut]
        ShortcutsDialog(rows, self).open()

    def leave(self) -> None:
        """Close the window."""
        self.close()

    # what happens

    def search(self) -> None:
        """Ask for an answer to the words and the photo in the bar."""
        self.messages.hide()
        self.show_place("search")
        self.searching.search(self.bar.text, self.bar.reference)

    def open_preview(self, pictures: Pictures | Sequence[int], picture: int) -> None:
        """Show a photo of a list large."""
        self._before_preview = self._page()
        numbers = np.asarray(pictures, np.int64)
        place = int(np.argmax(numbers == picture))
        self.pages.setCurrentWidget(self.preview)
        self.preview.open(numbers, place)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Vanish at once, then stop everything before the library closes."""
        self.hide()
        self.engine.on_change = lambda change: None
        self.stopped = self.runner.shutdown(_PATIENCE_S)
        super().closeEvent(event)

    def _leave_what_is_gone(self) -> None:
        if self._page() is self.preview:
            self.preview.close_preview()

    def _close_preview(self, picture: int) -> None:
        self.pages.setCurrentWidget(self._before_preview)
        grid = self._before_preview.findChild(SectionGrid)
        if grid is None or grid.pictures is None:
            return
        row = grid.pictures.row_of(picture)
        if row >= 0:
            grid.setCurrentIndex(grid.pictures.index(row, 0))
        grid.setFocus()

    def _show_library(self, content: LibraryContent) -> None:
        self.library_screen.show_timeline(content.timeline)
        self.problems.show_problems(content.problems)
        self.rail.count("problems", sum(p.reason.failed for p in content.problems))
        self.folders.show_folders(content.folders)

    def _tell_report(self, report: IndexReport) -> None:
        message, advice = report_in_words(report)
        kind = MessageKind.NOTE if advice else MessageKind.DONE
        self.messages.tell(message, advice, kind)

    def _library_task_settled(self, _task: Task) -> None:
        if self.library_screen.model.rowCount() or self.runner.running(Lane.LIBRARY):
            return
        if self.library.folders:
            self.library_screen.expect_more()
        else:
            self.library_screen.expect_folders()

    def _refresh(self, change: LibraryChange) -> None:
        if change & LibraryChange.PHOTOS:
            self.thumbnails.forget()
        if change & (LibraryChange.PHOTOS | LibraryChange.SESSIONS | LibraryChange.PROBLEMS):
            self.library.load()

    def _show_reference(self, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        self.searching.read_reference(chosen)
        if chosen.picture is not None:
            self._picture_arrived(chosen.picture)

    def _picture_arrived(self, picture: int) -> None:
        reference = self.bar.reference
        if reference is not None and reference.picture == picture:
            pixmap = self.thumbnails.pixmap(picture, _WELL_EDGE)
            if pixmap is not None:
                self.bar.show_reference(pixmap)

    def _show_reference_file(self, image: QImage) -> None:
        if not image.isNull():
            self.bar.show_reference(QPixmap.fromImage(image))

    def _current_picture(self) -> int:
        page = self._page()
        if page is self.preview:
            return self.preview.current
        grid = page.findChild(SectionGrid)
        if grid is None or grid.pictures is None or not grid.currentIndex().isValid():
            return -1
        return grid.pictures.picture(grid.currentIndex().row())

    def _chosen_photos(self) -> list[PhotoId]:
        grid = self._page().findChild(SectionGrid)
        chosen = grid.chosen() if grid is not None else []
        if not chosen and self._current_picture() >= 0:
            chosen = [self._current_picture()]
        return [PhotoId(picture) for picture in chosen]

    def _page(self) -> QWidget:
        return self.pages.currentWidget() or self.library_screen

    def _show_menu(self, picture: int, where: QPoint) -> None:
        menu = QMenu(self)
        menu.addAction(self.commands["search.use_current"])
        if self.pages.currentWidget() is self.search_screen:
            menu.addAction(self.commands["search.right"])
            menu.addAction(self.commands["search.wrong"])
        menu.addSeparator()
        for name in ("photos.export", "photos.sidecars", "photos.trash"):
            menu.addAction(self.commands[name])
        menu.popup(where)

    def _ask_suggested(self, text: str) -> None:
        self.bar.line.setText(text)
        self.search()

    # making and connecting

    def _make_screens(self) -> None:
        self.bar = SearchBar(self.theme)
        self.rail = NavRail(self.theme)
        self.folders = FolderList(self.theme)
        self.messages = MessageBar(self.theme)
        self.strip = ProgressStrip()
        self.progress = ProgressView(self.strip, self.runner, self)
        self.library_screen = LibraryScreen(self.thumbnails, self.theme)
        self.search_screen = SearchScreen(self.thumbnails, self.theme)
        self.story_screen = StoryScreen(self.thumbnails, self.theme)
        self.problems = ProblemsScreen(self.theme)
        self.preview = PreviewScreen(self.thumbnails, self.theme)
        self._places: dict[str, QWidget] = {
            "library": self.library_screen,
            "search": self.search_screen,
            "story": self.story_screen,
            "problems": self.problems,
        }
        self._before_preview = self.library_screen

    def _arrange(self) -> None:
        self.pages = QStackedWidget()
        for screen in (*self._places.values(), self.preview):
            self.pages.addWidget(screen)
        actions = {action.id: action for action in ACTIONS}
        for name, action_id in _PLACE_ACTIONS.items():
            action = actions[action_id]
            self.rail.add_place(name, action.words, action.icon, action.explained)
        self.rail.add_foot(self.folders)
        self._menu_button = menu_button(self.theme)
        header = header_of(self.bar, self._menu_button)
        self.setCentralWidget(framed(self.rail, header, self.messages, self.pages, self.strip))

    def _connect_library(self) -> None:
        screen, grid = self.library_screen, self.library_screen.grid
        screen.add_wanted.connect(self.choose_folder)
        screen.more_wanted.connect(self.index_again)
        screen.folders_dropped.connect(self.index)
        grid.opened.connect(lambda picture: self.open_preview(screen.model.pictures, picture))
        grid.menu_wanted.connect(self._show_menu)
        self.problems.retry_wanted.connect(self.library.retry_problems)
        self.library.loaded.connect(self._show_library)
        self.library.indexed.connect(self._tell_report)
        self.rail.chosen.connect(self.show_place)
        self.runner.failed.connect(lambda _task, error: self.errors.show(error))
        self.runner.settled.connect(self._library_task_settled)
        self.thumbnails.arrived.connect(self._picture_arrived)
        self.thumbnails.arrived.connect(lambda _picture: grid.viewport().update())
        self.library_changed.connect(self._refresh)
        self.engine.on_change = self._hear_change

    def _connect_search(self) -> None:
        screen = self.search_screen
        self.bar.asked.connect(self.search)
        self.bar.stopped.connect(self.searching.stop)
        self.bar.cleared.connect(screen.clear)
        self.bar.choose_wanted.connect(self.choose_reference)
        self.bar.reference_changed.connect(self._show_reference)
        self.searching.reference_read.connect(self._show_reference_file)
        self.searching.begun.connect(screen.begin)
        self.searching.begun.connect(lambda: self.bar.set_busy(True))
        self.searching.answered.connect(screen.show_answer)
        self.searching.ended.connect(screen.end)
        self.searching.ended.connect(lambda _cancelled: self.bar.set_busy(False))
        screen.opened.connect(lambda picture: self.open_preview(screen.model.pictures, picture))
        screen.menu_wanted.connect(self._show_menu)
        screen.suggested.connect(self._ask_suggested)

    def _connect_story_and_preview(self) -> None:
        screen = self.story_screen
        screen.asked.connect(lambda: self.stories.compose(screen.text))
        screen.stopped.connect(self.stories.stop)
        screen.opened.connect(self._open_from_story)
        self.stories.begun.connect(lambda: screen.set_busy(True))
        self.stories.told.connect(screen.show_story)
        self.stories.ended.connect(lambda _cancelled: screen.set_busy(False))
        self.preview.read_wanted.connect(self.previewing.read)
        self.previewing.details_read.connect(self.preview.show_details)
        self.previewing.picture_read.connect(self.preview.show_picture)
        self.preview.closed.connect(self._close_preview)
        self.preview.similar_wanted.connect(self.refer_to)

    def _open_from_story(self, picture: int) -> None:
        shown = self.story_screen.shown
        pictures = [roled.photo_id for roled in shown.photos] if shown else [picture]
        self.open_preview(pictures if picture in pictures else [picture], picture)

    def _hear_change(self, change: LibraryChange) -> None:
        self.runner.post(lambda: self.library_changed.emit(change))  # from a worker thread
