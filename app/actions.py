"""Every command of the window as data."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication


class Outgoing(Protocol):
    """What commands can ask of what takes photos out of the library."""

    def export(self) -> None:
        """Copy the chosen photos into a folder."""

    def write_sidecars(self) -> None:
        """Write what is known of the chosen photos beside them."""

    def trash(self) -> None:
        """Move the chosen photos to the trash."""

    def undo(self) -> None:
        """Take the newest decision back."""


class Shell(Protocol):
    """What commands can ask of the window."""

    @property
    def outgoing(self) -> Outgoing:
        """What takes photos out of the library."""

    def choose_folder(self) -> None:
        """Let the user choose a folder to add."""

    def index_again(self) -> None:
        """Look for changes in the folders of the library."""

    def show_place(self, name: str) -> None:
        """Show a screen."""

    def focus_search(self) -> None:
        """Put the cursor into the search bar."""

    def choose_reference(self) -> None:
        """Let the user choose a file as the reference photo."""

    def use_current_as_reference(self) -> None:
        """Take the current photo as the reference photo."""

    def focus_story(self) -> None:
        """Put the cursor into the story's brief."""

    def toggle_why(self) -> None:
        """Show or hide why the results are there."""

    def zoom(self, steps: int) -> None:
        """Make the pictures larger, or smaller where negative."""

    def toggle_theme(self) -> None:
        """Change between light and dark."""

    def judge_chosen(self, right: bool) -> None:
        """Keep the user's word on the chosen results."""

    def escape(self) -> None:
        """Stop, close or clear, whichever comes first."""

    def show_shortcuts(self) -> None:
        """Show every shortcut."""

    def leave(self) -> None:
        """Close the window."""


@dataclass(frozen=True, slots=True)
class Action:
    """One command: its id, words, shortcut, icon, and what it runs; `menu` groups it."""

    id: str
    title: str
    shortcut: str
    icon: str
    tooltip: str
    run: Callable[[Shell], None]
    menu: str = "app"

    @property
    def words(self) -> str:
        """The title in the user's language."""
        return QCoreApplication.translate("actions", self.title)

    @property
    def explained(self) -> str:
        """The tooltip in the user's language, with the shortcut."""
        words = QCoreApplication.translate("actions", self.tooltip)
        return f"{words} ({self.shortcut})" if self.shortcut else words


def _noop(text: str) -> str:
    """Mark a text for translation."""
    return str(QT_TRANSLATE_NOOP("actions", text))


ACTIONS: tuple[Action, ...] = (
    Action(
        "library.add_folder", _noop("Add folder…"), "Ctrl+O", "folder-add",
        _noop("Add a folder of photos to the library"), lambda s: s.choose_folder(), "library",
    ),
    Action(
        "library.index_again", _noop("Look for changes"), "F5", "refresh",
        _noop("Read the folders of the library again"), lambda s: s.index_again(), "library",
    ),
    Action(
        "edit.undo", _noop("Undo"), "Ctrl+Z", "undo",
        _noop("Take back what you decided last"), lambda s: s.outgoing.undo(), "edit",
    ),
    Action(
        "photos.export", _noop("Export a copy…"), "Ctrl+E", "export",
        _noop("Copy the chosen photos for others, without what they say of you"),
        lambda s: s.outgoing.export(), "photos",
    ),
    Action(
        "photos.sidecars", _noop("Write sidecars…"), "", "sidecar",
        _noop("Write titles, ratings, tags and positions beside the chosen photos"),
        lambda s: s.outgoing.write_sidecars(), "photos",
    ),
    Action(
        "photos.trash", _noop("Move to trash…"), "Del", "trash",
        _noop("Move the chosen photos to the system's trash"),
        lambda s: s.outgoing.trash(), "photos",
    ),
    Action(
        "search.focus", _noop("Search"), "Ctrl+F", "search",
        _noop("Describe a photo"), lambda s: s.focus_search(), "search",
    ),
    Action(
        "search.choose_reference", _noop("Search from a file…"), "Ctrl+Shift+O", "photo-add",
        _noop("Choose a photo to start from"), lambda s: s.choose_reference(), "search",
    ),
    Action(
        "search.use_current", _noop("Use this photo as reference"), "Ctrl+R", "photo",
        _noop("Search from the current photo"), lambda s: s.use_current_as_reference(), "search",
    ),
    Action(
        "search.why", _noop("Why these photos?"), "Ctrl+I", "why",
        _noop("Show the steps, counts and checks"), lambda s: s.toggle_why(), "search",
    ),
    Action(
        "search.right", _noop("This is it"), "Ctrl+Y", "right-mark",
        _noop("Say that the chosen results are right; later searches learn from it"),
        lambda s: s.judge_chosen(True), "search",
    ),
    Action(
        "search.wrong", _noop("Not this"), "Ctrl+Shift+Y", "wrong-mark",
        _noop("Say that the chosen results are wrong; later searches learn from it"),
        lambda s: s.judge_chosen(False), "search",
    ),
    Action(
        "story.focus", _noop("Story…"), "Ctrl+K", "story",
        _noop("Have some photos tell a story"), lambda s: s.focus_story(), "story",
    ),
    Action(
        "view.photos", _noop("Photos"), "Alt+1", "photos",
        _noop("Show the whole library"), lambda s: s.show_place("library"), "view",
    ),
    Action(
        "view.search", _noop("Results"), "Alt+2", "search",
        _noop("Show the results of the last search"), lambda s: s.show_place("search"), "view",
    ),
    Action(
        "view.stories", _noop("Stories"), "Alt+3", "story",
        _noop("Show the stories"), lambda s: s.show_place("story"), "view",
    ),
    Action(
        "view.problems", _noop("Problems"), "Alt+4", "problem",
        _noop("Show the files that are not in the library"),
        lambda s: s.show_place("problems"), "view",
    ),
    Action(
        "view.larger", _noop("Larger"), "Ctrl++", "larger",
        _noop("Make the pictures larger"), lambda s: s.zoom(1), "view",
    ),
    Action(
        "view.smaller", _noop("Smaller"), "Ctrl+-", "smaller",
        _noop("Make the pictures smaller"), lambda s: s.zoom(-1), "view",
    ),
    Action(
        "view.theme", _noop("Light or dark"), "Ctrl+Shift+L", "moon",
        _noop("Change between the light and the dark look"), lambda s: s.toggle_theme(), "view",
    ),
    Action(
        "app.escape", _noop("Cancel"), "Esc", "close",
        _noop("Stop, close or clear"), lambda s: s.escape(),
    ),
    Action(
        "app.shortcuts", _noop("Keyboard shortcuts"), "F1", "keyboard",
        _noop("Show every shortcut"), lambda s: s.show_shortcuts(),
    ),
    Action(
        "app.quit", _noop("Quit"), "Ctrl+Q", "close",
        _noop("Close the window"), lambda s: s.leave(),
    ),
)  # fmt: skip
