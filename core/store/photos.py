"""Photos and the files that hold them."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import RowMapping, bindparam, delete, func, select, update

from core.domain.moment import CaptureTime
from core.domain.photo import ContentHash, FileStamp, Photo, PhotoFacts, PhotoId
from core.domain.place import GeoPoint
from core.domain.tag import Tag
from core.errors import NotInLibrary
from core.store.below import Below, StampRow, rows_below
from core.store.companions import companions_of
from core.store.database import Database
from core.store.photo_rows import facts_of_row, values_of_facts
from core.store.slices import batches
from core.store.tables import CompanionRow, FileRow, PhotoRow, RootRow
from core.store.tags import replace_tags, tags_of
from core.store.upsert import upsert_of

_HAS_CONTENT = "SELECT 1 FROM photos WHERE content_hash = ?"
_PAGE = 10_000
_OFFLINE_ROOTS = select(RootRow.path).where(RootRow.offline)


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as the library last saw it."""

    stamp: FileStamp
    photo_id: PhotoId


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """What sessions are made of: a photo's place in time and space."""

    photo_id: PhotoId
    content_hash: ContentHash
    taken: CaptureTime | None
    order_key: float | None
    point: GeoPoint | None
    contributor: str
    place: str


class PhotoStore:
    """Reads and writes photos; writes join the database's open transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        save = upsert_of(PhotoRow, "content_hash", leave=("id",))
        self._save_photo = save.returning(PhotoRow.id)
        self._save_file = upsert_of(FileRow, "path")
        self._set_photo = update(PhotoRow).where(PhotoRow.id == bindparam("photo"))

    def save(self, facts: PhotoFacts, stamp: FileStamp) -> PhotoId:
        """Keep a photo and the file that holds it; a known photo keeps its id."""
        with self._database.write() as connection:
            values = values_of_facts(facts)
            photo_id = PhotoId(connection.execute(self._save_photo, values).scalar_one())
            replace_tags(connection, photo_id, facts.tags)
            self.attach(photo_id, stamp)
        return photo_id

    def set_facts(self, photo_id: PhotoId, facts: PhotoFacts) -> None:
        """Replace all that is known of a photo, its content's hash too; its files stay."""
        with self._database.write() as connection:
            connection.execute(self._set_photo, {"photo": photo_id, **values_of_facts(facts)})
            replace_tags(connection, photo_id, facts.tags)

    def attach(self, photo_id: PhotoId, stamp: FileStamp) -> None:
        """Say that a file holds a known photo (a copy, a move, a rename)."""
        values = {
            "path": stamp.path,
            "photo_id": photo_id,
            "size": stamp.size,
            "modified_ns": stamp.modified_ns,
        }
        with self._database.write() as connection:
            connection.execute(self._save_file, values)

    def detach(self, paths: Iterable[Path]) -> int:
        """Forget files and their companions (not their photos); returns how many were known."""
        removed = 0
        with self._database.write() as connection:
            for batch in batches(list(paths)):
                result = connection.execute(delete(FileRow).where(FileRow.path.in_(batch)))
                removed += result.rowcount
                connection.execute(delete(CompanionRow).where(CompanionRow.main.in_(batch)))
        return removed

    def known_files(self, paths: Sequence[Path]) -> dict[Path, KnownFile]:
        """Which of the files the library knows, and as what."""
        found: dict[Path, KnownFile] = {}
        with self._database.read() as connection:
            for batch in batches(paths):
                held = select(FileRow.__table__).where(FileRow.path.in_(batch))
                for row in connection.execute(held):
                    stamp = FileStamp(row.path, row.size, row.modified_ns)
                    found[row.path] = KnownFile(stamp, PhotoId(row.photo_id))
        return found

    def below(self, below: Below) -> Iterator[StampRow]:
        """The stamps of the known files below a folder, by path."""
        columns = "path, size, modified_ns"
        for row in rows_below(self._database, "files", columns, ("path",), below):
            yield row[0], row[1], row[2]

    def files_under(self, folder: Path) -> Iterator[Path]:
        """Every known file below a folder, by path."""
        return (Path(os.fsdecode(row[0])) for row in self.below(Below(folder)))

    def has_content(self, content_hash: ContentHash) -> bool:
        """Whether the library has a photo of that content."""
        with self._database.read() as connection:
            found = connection.exec_driver_sql(_HAS_CONTENT, (content_hash,))
            return found.scalar_one_or_none() is not None

    def file_counts(self, ids: Sequence[PhotoId]) -> dict[PhotoId, int]:
        """How many files each of these photos has; those without any are left out."""
        found: dict[PhotoId, int] = {}
        with self._database.read() as connection:
            for batch in batches(ids):
                statement = select(FileRow.photo_id, func.count()).group_by(FileRow.photo_id)
                rows = connection.execute(statement.where(FileRow.photo_id.in_(batch)))
                found.update((PhotoId(photo_id), int(count)) for photo_id, count in rows)
        return found

    def ids_by_pixels(self, pixel_hashes: Sequence[str]) -> dict[str, list[PhotoId]]:
        """The photos of the library that show these pixels, oldest first."""
        found: dict[str, list[PhotoId]] = {}
        with self._database.read() as connection:
            for batch in batches([pixels for pixels in pixel_hashes if pixels]):
                statement = select(PhotoRow.pixel_hash, PhotoRow.id).order_by(PhotoRow.id)
                for row in connection.execute(statement.where(PhotoRow.pixel_hash.in_(batch))):
                    found.setdefault(row.pixel_hash, []).append(PhotoId(row.id))
        return found

    def ids_by_hash(self, hashes: Sequence[ContentHash]) -> dict[ContentHash, PhotoId]:
        """The ids of the photos among these that the library has."""
        found: dict[ContentHash, PhotoId] = {}
        with self._database.read() as connection:
            for batch in batches(hashes):
                statement = select(PhotoRow.content_hash, PhotoRow.id)
                for row in connection.execute(statement.where(PhotoRow.content_hash.in_(batch))):
                    found[ContentHash(row.content_hash)] = PhotoId(row.id)
        return found

    def photos(self, ids: Sequence[PhotoId]) -> list[Photo]:
        """Photos in the order of `ids`, files of offline folders last; raises NotInLibrary."""
        rows: dict[int, RowMapping] = {}
        files: dict[int, list[FileStamp]] = {}
        tags: dict[int, tuple[Tag, ...]] = {}
        with self._database.read() as connection:
            for batch in batches(ids):
                for row in connection.execute(
                    select(PhotoRow.__table__).where(PhotoRow.id.in_(batch))
                ).mappings():
                    rows[row["id"]] = row
                held = (
                    select(FileRow.__table__)
                    .where(FileRow.photo_id.in_(batch))
                    .order_by(FileRow.path)
                )
                for file in connection.execute(held):
                    stamp = FileStamp(file.path, file.size, file.modified_ns)
                    files.setdefault(file.photo_id, []).append(stamp)
                tags |= tags_of(connection, batch)
            paths = [stamp.path for stamps in files.values() for stamp in stamps]
            companions = companions_of(connection, paths)
            _reachable_first(files, connection.execute(_OFFLINE_ROOTS).scalars().all())
        missing = [i for i in ids if i not in rows or i not in files]
        if missing:
            raise NotInLibrary(f"No photo {missing[0]} in this library.", "Search again.")
        return [
            Photo(
                i,
                facts_of_row(rows[i], tags.get(i, ())),
                tuple(files[i]),
                tuple(one for stamp in files[i] for one in companions.get(stamp.path, ())),
            )
            for i in ids
        ]

    def paths(self, ids: Sequence[PhotoId]) -> dict[PhotoId, Path]:
        """The file to show of each photo among these that has one; reads nothing else."""
        files: dict[int, list[FileStamp]] = {}
        with self._database.read() as connection:
            for batch in batches(ids):
                held = select(FileRow.__table__).where(FileRow.photo_id.in_(batch))
                for row in connection.execute(held.order_by(FileRow.path)):
                    stamp = FileStamp(row.path, row.size, row.modified_ns)
                    files.setdefault(row.photo_id, []).append(stamp)
            _reachable_first(files, connection.execute(_OFFLINE_ROOTS).scalars().all())
        return {PhotoId(photo_id): stamps[0].path for photo_id, stamps in files.items()}

    def id_at(self, path: Path) -> PhotoId | None:
        """The photo that a file holds, None where the library does not know the file."""
        statement = select(FileRow.photo_id).where(FileRow.path == path)
        with self._database.read() as connection:
            found = connection.execute(statement).scalar_one_or_none()
        return None if found is None else PhotoId(found)

    def ids_at(self, paths: Sequence[Path]) -> list[PhotoId]:
        """The photos that files hold, in that order; raises NotInLibrary."""
        ids = []
        for path in paths:
            photo_id = self.id_at(path)
            if photo_id is None:
                raise NotInLibrary(f"{path} is not in this library.", "Index its folder first.")
            ids.append(photo_id)
        return ids

    def count(self) -> int:
        """How many photos have at least one file."""
        statement = select(func.count(func.distinct(FileRow.photo_id)))
        with self._database.read() as connection:
            return int(connection.execute(statement).scalar_one())

    def file_totals(self) -> tuple[int, int]:
        """How many files there are, and their bytes."""
        statement = select(func.count(), func.coalesce(func.sum(FileRow.size), 0))
        with self._database.read() as connection:
            files, size = connection.execute(statement.select_from(FileRow)).one()
        return int(files), int(size)

    def timeline(self) -> Iterator[TimelineEntry]:
        """Every photo that has a file, in capture order, undated ones first, ties by hash."""
        held = select(FileRow.photo_id)
        statement = (
            select(PhotoRow.__table__)
            .where(PhotoRow.id.in_(held))
            .order_by(PhotoRow.order_key, PhotoRow.content_hash)
        )
        with self._database.read() as connection:
            for row in connection.execute(statement).mappings():
                facts = facts_of_row(row)
                yield TimelineEntry(
                    PhotoId(row["id"]),
                    facts.content_hash,
                    facts.taken,
                    facts.order_key,
                    facts.point,
                    facts.contributor,
                    facts.place.text if facts.place else "",
                )

    def set_order_keys(self, keys: dict[PhotoId, float]) -> None:
        """Correct the capture order of some photos, once their neighbours' zones are known."""
        with self._database.write() as connection:
            connection.exec_driver_sql(
                "UPDATE photos SET order_key = ? WHERE id = ?",
                [(key, photo_id) for photo_id, key in keys.items()],
            )

    def ids(self) -> list[PhotoId]:
        """Every photo that has a file, by id."""
        statement = select(FileRow.photo_id).distinct().order_by(FileRow.photo_id)
        with self._database.read() as connection:
            return [PhotoId(i) for i in connection.execute(statement).scalars()]

    def hashes(self) -> Iterator[tuple[PhotoId, ContentHash]]:
        """Every photo that has a file with its content's hash, by id, in keyset pages."""
        held = select(FileRow.photo_id)
        statement = select(PhotoRow.id, PhotoRow.content_hash).where(PhotoRow.id.in_(held))
        last = 0
        while True:
            with self._database.read() as connection:
                page = connection.execute(
                    statement.where(PhotoRow.id > last).order_by(PhotoRow.id).limit(_PAGE)
                ).all()
            if not page:
                return
            yield from ((PhotoId(row[0]), ContentHash(row[1])) for row in page)
            last = page[-1][0]

    def hashes_from(self, prefix: str) -> Iterator[tuple[PhotoId, ContentHash]]:
        """Those whose content's hash begins so, in hexadecimal digits."""
        held = select(FileRow.photo_id).where(FileRow.photo_id == PhotoRow.id).exists()
        beyond = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        inside = PhotoRow.content_hash >= prefix, PhotoRow.content_hash < beyond
        with self._database.read() as connection:
            statement = select(PhotoRow.id, PhotoRow.content_hash).where(*inside, held)
            for row in connection.execute(statement):
                yield PhotoId(row[0]), ContentHash(row[1])


def _reachable_first(files: dict[int, list[FileStamp]], offline: Sequence[Path]) -> None:
    """Put the files that lie in offline folders after the others of their photo."""
    if not offline:
        return
    for stamps in files.values():
        stamps.sort(key=lambda stamp: any(stamp.path.is_relative_to(root) for root in offline))
