"""What is forgotten on request alone: photos that no file holds any longer."""

from core.domain.photo import ContentHash
from core.store.database import Database

_PAGE = 500
_TABLES = (
    ("vectors", "photo_id"),
    ("concepts", "photo_id"),
    ("profile_text", "rowid"),
    ("tags", "photo_id"),
    ("recorded", "photo_id"),
    ("judgements", "photo_id"),
    ("session_photos", "photo_id"),
    ("photos", "id"),
)


def purge_lost_photos(database: Database) -> list[ContentHash]:
    """Forget every photo that has no file, with all that was seen and said of it.

    Returns their contents. Decisions that name them stay, and change nothing.
    """
    purged: list[ContentHash] = []
    statement = (
        "SELECT id, content_hash FROM photos WHERE NOT EXISTS "
        f"(SELECT 1 FROM files WHERE photo_id = photos.id) ORDER BY id LIMIT {_PAGE}"
    )
    while True:
        with database.write() as connection:
            page = connection.exec_driver_sql(statement).all()
            marks = ",".join(str(int(row[0])) for row in page)
            for table, column in _TABLES if page else ():
                connection.exec_driver_sql(f"DELETE FROM {table} WHERE {column} IN ({marks})")
        if not page:
            return purged
        purged += [ContentHash(row[1]) for row in page]
