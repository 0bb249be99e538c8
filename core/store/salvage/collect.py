"""Every row that is still there in a damaged library, with the table that it belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.progress import Progress
from core.store.migrations.ladder import NEWEST
from core.store.salvage.pages import Page, PageFile
from core.store.salvage.record import Value
from core.store.salvage.shape import DERIVED, WORDS, Shape, shapes_at

Values = dict[str, Value]
_CATALOGUE = 1


@dataclass(slots=True)
class Collector:
    """Walks the trees that the file's own catalogue names, then what no tree reaches.

    `broken` names the tables of which something was lost, `lost` counts pages and rows that
    could not be read. Pages that no tree reaches are looked at only where a way to them may be
    broken: elsewhere they hold what was deleted.
    """

    file: PageFile
    progress: Progress
    version: int = NEWEST
    shapes: dict[str, Shape] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    lost: int = 0
    _roots: dict[str, int] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)
    _way_lost: bool = False

    def __post_init__(self) -> None:
        self._read_catalogue()
        said = self.file.version() or 0
        self.version = said if 0 < said <= NEWEST else self._likely_version()
        self.shapes = shapes_at(self.version)

    def _likely_version(self) -> int:
        """What the tables are of, where the head of the file does not say."""
        tables = set(self._roots)
        return next((v for v in range(NEWEST, 0, -1) if set(shapes_at(v)) <= tables), NEWEST)

    def rows(self) -> Iterator[tuple[str, Values]]:
        """Tables' names and rows' values; a row may come more than once. Raises Cancelled."""
        unknown = set(self.shapes) - set(self._roots)
        self.broken |= unknown
        self._way_lost |= bool(unknown)
        for table, root in self._roots.items():
            shape = self.shapes.get(table)
            if shape is None:
                self._pass(root)
            else:
                yield from self._tree(root, shape)
        if self._way_lost:
            yield from self._strays()

    def _read_catalogue(self) -> None:
        """Note where each table and index begins."""
        waiting = [_CATALOGUE]
        while waiting:
            number = waiting.pop()
            page = self.file.page(number)
            self._seen.add(number)
            if page is None or page.is_index:
                self.lost, self._way_lost = self.lost + 1, True
                continue
            self.lost += page.lost
            waiting += [below for below in page.below if below not in self._seen]
            for _, row in page.rows:
                name, root = (row[1], row[3]) if len(row) == 5 else (None, None)
                if isinstance(name, str) and isinstance(root, int) and root:
                    self._roots[name] = root

    def _tree(self, root: int, shape: Shape) -> Iterator[tuple[str, Values]]:
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._seen:
                continue
            self._seen.add(number)
            self.progress.report("salvage", len(self._seen), self.file.count)
            page = self.file.page(number)
            if page is None or page.is_index is not shape.is_index:
                self.lost += 1
                self.broken.add(shape.table)
                self._way_lost = True  # it may have been one that leads to others
                continue
            waiting += page.below
            yield from self._of(shape, page)

    def _of(self, shape: Shape, page: Page) -> Iterator[tuple[str, Values]]:
        unread = page.lost
        for rowid, row in page.rows:
            if shape.fits(row):
                yield shape.table, shape.values(rowid, row)
            else:
                unread += 1
        if unread:
            self.lost += unread
            self.broken.add(shape.table)

    def _pass(self, root: int) -> None:
        """Go by the pages of an index, so that they are not taken for strays."""
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self._seen:
                continue
            self._seen.add(number)
            waiting += self.file.below(number)

    def _strays(self) -> Iterator[tuple[str, Values]]:
        free = self.file.free()
        for number in range(2, self.file.count + 1):
            self.progress.report("salvage", number, self.file.count)
            if number in self._seen or number in free:
                continue
            page = self.file.page(number)
            for rowid, row in page.rows if page else ():
                for shape in self.shapes.values():
                    if shape.is_index is (rowid is None) and _may_be(shape, row):
                        yield shape.table, shape.values(rowid, row)


def _may_be(shape: Shape, row: tuple[Value, ...]) -> bool:
    """Whether a row whose table nobody knows is likely to be of this one."""
    if shape.table in DERIVED or not shape.fits(row):
        return False
    match shape.table:
        case "recorded":
            return str(row[1]).startswith("{")
        case name if name == WORDS:
            return isinstance(row[1], str) and not row[1].startswith("{")
        case _:
            return True
