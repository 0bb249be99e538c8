"""Rung 2: tags with kinds, companions of files, decisions of the user, the look of pixels."""

VERSION = 2

_MATTERS = (
    *("content_hash", "order_key", "contributor", "latitude", "longitude", "taken_local"),
    *("taken_offset_s", "taken_zone", "taken_source", "taken_precision"),
    *("place_name", "place_region", "place_country", "place_locality"),
)
"""What sessions, homes and the order of photos depend on."""


def _mark(row: str, source: str) -> str:
    """A statement that notes the hour of a photo; without a conflict clause, which the statement
    that fires a trigger would override."""
    hour = f"CAST({row}.order_key / 3600 AS INTEGER)"
    return f"""INSERT INTO stale SELECT 0, 'photos', {row}.contributor, {hour}, {hour} {source}
        WHERE {row}.order_key IS NOT NULL AND NOT EXISTS (SELECT 1 FROM stale WHERE taken = 0
            AND what = 'photos' AND contributor = {row}.contributor
            AND first_hour = {hour} AND last_hour = {hour})"""


def _mark_file(row: str) -> str:
    """The same for the photo that a file holds."""
    return _mark("photo", f"FROM (SELECT * FROM photos WHERE id = {row}.photo_id) AS photo")


STATEMENTS = (
    """CREATE TABLE tags (photo_id INTEGER NOT NULL REFERENCES photos (id), kind TEXT NOT NULL,
        levels TEXT NOT NULL, source TEXT NOT NULL, region_left REAL, region_top REAL,
        region_width REAL, region_height REAL,
        PRIMARY KEY (photo_id, kind, levels, source)) WITHOUT ROWID""",
    "CREATE INDEX tags_by_name ON tags (kind, levels)",
    # keywords were one text, separated by character 31
    """INSERT OR IGNORE INTO tags (photo_id, kind, levels, source)
        WITH RECURSIVE word (id, one, rest) AS (
            SELECT id, '', keywords || char(31) FROM photos WHERE keywords <> ''
            UNION ALL
            SELECT id, substr(rest, 1, instr(rest, char(31)) - 1),
                substr(rest, instr(rest, char(31)) + 1)
            FROM word WHERE rest <> '')
        SELECT id, 'keyword', replace(one, '|', '/'), 'file' FROM word WHERE one <> ''""",
    "ALTER TABLE photos DROP COLUMN keywords",
    "ALTER TABLE photos ADD COLUMN taken_correction_s REAL NOT NULL DEFAULT 0",
    "ALTER TABLE photos ADD COLUMN rating INTEGER",
    "ALTER TABLE photos ADD COLUMN point_source TEXT",
    "ALTER TABLE photos ADD COLUMN kind_reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE photos ADD COLUMN duration_s REAL",
    "ALTER TABLE photos ADD COLUMN perceptual_hash TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE photos ADD COLUMN sharpness REAL",
    "ALTER TABLE photos ADD COLUMN clipped REAL",
    "ALTER TABLE photos ADD COLUMN note TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE photos ADD COLUMN place_locality TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE photos ADD COLUMN place_own INTEGER NOT NULL DEFAULT 0",
    "UPDATE photos SET point_source = 'EXIF' WHERE latitude IS NOT NULL",
    "DROP INDEX photos_by_time",
    "CREATE INDEX photos_by_time ON photos (order_key, content_hash)",
    "CREATE INDEX photos_by_contributor ON photos (contributor, order_key)",
    "CREATE INDEX photos_by_pixels ON photos (pixel_hash)",
    # counts and searches for what is missing read this, a hundredth of the vectors' bytes
    "CREATE INDEX vectors_by_photo ON vectors (model, photo_id)",
    "CREATE INDEX photos_without_look ON photos (id) WHERE sharpness IS NULL",
    """CREATE TABLE companions (main BLOB NOT NULL, path BLOB NOT NULL, role TEXT NOT NULL,
        size INTEGER NOT NULL, modified_ns INTEGER NOT NULL,
        PRIMARY KEY (main, path)) WITHOUT ROWID""",
    # formats that could not be read may be readable by now: they are tried again
    "DELETE FROM problems WHERE reason <> 'empty' AND reason <> 'broken_link'",
    """CREATE TABLE decisions (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        value TEXT NOT NULL, made_at TEXT NOT NULL)""",
    """CREATE TABLE recorded (photo_id INTEGER PRIMARY KEY REFERENCES photos (id),
        facts TEXT NOT NULL)""",
    # a home that was a fact, "latitude,longitude", becomes a decision
    """INSERT INTO decisions (kind, value, made_at)
        SELECT 'HomeSet', json_object('point', json_object(
            'latitude', CAST(substr(value, 1, instr(value, ',') - 1) AS REAL),
            'longitude', CAST(substr(value, instr(value, ',') + 1) AS REAL))),
            strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')
        FROM facts WHERE name = 'home' AND instr(value, ',') > 1""",
    "DELETE FROM facts WHERE name = 'home'",
    "ALTER TABLE sessions ADD COLUMN start_key REAL NOT NULL DEFAULT 0",
    "ALTER TABLE sessions ADD COLUMN end_key REAL NOT NULL DEFAULT 0",
    "CREATE INDEX sessions_by_start ON sessions (start_key)",
    "CREATE INDEX sessions_by_length ON sessions (end_key - start_key)",
    "ALTER TABLE sessions ADD COLUMN first_photo INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sessions ADD COLUMN last_photo INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sessions ADD COLUMN photo_count INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE sessions ADD COLUMN weak INTEGER NOT NULL DEFAULT 0",
    """UPDATE sessions SET photo_count = (
        SELECT count(*) FROM session_photos WHERE session_id = sessions.id)""",
    *(
        f"""UPDATE sessions SET {column} = (SELECT photo_id FROM session_photos
            WHERE session_id = sessions.id ORDER BY position {order} LIMIT 1)"""
        for column, order in (("first_photo", "ASC"), ("last_photo", "DESC"))
    ),
    """UPDATE sessions SET
        start_key = (SELECT order_key FROM photos WHERE id = first_photo),
        end_key = (SELECT order_key FROM photos WHERE id = last_photo)""",
    # what must be renewed: stretches of hours since 1970, noted by whatever changes a photo
    """CREATE TABLE stale (taken INTEGER NOT NULL, what TEXT NOT NULL, contributor TEXT NOT NULL,
        first_hour INTEGER NOT NULL, last_hour INTEGER NOT NULL,
        PRIMARY KEY (taken, what, contributor, first_hour, last_hour)) WITHOUT ROWID""",
    f"""CREATE TRIGGER stale_file_new AFTER INSERT ON files
        WHEN NOT EXISTS (SELECT 1 FROM files WHERE photo_id = new.photo_id AND path <> new.path)
        BEGIN {_mark_file("new")}; END""",
    f"""CREATE TRIGGER stale_file_gone AFTER DELETE ON files
        WHEN NOT EXISTS (SELECT 1 FROM files WHERE photo_id = old.photo_id)
        BEGIN {_mark_file("old")}; END""",
    f"""CREATE TRIGGER stale_file_other AFTER UPDATE OF photo_id ON files
        WHEN old.photo_id <> new.photo_id
        BEGIN {_mark_file("old")}; {_mark_file("new")}; END""",
    f"""CREATE TRIGGER stale_photo AFTER UPDATE OF {", ".join(_MATTERS)} ON photos
        WHEN {" OR ".join(f"old.{name} IS NOT new.{name}" for name in _MATTERS)}
        BEGIN {_mark("old", "")}; {_mark("new", "")}; END""",
    """CREATE TABLE visits (day INTEGER NOT NULL, north INTEGER NOT NULL, east INTEGER NOT NULL,
        PRIMARY KEY (day, north, east)) WITHOUT ROWID""",
    """CREATE TABLE homes (month INTEGER PRIMARY KEY, latitude REAL NOT NULL,
        longitude REAL NOT NULL)""",
    # all that an older version had is made again with the next index run
    """INSERT INTO stale SELECT 0, 'photos', '', -1000000000, 1000000000
        WHERE EXISTS (SELECT 1 FROM photos)""",
)
