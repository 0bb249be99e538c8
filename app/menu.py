"""The commands as Qt actions: on keys, and in a menu."""

from functools import partial

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

from app.actions import ACTIONS, Action, Shell
from app.theme import Theme
from app.widgets.labels import dress


def make_commands(shell: Shell, window: QMainWindow, theme: Theme) -> dict[str, QAction]:
    """One Qt action a command, by its id; the window hears their shortcuts."""
    made = {action.id: _command(action, shell, window) for action in ACTIONS}

    def paint_icons() -> None:
        for action in ACTIONS:
            made[action.id].setIcon(theme.icon(action.icon))

    theme.changed.connect(paint_icons)
    paint_icons()
    return made


def menu_button(theme: Theme) -> QToolButton:
    """The button that holds the menu of all commands."""
    made = QToolButton()
    dress(made, theme, "menu")
    made.setToolTip(made.tr("All commands"))
    made.setAccessibleName(made.tr("All commands"))
    made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return made


def menu_of(commands: dict[str, QAction], window: QMainWindow) -> QMenu:
    """A menu of all commands, in groups."""
    menu, group = QMenu(window), ""
    for action in ACTIONS:
        if group and action.menu != group:
            menu.addSeparator()
        group = action.menu
        menu.addAction(commands[action.id])
    return menu


def _command(action: Action, shell: Shell, window: QMainWindow) -> QAction:
    command = QAction(action.words, window)
    command.setObjectName(action.id)
    command.setShortcut(QKeySequence(action.shortcut))
    command.setToolTip(action.explained)
    command.triggered.connect(partial(_run, action, shell))
    window.addAction(command)
    return command


def _run(action: Action, shell: Shell, _checked: bool = False) -> None:
    action.run(shell)
