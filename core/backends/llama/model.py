"""A local language model that may crash without harm."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from core.backends.llama.process import ModelProcess, ProcessLimits
from core.backends.llama.server import LoadOrder, serve
from core.backends.manifest import ModelManifest, verified
from core.errors import ModelMissing
from core.progress import Progress

_STAGE = "language"


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    """Tokens of context, threads (0: half of the cores) and the limits of the process."""

    context_tokens: int = 2048
    threads: int = 0
    limits: ProcessLimits = field(default_factory=ProcessLimits)


class LlamaModel:
    """Implements LanguageModel with one GGUF file.

    `weights` gives the file at every start of the process; it may check it first and raise.
    """

    def __init__(
        self,
        name: str,
        weights: Callable[[Progress], Path],
        options: LlamaOptions | None = None,
    ) -> None:
        self._name = name
        self._weights = weights
        self._options = options or LlamaOptions()
        self._process = ModelProcess(name, serve, self._order, self._options.limits)

    @property
    def name(self) -> str:
        """A stable name with its version."""
        return self._name

    @property
    def pid(self) -> int | None:
        """The process that runs the model, None while none does."""
        return self._process.pid

    def complete(
        self, prompt: str, schema: dict[str, object] | None, max_tokens: int, progress: Progress
    ) -> str:
        """Continue the prompt, constrained to a JSON schema where one is given.

        JSON may still be cut off after `max_tokens`. Raises ModelCrashed, ModelMissing,
        ModelCorrupt, ModelError for a prompt that is too long, Cancelled (between tokens).
        """
        pieces: list[str] = []

        def keep(text: str) -> None:
            pieces.append(text)
            progress.report(_STAGE, len(pieces), max_tokens)

        request = {"do": "complete", "prompt": prompt, "schema": schema, "max_tokens": max_tokens}
        self._process.ask(request, progress, keep)
        return "".join(pieces)

    def log_likelihood(self, prompt: str, continuation: str, progress: Progress) -> float:
        """ln P(continuation | prompt), summed over tokens; raises as `complete` does."""
        request = {"do": "likelihood", "prompt": prompt, "continuation": continuation}
        return float(self._process.ask(request, progress, lambda _: None))

    def close(self) -> None:
        """End the process and free its memory; the next request starts a new one."""
        self._process.close()

    def _order(self, progress: Progress) -> LoadOrder:
        if find_spec("llama_cpp") is None:
            advice = "Run: pip install 'photoapp[vlm]'"
            raise ModelMissing("llama-cpp-python is not installed.", advice)
        path = self._weights(progress)
        return LoadOrder(str(path), self._options.context_tokens, self._options.threads)


def open_llama(manifest: ModelManifest, options: LlamaOptions | None = None) -> LlamaModel:
    """The language model of a manifest; its file is verified whenever it is loaded."""
    return LlamaModel(
        manifest.identity, lambda progress: verified(manifest, "weights", progress), options
    )
