"""Device, precision and batch size, chosen with stand-ins for devices."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.backends.transformers.batches import Batches, find_batch_size
from core.backends.transformers.choice import Choice, choose
from core.backends.transformers.devices import devices, half_precisions
from core.backends.transformers.oom import is_out_of_memory
from core.backends.transformers.remembered import remembered_choice
from core.domain.arrays import Float32Array
from core.errors import ModelOutOfMemory


class FakeBench:
    """Each place has a speed (rows a second), an error of its vectors, and room for rows."""

    def __init__(self, speeds: dict[tuple[str, str], float], wrong: float = 0.0) -> None:
        self.speeds, self.wrong, self.now, self.most = speeds, wrong, 0.0, 10_000
        self.at = ("", "")

    def place(self, device: str, precision: str) -> None:
        if (device, precision) not in self.speeds:
            raise TypeError("not here")
        self.at = device, precision

    def probe(self, rows: int) -> Float32Array:
        if rows > self.most:
            raise RuntimeError("MPS backend out of memory")
        self.now += 0.1 + rows / self.speeds[self.at]
        angle = self.wrong if self.at[1] != "float32" else 0.0
        return np.tile(np.array([np.cos(angle), np.sin(angle)], np.float32), (rows, 1))

    def clock(self) -> float:
        return self.now


def chosen(bench: FakeBench, *names: str, halves: tuple[str, ...] = ("bfloat16",)) -> Choice:
    return choose(bench, names, lambda _: halves, bench.clock)


def test_the_fastest_device_is_chosen() -> None:
    bench = FakeBench({("cpu", "float32"): 10, ("cuda", "float32"): 500})
    assert chosen(bench, "cuda", "cpu").device == "cuda"
    slow = FakeBench({("cpu", "float32"): 50, ("xpu", "float32"): 5})
    assert chosen(slow, "xpu", "cpu").device == "cpu"


def test_half_precision_must_be_faster_and_equal() -> None:
    speeds = {("cpu", "float32"): 10.0, ("cpu", "bfloat16"): 60.0}
    assert chosen(FakeBench(speeds), "cpu").precision == "bfloat16"
    assert chosen(FakeBench(speeds, wrong=0.1), "cpu").precision == "float32"
    assert chosen(FakeBench(speeds | {("cpu", "bfloat16"): 2.0}), "cpu").precision == "float32"


def test_fp16_stands_in_where_bf16_is_not_there() -> None:
    speeds = {("cpu", "float32"): 1.0, ("mps", "float32"): 50.0, ("mps", "float16"): 90.0}
    bench = FakeBench(speeds)
    assert chosen(bench, "mps", "cpu", halves=("bfloat16", "float16")).precision == "float16"


def test_no_device_at_all_is_told() -> None:
    with pytest.raises(ModelOutOfMemory):
        chosen(FakeBench({}), "cpu")


def test_batches_grow_until_memory_ends() -> None:
    bench = FakeBench({("cpu", "float32"): 1000.0})
    bench.most = 40
    assert chosen(bench, "cpu").batch_size == 32


def test_batches_grow_while_that_is_faster() -> None:
    rates = {8: 10.0, 16: 18.0, 32: 19.0, 64: 19.1, 128: 90.0}
    assert find_batch_size(rates.__getitem__, 8, 128) == 32
    assert find_batch_size(float, 8, 64) == 64


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"),
        RuntimeError("UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"),
        type("OutOfMemoryError", (RuntimeError,), {})("odd"),
    ],
)
def test_every_flavour_of_no_memory_halves_the_batch(error: Exception) -> None:
    assert is_out_of_memory(error)
    seen: list[int] = []

    def work(batch: list[int]) -> list[int]:
        seen.append(len(batch))
        if len(batch) > 3:
            raise error
        return batch

    batches = Batches("m", 16)
    assert [one for part in batches.over(list(range(20)), work) for one in part] == list(range(20))
    assert (seen[:3], batches.size) == ([16, 8, 4], 2)


def test_one_row_that_does_not_fit_is_a_known_error() -> None:
    def work(batch: list[int]) -> list[int]:
        raise RuntimeError("CUDA out of memory")

    with pytest.raises(ModelOutOfMemory) as caught:
        list(Batches("m", 4).over([1, 2, 3], work))
    assert caught.value.advice


def test_other_errors_are_not_swallowed() -> None:
    def work(batch: list[int]) -> list[int]:
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes"):
        list(Batches("m", 4).over([1], work))


def test_a_choice_is_measured_once(tmp_path: Path) -> None:
    measured: list[str] = []

    def measure() -> Choice:
        measured.append("again")
        return Choice("cuda", "bfloat16", 64)

    first = remembered_choice(tmp_path / "new", "model-1", "here", measure)
    assert remembered_choice(tmp_path / "new", "model-1", "here", measure) == first
    assert len(measured) == 1
    remembered_choice(tmp_path / "new", "model-2", "here", measure)
    remembered_choice(tmp_path / "new", "model-1", "elsewhere", measure)
    assert len(measured) == 3
    for file in (tmp_path / "new").iterdir():
        file.write_text("{nonsense")
    assert remembered_choice(tmp_path / "new", "model-1", "here", measure) == first


def fake_torch(*there: str, bf16: bool = True) -> SimpleNamespace:
    def part(name: str) -> SimpleNamespace:
        return SimpleNamespace(is_available=lambda: name in there, is_bf16_supported=lambda: bf16)

    backends = SimpleNamespace(mps=part("mps"))
    return SimpleNamespace(cuda=part("cuda"), xpu=part("xpu"), backends=backends)


def test_devices_are_those_that_are_there() -> None:
    assert devices(fake_torch()) == ["cpu"]
    assert devices(fake_torch("mps")) == ["mps", "cpu"]
    assert devices(fake_torch("cuda", "xpu")) == ["cuda", "xpu", "cpu"]
    assert half_precisions(fake_torch("cuda", bf16=False), "cuda") == ("float16",)
    assert half_precisions(fake_torch("cuda"), "cuda")[0] == "bfloat16"
