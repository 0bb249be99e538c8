"""The library in capture order, grouped by day and session."""

from datetime import date
from itertools import groupby

from sqlalchemy import Row, select

from core.domain.photo import PhotoId
from core.domain.timeline import TimelineSection
from core.store.database import Database
from core.store.tables import FileRow, PhotoRow, SessionPhotoRow, SessionRow


def load_timeline(database: Database) -> list[TimelineSection]:
    """Every photo that has a file: newest day first, photos of a day in order, undated last."""
    statement = (
        select(PhotoRow.id, PhotoRow.taken_local, SessionRow.id, SessionRow.place)
        .outerjoin(SessionPhotoRow, SessionPhotoRow.photo_id == PhotoRow.id)
        .outerjoin(SessionRow, SessionRow.id == SessionPhotoRow.session_id)
        .where(PhotoRow.id.in_(select(FileRow.photo_id)))
        .order_by(PhotoRow.order_key, PhotoRow.content_hash)
    )
    with database.read() as connection:
        rows = connection.execute(statement).all()
    sections = [_section(key, list(members)) for key, members in groupby(rows, _day_and_session)]
    dated = [section for section in sections if section.day is not None]
    undated = [photo for s in sections if s.day is None for photo in s.photo_ids]
    dated.sort(key=lambda section: section.day or date.min, reverse=True)
    return dated + ([TimelineSection(None, None, "", tuple(undated))] if undated else [])


def _day_and_session(row: Row[tuple[int, str | None, int, str]]) -> tuple[str | None, int | None]:
    return (row[1][:10] if row[1] else None), row[2]


def _section(
    key: tuple[str | None, int | None], members: list[Row[tuple[int, str | None, int, str]]]
) -> TimelineSection:
    day, session = key
    return TimelineSection(
        date.fromisoformat(day) if day else None,
        session,
        members[0][3] or "",
        tuple(PhotoId(row[0]) for row in members),
    )
