import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.faiss_index import _DIRECT_BELOW, FaissIndex
from core.backends.index_cache import load_index, load_or_build, save_rows
from core.domain.arrays import Float16Array, Float32Array, Int64Array


def rows(count: int, dim: int = 8, seed: int = 0) -> Float32Array:
    made = np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def index_of(ids: list[int] | Int64Array, vectors: Float32Array) -> FaissIndex:
    index = FaissIndex(vectors.shape[1])
    index.add(np.array(ids, np.int64), vectors)
    return index


def expected(ids, vectors, query, top_k):
    scores = np.round(vectors @ query, 6)
    order = np.lexsort((ids, -scores))[:top_k]
    return np.array(ids)[order].tolist()


def test_finds_what_a_full_sort_finds():
    ids, vectors = np.arange(100, 6100), rows(6000)
    found, scores = index_of(ids, vectors).search(rows(3, seed=1), 20)
    assert found.shape == scores.shape == (3, 20)
    for line, query in zip(found, rows(3, seed=1), strict=True):
        assert line.tolist() == expected(ids, vectors, query, 20)
    assert (np.diff(scores) <= 0).all()
    assert scores.dtype == np.float32


@pytest.mark.parametrize("size", [1, 50, _DIRECT_BELOW + 500])
def test_within_restricts_on_both_paths(size):
    ids, vectors = np.arange(8000), rows(8000)
    within = np.random.default_rng(2).choice(ids, size, replace=False)
    found, _ = index_of(ids, vectors).search(rows(1, seed=3), 10, within)
    allowed = np.sort(within)
    assert found[0].tolist() == expected(allowed, vectors[allowed], rows(1, seed=3)[0], 10)


def test_within_ignores_unknown_and_repeated_ids():
    found, _ = index_of([1, 2, 3], rows(3)).search(rows(1), 10, np.array([3, 3, 99]))
    assert found.tolist() == [[3]]


def test_equal_vectors_come_by_id_also_beyond_the_cut():
    same = np.repeat(rows(1), 9000, axis=0)
    index = index_of(np.arange(9000)[::-1], same)
    assert index.search(same[:1], 5)[0].tolist() == [[0, 1, 2, 3, 4]]
    odd = np.arange(1, 9000, 2)
    assert index.search(same[:1], 3, odd)[0].tolist() == [[1, 3, 5]]


def test_float64_queries_are_taken_as_float32():
    index = index_of([1, 2], rows(2))
    _, scores = index.search(rows(1).astype(np.float64), 2)
    assert scores.dtype == np.float32


def test_more_than_there_is_and_nothing_at_all():
    assert index_of([1, 2], rows(2)).search(rows(1), 10)[0].shape == (1, 2)
    assert FaissIndex(8).search(rows(2), 10)[0].shape == (2, 0)
    assert FaissIndex(8).search(rows(1), 3, np.array([1]))[0].shape == (1, 0)


def test_vectors_in_the_order_asked_and_unknown_ids():
    vectors = rows(3)
    index = index_of([10, 30, 20], vectors)
    assert np.array_equal(index.vectors(np.array([20, 10, 20])), vectors[[2, 0, 2]])
    for unknown in (5, 15, 99):
        with pytest.raises(KeyError, match=str(unknown)):
            index.vectors(np.array([10, unknown]))


def test_wrong_shape_is_refused():
    with pytest.raises(ValueError, match="vectors are"):
        FaissIndex(8).add(np.array([1]), rows(1, dim=4))


changes = st.lists(
    st.tuples(st.sampled_from(["add", "remove"]), st.lists(st.integers(0, 12), max_size=5)),
    max_size=12,
)


@given(changes)
@settings(max_examples=60, deadline=None)
def test_any_history_of_changes_is_like_a_dictionary(history):
    index, truth = FaissIndex(8), {}
    for step, (change, ids) in enumerate(history):
        if change == "add":
            vectors = rows(len(ids), seed=step)
            index.add(np.array(ids, np.int64), vectors)
            truth.update(zip(ids, vectors, strict=True))
        else:
            index.remove(np.array(ids, np.int64))
            truth = {i: v for i, v in truth.items() if i not in ids}
        assert len(index) == len(truth)
    ids = sorted(truth)
    assert index.ids.tolist() == ids
    if ids:
        stored = np.stack([truth[i] for i in ids])
        assert np.array_equal(index.vectors(np.array(ids)), stored)
        query = rows(1, seed=99)
        assert index.search(query, 4)[0][0].tolist() == expected(ids, stored, query[0], 4)


def halves(count: int) -> Float16Array:
    return rows(count).astype(np.float16)


def never() -> tuple[Int64Array, Float16Array]:
    raise AssertionError("the file was right: nothing had to be loaded")


def test_a_right_file_is_used(tmp_path):
    path = tmp_path / "vectors" / "model.npz"
    built = load_or_build(path, 8, "two", lambda: (np.array([4, 7]), halves(2)))
    again = load_or_build(path, 8, "two", never)
    assert again.ids.tolist() == built.ids.tolist() == [4, 7]
    assert np.array_equal(again.vectors(again.ids), halves(2))
    assert [p.name for p in path.parent.iterdir()] == ["model.npz"]


@pytest.mark.parametrize("damage", ["delete", "truncate", "flip", "empty", "garbage", "older"])
def test_a_wrong_file_is_made_anew(tmp_path, damage):
    path = tmp_path / "model.npz"
    save_rows((np.array([1, 2, 3]), halves(3)), path, "old" if damage == "older" else "three")
    content = path.read_bytes()
    match damage:
        case "delete":
            path.unlink()
        case "truncate":
            path.write_bytes(content[: len(content) // 2])
        case "flip":
            middle = content.index(halves(3).tobytes())
            path.write_bytes(content[:middle] + b"\xff" + content[middle + 1 :])
        case "empty":
            path.write_bytes(b"")
        case "garbage":
            path.write_bytes(b"\x93NUMPY not an index")
    loads = []
    built = load_or_build(path, 8, "three", lambda: loads.append(1) or (np.arange(3), halves(3)))
    assert loads == [1]
    assert built.ids.tolist() == [0, 1, 2]
    assert load_index(path, 8, "three") is not None


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    (tmp_path / "vectors").write_text("a file where the folder should be")
    built = load_or_build(tmp_path / "vectors" / "m.npz", 8, "x", lambda: (np.arange(2), halves(2)))
    assert len(built) == 2


def test_an_empty_library_makes_an_empty_index(tmp_path):
    empty = (np.empty(0, np.int64), np.empty((0, 0), np.float16))
    assert len(load_or_build(tmp_path / "m.npz", 8, "none", lambda: empty)) == 0
    assert len(load_or_build(tmp_path / "m.npz", 8, "none", never)) == 0


@pytest.mark.parametrize("ids", [[2, 1, 3], [1, 1, 2]])
def test_a_file_whose_ids_do_not_ascend_is_made_anew(tmp_path, ids):
    path = tmp_path / "model.npz"
    save_rows((np.array(ids), halves(3)), path, "three")
    assert load_index(path, 8, "three") is None


@given(st.lists(st.integers(0, 10**9), unique=True), st.integers(1, 9))
def test_an_index_filled_at_once_is_one_filled_bit_by_bit(ids: list[int], dim: int) -> None:
    numbers = np.array(sorted(ids), np.int64)
    vectors = np.random.default_rng(0).random((len(ids), dim)).astype(np.float16)
    at_once, bit_by_bit = FaissIndex.of(dim, numbers, vectors), FaissIndex(dim)
    for index in (at_once, bit_by_bit):
        index.add(
            numbers[:0] if index is at_once else numbers, vectors[: 0 if index is at_once else None]
        )
        index.add(np.array([5]), np.ones((1, dim), np.float32))
    assert at_once.ids.tolist() == bit_by_bit.ids.tolist()
    assert np.array_equal(at_once.vectors(at_once.ids), bit_by_bit.vectors(bit_by_bit.ids))
    query = np.ones((1, dim), np.float32)
    assert at_once.search(query, 3)[0].tolist() == bit_by_bit.search(query, 3)[0].tolist()
