"""A search finds pictures of every kind: only stories leave some out."""

from datetime import datetime

import pytest

from core.domain.photo import PhotoKind
from core.search.request import STRATEGIES
from tests.core.conftest import Picture


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_every_kind_is_found(make_gallery, ask, strategy):
    made = [
        Picture("red", datetime(2021, 7, 3, 9, number), kind=kind)
        for number, kind in enumerate(PhotoKind)
    ]
    gallery = make_gallery([*made, Picture("blue"), Picture("green")])
    found = {one.photo_id for one in ask(gallery, "red", strategy=strategy).results}
    assert set(range(1, len(made) + 1)) <= found
