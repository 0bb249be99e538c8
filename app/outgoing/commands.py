"""The commands that take photos out of the library: each asks before it does."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from app.outgoing.controller import OutgoingController
from app.outgoing.words import (
    export_in_words,
    sidecars_in_words,
    trash_in_words,
    trashing_in_words,
    undone_in_words,
)
from app.widgets.confirm_dialog import ConfirmDialog
from app.widgets.message_bar import MessageBar, MessageKind
from app.words import photos_in_words
from core.domain.photo import PhotoId
from core.export.copies import ExportOptions
from core.export.trash import Trashing

Chosen = Callable[[], Sequence[PhotoId]]
Told = tuple[str, str]
"""A message, and what the user may want to look at (often nothing)."""


class OutgoingCommands(QObject):
    """What the user can do with the photos that are chosen; `dialog` is the one asked last."""

    def __init__(
        self, controller: OutgoingController, chosen: Chosen, messages: MessageBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._controller, self._chosen = controller, chosen
        self._messages, self._window = messages, window
        self.dialog: ConfirmDialog | None = None
        controller.exported.connect(lambda report: self._tell(export_in_words(report)))
        controller.sidecars_written.connect(lambda report: self._tell(sidecars_in_words(report)))
        controller.trash_counted.connect(self._ask_trash)
        controller.trashed.connect(lambda report: self._tell(trash_in_words(report)))
        controller.undone.connect(lambda decision: self._tell(undone_in_words(decision)))

    def export(self) -> None:
        """Copy the chosen photos into a folder that the user chooses."""
        ids = self._ids()
        if not ids:
            return
        dialog = ConfirmDialog(
            self.tr("Export {}").format(photos_in_words(len(ids))),
            self.tr(
                "The copies say nothing of places, names, faces and cameras' serial numbers, and "
                "hold no hidden previews. When they were taken stays."
            ),
            self.tr("Choose a folder…"),
            self._window,
        )
        dialog.offer(self.tr("Copy the files with all that they say"))
        self._open(dialog, lambda: self._export_to(ids, dialog.choice.isChecked()))

    def write_sidecars(self) -> None:
        """Write what is known of the chosen photos beside them."""
        ids = self._ids()
        if not ids:
            return
        dialog = ConfirmDialog(
            self.tr("Write sidecars of {}?").format(photos_in_words(len(ids))),
            self.tr(
                "Titles, ratings, tags, faces, positions and dates go into XMP files beside the "
                "photos, where other programs read them. The photos themselves stay as they are, "
                "and so does what others wrote into such files."
            ),
            self.tr("Write"),
            self._window,
        )
        self._open(dialog, lambda: self._controller.write_sidecars(ids))

    def trash(self) -> None:
        """Move the chosen photos to the trash, once the user has seen how many files that are."""
        ids = self._ids()
        if ids:
            self._controller.count_trash(ids)

    def undo(self) -> None:
        """Take the newest decision back."""
        self._controller.undo()

    def _ids(self) -> Sequence[PhotoId]:
        ids = self._chosen()
        if not ids:
            self._messages.tell(
                self.tr("No photo is chosen."),
                self.tr("Click one; hold Shift or Ctrl to choose several."),
            )
        return ids

    def _ask_trash(self, asked: Trashing) -> None:
        title, text = trashing_in_words(asked)
        dialog = ConfirmDialog(title, text, self.tr("Move to the trash"), self._window)
        self._open(dialog, lambda: self._controller.trash(asked.photos))
        dialog.cancel_button.setFocus()  # a stray Enter moves nothing

    def _export_to(self, ids: Sequence[PhotoId], keep_private: bool) -> None:
        pictures = QStandardPaths.StandardLocation.PicturesLocation
        folder = QFileDialog.getExistingDirectory(
            self._window,
            self.tr("Where should the copies go?"),
            QStandardPaths.writableLocation(pictures),
        )
        if folder:
            options = ExportOptions(keep_private=keep_private)
            self._controller.export(ids, Path(folder), options)

    def _open(self, dialog: ConfirmDialog, do: Callable[[], object]) -> None:
        self.dialog = dialog
        dialog.accept_button.setFocus()
        dialog.accepted.connect(do)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _tell(self, told: Told) -> None:
        message, advice = told
        self._messages.tell(message, advice, MessageKind.NOTE if advice else MessageKind.DONE)
