"""Searches on coloured pictures."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from core.backends.fakes import TinyGazetteer
from core.domain.answer import SearchAnswer
from core.domain.photo import PhotoId
from core.domain.query import ComposedQuery, ReferencePhoto
from core.progress import Progress
from core.retrieval.gallery import Gallery
from core.retrieval.reference import Reference
from core.search.composed import search
from core.search.request import SearchContext, SearchRequest
from core.settings import SearchSettings

TODAY = date(2024, 5, 1)


@pytest.fixture
def context_of() -> Callable[[Gallery], SearchContext]:
    return lambda gallery: SearchContext(gallery, SearchSettings(), TinyGazetteer(), TODAY)


@pytest.fixture
def ask(context_of: Callable[[Gallery], SearchContext]) -> Callable[..., SearchAnswer]:
    """Ask a gallery: `ask(gallery, text, photo=3, strategy=…, top=…)`."""

    def asked(gallery: Gallery, text: str, photo: int | None = None, **options) -> SearchAnswer:
        request = SearchRequest(*compose(gallery, text, photo), **options)
        return search(request, context_of(gallery), Progress())

    return asked


def compose(
    gallery: Gallery, text: str, photo: int | None
) -> tuple[ComposedQuery, Reference | None]:
    if photo is None:
        return ComposedQuery(text), None
    photo_id = PhotoId(photo)
    vector = gallery.vectors(np.array([photo]))[0]
    profile = gallery.profiles.profiles([photo_id])[photo_id]
    query = ComposedQuery(text, ReferencePhoto(Path(f"/photos/{photo}.png"), photo_id))
    return query, Reference(vector, profile, photo_id)
