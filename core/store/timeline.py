"""The library in capture order, grouped by day and session."""

from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select

from core.domain.moment import Precision
from core.domain.photo import PhotoId
from core.domain.timeline import TimelineSection
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow, SessionPhotoRow, SessionRow


def load_timeline(database: Database) -> list[TimelineSection]:
    """Every photo that has a file: newest day first, photos of a day in order, undated last."""
    statement = (
        select(
            PhotoRow.id,
            PhotoRow.taken_local,
            PhotoRow.taken_precision,
            SessionRow.id,
            SessionRow.place,
        )
        .outerjoin(SessionPhotoRow, SessionPhotoRow.photo_id == PhotoRow.id)
        .outerjoin(SessionRow, SessionRow.id == SessionPhotoRow.session_id)
        .where(PhotoRow.id.in_(select(FileRow.photo_id)))
        .order_by(PhotoRow.order_key, PhotoRow.content_hash)
    )
    with database.read() as connection:
        rows = [_Entry(*row) for row in connection.execute(statement).all()]
    groups: dict[tuple[date | None, int | None], list[_Entry]] = {}
    for entry in rows:  # sessions may overlap: two cameras, or times that only the files tell
        groups.setdefault((entry.day, entry.session_id), []).append(entry)
    sections = [_section(members) for members in groups.values()]
    dated = [section for section in sections if section.day is not None]
    undated = [photo for s in sections if s.day is None for photo in s.photo_ids]
    dated.sort(key=lambda section: section.day or date.min, reverse=True)
    return dated + ([TimelineSection(None, None, "", tuple(undated))] if undated else [])


class _Entry(NamedTuple):
    photo_id: int
    taken_local: str | None
    precision: str | None
    session_id: int | None
    place: str | None

    @property
    def day(self) -> date | None:
        return date.fromisoformat(self.taken_local[:10]) if self.taken_local else None

    @property
    def moment(self) -> str | None:
        """The local time in ISO words, where it is known to the second."""
        return self.taken_local if self.precision == Precision.SECOND else None


def _section(members: list[_Entry]) -> TimelineSection:
    first = members[0]
    ids = tuple(PhotoId(member.photo_id) for member in members)
    moments = [member.moment for member in members if member.moment]
    begins, ends = (
        (datetime.fromisoformat(min(moments)), datetime.fromisoformat(max(moments)))
        if moments
        else (None, None)
    )
    return TimelineSection(first.day, first.session_id, first.place or "", ids, begins, ends)
