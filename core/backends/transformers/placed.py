"""A model on a device in a precision; on a processor its batches are shared among threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from core.backends.transformers.batches import Batches
from core.backends.transformers.choice import FULL, Choice, choose
from core.backends.transformers.devices import (
    CPU,
    devices,
    free_memory,
    half_precisions,
    machine,
    settle,
)
from core.backends.transformers.remembered import remembered_choice
from core.domain.arrays import Float32Array

_SHARED_FROM = 4
"""Rows of a batch from which threads that each take a part beat threads within one pass."""


class PlacedModel:
    """One model of torch, read anew where a lower precision has cut its weights off."""

    def __init__(self, torch: Any, read: Callable[[], Any], model_name: str) -> None:
        self.torch, self._read = torch, read
        self.model = read()
        self.device, self.precision = CPU, FULL
        self._threads = max(1, int(torch.get_num_threads()))
        self._pool: ThreadPoolExecutor | None = None
        self.batches = Batches(model_name, free=self._free)

    def place(self, device: str, precision: str) -> None:
        """Move the model; raises a RuntimeError or TypeError where that cannot be."""
        if (device, precision) == (self.device, self.precision):
            return
        if self.precision not in (FULL, precision):
            self.model, self.precision = self._read(), FULL
        self.model.to(device=device, dtype=getattr(self.torch, precision))
        left, self.device, self.precision = self.device, device, precision
        free_memory(self.torch, left)

    def settle_down(
        self, options: Choice | None, probe: Callable[[int], Float32Array], cache: Path | None
    ) -> None:
        """Run as `options` say, else as was measured before, else as is measured now.

        Raises ModelOutOfMemory.
        """

        def measured() -> Choice:
            bench = _Bench(self, probe)
            return choose(
                bench, devices(self.torch), lambda device: half_precisions(self.torch, device)
            )

        if options is not None or cache is None:
            choice = options or Choice(devices(self.torch)[0])
        else:
            choice = remembered_choice(cache, self.batches.model, machine(self.torch), measured)
        self.place(choice.device, choice.precision)
        self.batches.size = choice.batch_size

    def inputs(self, tensors: Any) -> dict[str, Any]:
        """Inputs on the device; those with fractions in the model's precision."""
        dtype = getattr(self.torch, self.precision)
        return {
            name: one.to(self.device, dtype) if one.is_floating_point() else one.to(self.device)
            for name, one in tensors.items()
        }

    def rows(self, items: Any, work: Callable[[Any], Any]) -> Float32Array:
        """Unit rows (n, dim) of at least one item; `work` makes a tensor (m, dim) of m items.

        Raises ModelOutOfMemory.
        """
        return np.concatenate(list(self.batches.over(items, lambda batch: self._made(batch, work))))

    def _made(self, batch: Any, work: Callable[[Any], Any]) -> Float32Array:
        if self.device != CPU or self._threads == 1 or len(batch) < _SHARED_FROM:
            return self._unit(batch, work)
        part = -(-len(batch) // self._threads)
        parts = [batch[start : start + part] for start in range(0, len(batch), part)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "encoder", self._one_thread)
        return np.concatenate(list(self._pool.map(lambda each: self._unit(each, work), parts)))

    def _one_thread(self) -> None:
        """Torch keeps this number for each thread by itself."""
        self.torch.set_num_threads(1)

    def _unit(self, batch: Any, work: Callable[[Any], Any]) -> Float32Array:
        with self.torch.inference_mode():
            rows = work(batch).float().cpu().numpy()
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)

    def _free(self) -> None:
        free_memory(self.torch, self.device)


class _Bench:
    """Implements `Bench` over a placed model: one batch, whole."""

    def __init__(self, placed: PlacedModel, probe: Callable[[int], Float32Array]) -> None:
        self._placed, self._probe = placed, probe

    def place(self, device: str, precision: str) -> None:
        """Move the model."""
        self._placed.place(device, precision)

    def probe(self, rows: int) -> Float32Array:
        """Vectors of so many rows in one batch; where memory ends, that is an error here."""
        batches = self._placed.batches
        batches.size = rows
        made = self._probe(rows)
        settle(self._placed.torch, self._placed.device)
        if batches.size < rows:
            raise MemoryError
        return made
