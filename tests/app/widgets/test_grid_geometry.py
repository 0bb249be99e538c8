"""The arithmetic of the grid against a layout drawn cell by cell."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect

from app.widgets.grid_geometry import GridGeometry, GridStyle

STYLE = GridStyle(cell=50, caption=10, gap=4, margin=8, header=20, tail=6)
counts = st.lists(st.integers(0, 17), min_size=1, max_size=12)
widths = st.integers(70, 700)


def drawn(counts: list[int], titled: list[bool], width: int) -> list[QRect]:
    """Every cell's place, one after the other."""
    usable = max(1, width - 2 * STYLE.margin)
    columns = max(1, (usable + STYLE.gap) // (STYLE.cell + STYLE.gap))
    side = max(16, (usable - STYLE.gap * (columns - 1)) // columns)
    rects: list[QRect] = []
    top, bottom, free = 0, 0, 0
    for count, has_title in zip(counts, titled, strict=True):
        shares_the_line = has_title and 0 < count <= free
        start = columns - free if shares_the_line else 0
        if not shares_the_line:
            top = bottom + (STYLE.header if has_title else STYLE.gap)
            free = columns if has_title and 0 < count < columns else 0
        free = max(0, free - count)
        for number in range(count):
            line, column = divmod(number, columns)
            column += start
            left = STYLE.margin + column * (side + STYLE.gap)
            y = top + line * (side + STYLE.caption + STYLE.gap)
            rects.append(QRect(left, y, side, side + STYLE.caption))
        lines = -(-count // columns)
        bottom = top + lines * (side + STYLE.caption + STYLE.gap) + STYLE.tail
    return rects


@given(counts, widths, st.booleans())
def test_cells_lie_where_a_drawing_puts_them(counts, width, titled):
    titles = [titled] * len(counts)
    geometry = GridGeometry(counts, titles, width, STYLE)
    rects = drawn(counts, titles, width)
    assert geometry.total == len(rects)
    for row, rect in enumerate(rects):
        assert geometry.rect(row) == rect
        assert geometry.row_at(rect.center().x(), rect.center().y()) == row
        assert geometry.row_at(rect.left(), rect.top()) == row
        assert geometry.row_at(rect.left() - 1, rect.top()) != row
    assert not rects or geometry.height >= max(rect.bottom() for rect in rects)


@given(counts, widths, st.integers(-50, 3000), st.integers(1, 900))
def test_a_band_shows_every_cell_that_meets_it(counts, width, top, height):
    geometry = GridGeometry(counts, [True] * len(counts), width, STYLE)
    band = QRect(0, top, width, height)
    shown = {
        r for run in geometry.visible(top, top + height) for r in range(run.first, run.last + 1)
    }
    meeting = {r for r in range(geometry.total) if geometry.rect(r).intersects(band)}
    assert meeting <= shown
    far = band.adjusted(0, -geometry.pitch, 0, geometry.pitch)
    assert all(geometry.rect(row).intersects(far) for row in shown)


@given(counts.filter(any), widths, st.data())
def test_down_then_up_keeps_to_the_grid(counts, width, data):
    geometry = GridGeometry(counts, [True] * len(counts), width, STYLE)
    row = data.draw(st.integers(0, geometry.total - 1))
    below = geometry.neighbour(row, 1)
    if below != row:
        assert geometry.rect(below).top() > geometry.rect(row).top()
        assert geometry.rect(below).left() <= geometry.rect(row).left()
        between = [
            r
            for r in range(geometry.total)
            if geometry.rect(row).top() < geometry.rect(r).top() < geometry.rect(below).top()
        ]
        assert between == []
    else:
        assert all(
            geometry.rect(r).top() <= geometry.rect(row).top() for r in range(geometry.total)
        )
    above = geometry.neighbour(row, -1)
    if above != row:
        assert geometry.rect(above).top() < geometry.rect(row).top()


def test_a_million_cells_take_no_longer_than_their_sections():
    geometry = GridGeometry([50_000] * 20, [True] * 20, 1200, GridStyle())
    assert geometry.total == 1_000_000
    last = geometry.rect(999_999)
    assert geometry.row_at(last.center().x(), last.center().y()) == 999_999
    shown = sum(
        run.last - run.first + 1 for run in geometry.visible(last.top() - 800, last.bottom())
    )
    assert shown < 100


def test_nothing_is_no_problem():
    geometry = GridGeometry([], [], 500, STYLE)
    assert (geometry.height, geometry.total, geometry.row_at(10, 10)) == (0, 0, -1)
    assert list(geometry.visible(0, 100)) == []
