"""Who may play what."""

import numpy as np
import pytest

from core.backends.fakes import ColourEncoder, ColourPresence
from core.domain.story import Relation
from core.story.casting import Casting
from core.story.clock_words import contradicted
from core.story.directions import directions_of
from core.story.pool import pool_of
from core.story.showing import Showing
from tests.core.story.conftest import START, plan_of, shots


@pytest.mark.parametrize(
    ("words", "hours"),
    [
        ("a sunset or lights in the evening", range(15, 24)),
        ("at night", [17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5]),
        ("in the morning light", range(3, 12)),
        ("a dog", range(24)),
        ("from morning to night", range(24)),
        ("a nightingale", range(24)),
    ],
)
def test_clock_words(words, hours):
    hour = np.arange(24)
    wrong = contradicted(words, hour, np.ones(24, np.bool_))
    assert set(hour[~wrong]) == set(hours)
    assert not contradicted(words, hour, np.zeros(24, np.bool_)).any()


@pytest.fixture
def cast(make_tale):
    def build(plan, *colours):
        tale = make_tale([shots(*colours, start=START)])
        gallery = tale.gallery
        pool = pool_of(gallery.images, gallery.columns, tale.sessions, tale.trips)
        directions = directions_of(plan, gallery.perception.encoder)
        rows = np.arange(len(pool))
        showing = Showing(pool, directions, gallery.perception.presence)
        casting = Casting(pool, plan, directions, gallery.perception.presence)
        allowed = casting.allowed(rows, showing.subject(rows), showing.roles(rows))
        return casting, allowed

    return build


def test_roles_are_only_for_photos_that_show_them(cast):
    _, allowed = cast(plan_of("blue", "*green", subject="red"), "red", "red blue", "green")
    assert allowed[:2].tolist() == [[False, True, False], [False, False, True]]
    assert allowed[2].tolist() == [True, True, False]  # moments show the subject


def test_in_a_bound_story_anything_may_be_a_moment(cast):
    _, allowed = cast(plan_of("blue", relation=Relation.TRIP, subject="red"), "red", "green")
    assert allowed[1].tolist() == [True, True]


def test_a_photo_is_not_cast_as_what_it_barely_shows(cast):
    mostly_blue = "blue " * 9 + "green " * 3
    _, allowed = cast(plan_of("blue", "green"), mostly_blue.strip(), "blue green")
    assert allowed[:2].tolist() == [[True, True], [False, True]]


def test_moments_fill_up_to_the_size_aimed_at(cast):
    casting, allowed = cast(plan_of("blue", subject="red", sizes=(3, 5)), "red", "blue")
    assert len(casting.kept_roles(allowed, 0)) == 1 + 2
    assert len(casting.kept_roles(allowed, 2)) == 1 + 4
    trip = plan_of("blue", relation=Relation.TRIP, sizes=(3, 5))
    casting = Casting(casting.pool, trip, directions_of(trip, ColourEncoder()), casting.presence)
    assert len(casting.kept_roles(allowed, 0)) == 1 + 5


def test_each_photo_is_looked_at_once(make_tale):
    tale = make_tale([shots("red", "blue", "green")])
    gallery, asked = tale.gallery, []

    class Counting(ColourPresence):
        def probabilities(self, phrases, image_vectors):
            asked.append((tuple(phrases), len(image_vectors)))
            return super().probabilities(phrases, image_vectors)

    pool = pool_of(gallery.images, gallery.columns, tale.sessions, tale.trips)
    directions = directions_of(plan_of("red", "blue"), gallery.perception.encoder)
    showing = Showing(pool, directions, Counting(gallery.perception.encoder))
    showing.look(np.array([0, 1]))
    found = showing.roles(np.array([1, 2, 0]))
    assert asked == [(("red", "blue"), 2), (("red", "blue"), 1)]
    expected = gallery.perception.presence.probabilities(
        ["red", "blue"], pool.vectors(np.array([1, 2, 0]))
    )
    assert np.allclose(found[:2], expected)
