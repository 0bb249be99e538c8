"""The Qt model of the library's grid."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from app.widgets.item_model import GridSection, PictureModel, Pictures
from app.words import day_in_words, photos_in_words, short_day, time_span
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

    def shows(self, content: TimelineContent) -> bool:
        """Whether it shows just this already."""
        same = np.array_equal(self.pictures, content.pictures)
        return same and self.sections == content.sections


def prepare(timeline: Sequence[TimelineSection]) -> TimelineContent:
    """Make a timeline ready for the grid; may run on any thread."""
    ids = chain.from_iterable(section.photo_ids for section in timeline)
    pictures = np.fromiter(ids, np.int64)
    a_day = Counter(section.day for section in timeline)
    headers = (_section(section, alone=a_day[section.day] == 1) for section in timeline)
    return TimelineContent(pictures, tuple(headers))


def _section(section: TimelineSection, alone: bool) -> GridSection:
    """One header; sessions that share a day are told apart by their time and place."""
    number = len(section.photo_ids)
    parts = [section.place, photos_in_words(number)]
    if not alone and section.begins and section.ends:
        parts.insert(0, time_span(section.begins, section.ends))
    detail = "  ·  ".join(part for part in parts if part)
    short = short_day(section.day) if section.day else ""
    return GridSection(day_in_words(section.day), detail, number, short)
