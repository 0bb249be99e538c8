"""The Qt model of the library's grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from PySide6.QtCore import QCoreApplication

from app.widgets.item_model import GridSection, PictureModel, Pictures
from app.words import count_in_words, day_in_words, short_day
from core.domain.timeline import TimelineSection


@dataclass(frozen=True, slots=True)
class TimelineContent:
    """A timeline made ready for the grid, so that the GUI thread has nothing to compute."""

    pictures: Pictures
    sections: tuple[GridSection, ...]


class TimelineModel(PictureModel):
    """The whole library, by day and session."""

    def show_timeline(self, content: TimelineContent) -> None:
        """Show this timeline from now on."""
        self.show(content.pictures, content.sections)


def prepare(timeline: Sequence[TimelineSection]) -> TimelineContent:
    """Make a timeline ready for the grid; may run on any thread."""
    ids = chain.from_iterable(section.photo_ids for section in timeline)
    pictures = np.fromiter(ids, np.int64)
    return TimelineContent(pictures, tuple(map(_section, timeline)))


def _section(section: TimelineSection) -> GridSection:
    number = len(section.photo_ids)
    many = QCoreApplication.translate("library", "{} photos").format(count_in_words(number))
    counted = many if number != 1 else QCoreApplication.translate("library", "1 photo")
    detail = f"{section.place}  ·  {counted}" if section.place else counted
    short = short_day(section.day) if section.day else ""
    return GridSection(day_in_words(section.day), detail, number, short)
