"""Stores a real library of the present version for the tests of migrations.

    python -m tests.data.libraries.make_library

Run it once, when a new rung of the ladder is finished, and never again for that version: a stored
library is what users of that version have. It holds seven drawn scenes, a copy, a
broken file, a judgement and one decision of every kind; its paths lie under /photos/trips.
"""

import gzip
import sqlite3
import sys
import tempfile
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path
from shutil import copyfile

from core.domain.decision import (
    ClockShift,
    ContributorSet,
    DecisionValue,
    Geotag,
    HomeSet,
    KindSet,
    PlaceNamed,
    RatingSet,
    SessionsJoined,
    SessionStart,
    TagsSet,
    TitleSet,
)
from core.domain.photo import PhotoId, PhotoKind
from core.domain.place import GeoPoint
from core.domain.query import ComposedQuery
from core.domain.tag import Tag, TagKind
from core.engine import Engine, SearchOptions
from core.progress import Progress
from core.store.migrations.ladder import NEWEST
from tests.core.pictures import AREZZO, FAKES, SCENES, draw

HERE = Path(__file__).resolve().parent
SHOWN = b"/photos/trips"


def make(folder: Path) -> Path:
    """A library of everything in a new folder; returns its closed database."""
    photos = folder / "trips"
    for scene in SCENES:
        draw(photos, scene)
    copyfile(photos / "rose.jpg", photos / "rose copy.jpg")
    (photos / "broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    engine = Engine.open(folder / "library", FAKES)
    engine.index([photos], Progress())
    ids = {path.stem: engine.library.photos.id_at(path) for path in photos.iterdir()}
    found = {name: photo for name, photo in ids.items() if photo is not None}
    answer = engine.search(ComposedQuery("red"), SearchOptions(), Progress())
    engine.judge(answer.query_id, [photos / "rose.jpg"], [photos / "sky.jpg"])
    for value in decisions(found, engine.photos([found["canyon"]])[0].facts.contributor):
        engine.decide(value, Progress())
    engine.library.database.checkpoint()
    engine.close()
    with closing(sqlite3.connect(folder / "library" / "library.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        _hide_folder(connection, photos)
        connection.commit()
        connection.execute("VACUUM")
    return folder / "library" / "library.sqlite"


def decisions(ids: dict[str, PhotoId], device: str) -> list[DecisionValue]:
    """One of every kind but judgements, which are made where queries are."""
    rose, flag, lake, meadow, canyon, sky, night = (
        ids[name] for name in ("rose", "flag", "lake", "meadow", "canyon", "sky", "night")
    )
    day = datetime(2022, 10, 1)
    return [
        ClockShift(device, day, day + timedelta(days=1), timedelta(minutes=7)),
        Geotag(((night, GeoPoint(38.6, -109.6)),)),
        ContributorSet((flag,), "Ada"),
        KindSet((meadow,), PhotoKind.SCREENSHOT),
        TitleSet((lake,), "The lake"),
        RatingSet((rose,), 5),
        TagsSet(
            (lake,), added=(Tag(TagKind.KEYWORD, ("holiday",)), Tag(TagKind.KEYWORD, ("lake",)))
        ),
        SessionStart(lake),
        SessionsJoined(canyon, sky),
        PlaceNamed("Grandma's", GeoPoint(*AREZZO), 2.0),
        HomeSet(GeoPoint(*AREZZO), date(2020, 1, 1)),
    ]


def _hide_folder(connection: sqlite3.Connection, photos: Path) -> None:
    """Paths as if the photos lay where every stored library says."""
    here = str(photos).encode()
    for table, column in (
        ("roots", "path"), ("files", "path"), ("problems", "path"),
        ("companions", "path"), ("companions", "main"),
    ):  # fmt: skip
        connection.execute(
            f'UPDATE "{table}" SET "{column}" = CAST(? || substr("{column}", ?) AS BLOB)',
            (SHOWN, len(here) + 1),
        )
    connection.execute("DELETE FROM facts WHERE name NOT LIKE 'vectors:%' "
                       "AND name NOT IN ('last_indexed', 'sessions_made_with')")  # fmt: skip


def main() -> int:
    """Store the library of this version unless there is one."""
    target = HERE / f"version-{NEWEST}.sqlite.gz"
    if target.exists():
        sys.stderr.write(f"{target.name} is stored already\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        content = make(Path(folder)).read_bytes()
    target.write_bytes(gzip.compress(content, 9, mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
