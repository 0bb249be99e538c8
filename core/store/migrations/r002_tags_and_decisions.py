"""Rung 2: tags with kinds, companions of files, decisions of the user, the look of pixels."""

VERSION = 2

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
    # sessions are made again with the next index run, all of them
    "UPDATE facts SET value = '' WHERE name = 'sessions_made_with'",
)
