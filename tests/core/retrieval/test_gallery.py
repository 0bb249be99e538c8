import numpy as np
import pytest

from core.backends.fakes import fake_perception
from core.errors import Cancelled
from core.progress import Progress
from core.retrieval.gallery import Gallery


def load(library):
    return Gallery.load(library, fake_perception(), Progress())


def test_holds_every_photo_that_has_a_file_and_a_vector(make_library):
    library = make_library(["red", "blue", "green"])
    library.photos.detach([library.photos.photos([2])[0].path])
    gallery = load(library)
    assert gallery.ids.tolist() == [1, 3]
    assert len(gallery.images) == len(gallery.proxies) == 2
    with pytest.raises(KeyError):
        gallery.row(2)


def test_caches_may_be_deleted_and_follow_the_database(make_library):
    library = make_library(["red", "blue"])
    before = load(library)
    files = sorted(library.paths.vectors.iterdir())
    assert len(files) == 2
    files[0].unlink()
    files[1].write_bytes(b"damaged")
    assert load(library).ids.tolist() == before.ids.tolist()
    fresh = fake_perception().encoder.encode_texts(["green"])
    library.vectors.save(fake_perception().encoder.name, [1], fresh)
    assert np.allclose(load(library).vectors(np.array([1])), fresh, atol=1e-3)


def test_loading_can_be_cancelled(make_library):
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        Gallery.load(make_library(["red"]), fake_perception(), progress)


def test_an_empty_library_is_an_empty_gallery(make_library):
    assert len(load(make_library([]))) == 0
