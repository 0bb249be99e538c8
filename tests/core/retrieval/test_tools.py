from datetime import datetime

import numpy as np
import pytest

from core.domain.place import GeoPoint
from core.domain.query import PlaceFilter, TimeFilter
from core.retrieval.reference import Reference
from core.retrieval.tools.bm25 import content_words
from core.retrieval.tools.box import ToolOptions, make_tools

PICTURES = ["red", "red blue", "blue", "green", "red red blue"]


@pytest.fixture
def gallery(make_gallery):
    return make_gallery(PICTURES)


@pytest.fixture
def tools(gallery):
    return make_tools(gallery, ToolOptions())


def reference_to(gallery, photo_id):
    return Reference(gallery.vectors(np.array([photo_id]))[0], photo_id=photo_id)


@pytest.mark.parametrize("name", ["image-text", "text-concept"])
def test_text_tools_find_what_the_words_say(tools, name):
    ranking = tools[name].rank("something red", None, None, 3)
    assert ranking.photo_ids == (1, 5, 2)
    assert ranking.tool == name
    assert tools[name].rank("red", None, np.array([2, 3]), 9).photo_ids == (2, 3)
    assert tools[name].rank("  ", None, None, 3).photo_ids == ()


def test_bm25_finds_the_words_of_profiles(tools):
    assert set(tools["bm25"].rank("the blue one", None, None, 9).photo_ids) == {2, 3, 5}
    assert tools["bm25"].rank("blue", None, np.array([3]), 9).photo_ids == (3,)
    assert tools["bm25"].rank("with the", None, None, 9).photo_ids == ()
    assert tools["bm25"].rank('" OR red*) NEAR', None, None, 9).photo_ids != ()


def test_bm25_knows_only_photos_of_the_gallery(make_library, make_gallery):
    gallery = make_gallery(["red", "red"])
    library = make_library([])
    library.vectors.forget(gallery.perception.encoder.name)
    library.vectors.save("colours-1", [1], gallery.vectors(np.array([1])))
    fresh = make_gallery([])
    found = make_tools(fresh, ToolOptions())["bm25"].rank("red", None, None, 9)
    assert found.photo_ids == (1,)


def test_visual_leaves_the_reference_out_unless_told(gallery, tools):
    reference = reference_to(gallery, 1)
    assert tools["visual"].rank("", reference, None, 2).photo_ids == (5, 2)
    kept = make_tools(gallery, ToolOptions(keep_reference=True))["visual"]
    assert kept.rank("", reference, None, 2).photo_ids == (1, 5)
    assert tools["visual"].rank("red", None, None, 2).photo_ids == ()


def test_fused_adds_text_and_reference(gallery, tools):
    reference = reference_to(gallery, 1)
    assert tools["fused"].rank("blue", reference, None, 1).photo_ids == (2,)
    assert tools["fused"].rank("blue", None, None, 1).photo_ids == (3,)
    assert tools["fused"].rank("", reference, None, 1).photo_ids == (5,)
    assert tools["fused"].rank("", None, None, 1).photo_ids == ()


def test_metadata_nearest_first_then_newest(make_gallery, picture):
    vienna, close = GeoPoint(48.208, 16.372), GeoPoint(48.3, 16.4)
    gallery = make_gallery(
        [
            picture("red", datetime(2020, 1, 1), close),
            picture("red", datetime(2019, 1, 1), vienna),
            picture("red", datetime(2021, 1, 1), vienna),
            picture("red", datetime(2021, 6, 1)),
        ]
    )
    where = PlaceFilter("near Vienna", (vienna,), 50.0)
    when = TimeFilter("since 2020", earliest=datetime(2020, 1, 1).date())
    assert rank(gallery, ToolOptions(where=where)) == (3, 2, 1)
    assert rank(gallery, ToolOptions(when, where)) == (3, 1)
    assert rank(gallery, ToolOptions(when)) == (4, 3, 1)
    assert rank(gallery, ToolOptions()) == (4, 3, 1, 2)
    assert rank(gallery, ToolOptions(), np.array([1, 2])) == (1, 2)


def rank(gallery, options, within=None):
    return make_tools(gallery, options)["metadata"].rank("", None, within, 9).photo_ids


def test_content_words_are_the_ones_that_mean_something():
    assert content_words("A photo of the dog with the red ball, the DOG") == ["dog", "red", "ball"]
