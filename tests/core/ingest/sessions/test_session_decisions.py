"""Sessions split and joined by hand: the newest word holds, whatever is indexed later."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.decision import SessionsJoined, SessionStart
from core.domain.photo import PhotoId
from core.domain.place import GeoPoint
from core.domain.session import SplitRule
from core.ingest.sessions.by_hand import SessionDecision
from core.ingest.sessions.refresh import decision_changes_sessions
from core.paths import LibraryPaths
from core.store.library import open_library
from tests.core.ingest.sessions.life import Life, Shot, check

VIENNA, LISBON = GeoPoint(48.2, 16.4), GeoPoint(38.7, -9.1)


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    library = open_library(LibraryPaths(tmp_path / "library"))
    yield Life(library)
    library.close()


def decide(life: Life, decision: SessionDecision) -> None:
    life.library.decisions.add(decision)
    decision_changes_sessions(life.library, decision)
    life.refresh()
    check(life)


def undo(life: Life) -> None:
    newest = life.library.decisions.newest()
    assert newest is not None
    life.library.decisions.remove(newest.id)
    decision_changes_sessions(life.library, newest.value)
    life.refresh()
    check(life)


def put(life: Life, *shots: Shot) -> None:
    for shot in shots:
        life.put(shot)
    life.refresh()
    check(life)


def start(life: Life, number: int) -> SessionStart:
    return SessionStart(life.ids[number])


def joined(life: Life, one: int, other: int) -> SessionsJoined:
    return SessionsJoined(life.ids[one], life.ids[other])


def numbers(life: Life) -> list[list[int]]:
    """The sessions by the numbers of their shots."""
    shot_of = {photo_id: number for number, photo_id in life.ids.items()}
    return [
        [shot_of[photo_id] for photo_id in session.photo_ids]
        for session in life.library.sessions.sessions()
    ]


def rules(life: Life) -> list[SplitRule]:
    return [session.split.rule for session in life.library.sessions.sessions()]


def test_a_session_begins_where_the_user_says_for_everyone_in_it(life: Life) -> None:
    put(life, Shot(1, 0), Shot(2, 1, who="Bea"), Shot(3, 2), Shot(4, 3, who="Bea"))
    assert numbers(life) == [[1, 2, 3, 4]]
    decide(life, start(life, 3))
    assert numbers(life) == [[1, 2], [3, 4]]
    session = life.library.sessions.sessions()[1]
    assert session.split.rule is SplitRule.HAND and session.split.text == "split by hand"
    assert session.contributor == "Ada + Bea"


def test_where_a_session_begins_anyway_its_own_reason_is_told(life: Life) -> None:
    put(life, Shot(1, 0), Shot(2, 20))
    decide(life, start(life, 2))
    assert rules(life) == [SplitRule.FIRST, SplitRule.GAP]
    put(life, Shot(3, 5), Shot(4, 10), Shot(5, 15))  # now only the user divides them
    assert numbers(life) == [[1, 3, 4, 5], [2]]
    assert rules(life) == [SplitRule.FIRST, SplitRule.HAND]


def test_joined_sessions_are_one_whatever_lies_between(life: Life) -> None:
    put(life, Shot(1, 0, VIENNA), Shot(2, 60, LISBON), Shot(3, 61, LISBON), Shot(4, 30))
    decide(life, joined(life, 1, 3))
    assert numbers(life) == [[1, 2, 3], [4]]
    put(life, Shot(5, 2, VIENNA), Shot(6, 33))  # by the ordinary rules near 1, and near 4
    assert numbers(life) == [[1, 5, 2, 3], [4, 6]]


def test_joins_go_on_from_session_to_session(life: Life) -> None:
    put(life, *(Shot(number, number * 100.0) for number in range(1, 6)))
    decide(life, joined(life, 1, 2))
    decide(life, joined(life, 4, 2))
    assert numbers(life) == [[1, 2, 4], [3], [5]]
    put(life, Shot(6, 405), Shot(7, 410))
    decide(life, joined(life, 7, 5))
    assert numbers(life) == [[1, 2, 4, 6, 7, 5], [3]]


def test_a_later_join_takes_a_split_back(life: Life) -> None:
    put(life, Shot(1, 0), Shot(2, 1), Shot(3, 2))
    decide(life, start(life, 2))
    decide(life, joined(life, 1, 3))
    assert numbers(life) == [[1, 2, 3]]
    undo(life)
    assert numbers(life) == [[1], [2, 3]]


def test_a_later_split_takes_a_join_back(life: Life) -> None:
    put(life, Shot(1, 0), Shot(2, 50), Shot(3, 51))
    decide(life, joined(life, 1, 3))
    decide(life, start(life, 2))
    assert numbers(life) == [[1], [2, 3]]
    undo(life)
    undo(life)
    assert numbers(life) == [[1], [2, 3]]
    assert rules(life) == [SplitRule.FIRST, SplitRule.GAP]


def test_photos_that_are_gone_have_no_say_until_they_are_back(life: Life) -> None:
    put(life, Shot(1, 0), Shot(2, 1), Shot(3, 50))
    decide(life, start(life, 2))
    decide(life, joined(life, 2, 3))
    assert numbers(life) == [[1], [2, 3]]
    life.drop(2)
    put(life)
    assert numbers(life) == [[1], [3]]
    put(life, Shot(2, 1))
    assert numbers(life) == [[1], [2, 3]]
    decide(life, SessionStart(PhotoId(4711)))
    assert numbers(life) == [[1], [2, 3]]


def test_decisions_survive_that_everything_is_read_and_made_again(life: Life) -> None:
    shots = [Shot(1, 0), Shot(2, 1), Shot(3, 50), Shot(4, 51, who="Bea")]
    put(life, *shots)
    decide(life, start(life, 2))
    decide(life, joined(life, 1, 4))
    before = life.library.sessions.sessions()
    put(life, *shots)
    life.settings = life.settings.model_copy(update={"gap_hours": 7.0})
    put(life, *shots)
    assert life.library.sessions.sessions() == before
    assert numbers(life) == [[1, 3, 4], [2]]


def test_a_decision_writes_no_other_sessions(life: Life) -> None:
    put(life, *(Shot(number, number * 30.0) for number in range(1, 40)))
    with life.library.database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE written (id INTEGER)")
        connection.exec_driver_sql(
            "CREATE TRIGGER seen AFTER INSERT ON sessions "
            "BEGIN INSERT INTO written VALUES (new.id); END"
        )
    decide(life, joined(life, 10, 20))
    undo(life)
    with life.library.database.read() as connection:
        written = connection.exec_driver_sql("SELECT id FROM written").scalars().all()
    assert 0 < len(written) <= 3


def test_joins_with_photos_that_are_gone_come_to_an_end(life: Life) -> None:
    put(life, *(Shot(number, number * 100.0) for number in range(1, 6)))
    for one, other in ((1, 3), (1, 2), (2, 3), (2, 4), (2, 5), (5, 4)):
        decide(life, joined(life, one, other))
    assert numbers(life) == [[1, 2, 3, 4, 5]]
    for number in (3, 4, 5):
        life.drop(number)
    put(life)
    assert numbers(life) == [[1, 2]]
