"""How likely a model finds a continuation of a prompt."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.backends.llama.completion import prompt_tokens
from core.domain.arrays import Float64Array


def log_likelihood(llm: Any, prompt: str, continuation: str) -> float:
    """Σᵢ ln P(cᵢ | prompt, c₁ … cᵢ₋₁) over the tokens of the continuation, 0 for none.

    Raises ValueError when both together don't fit, RuntimeError when llama.cpp fails.
    """
    before = prompt_tokens(llm, prompt)
    after = llm.tokenize(continuation.encode("utf-8", "replace"), add_bos=False, special=False)
    room = min(llm.n_ctx() - len(before), llm.n_batch)
    if len(after) > room:
        raise ValueError(f"a continuation of {len(after)} tokens, there is room for {room}.")
    if not after:
        return 0.0
    llm.reset()
    llm.eval(before[:-1])
    logits = _logits(llm, [before[-1], *after[:-1]], len(before) - 1)
    # The library's own notes don't know what was evaluated here: have it start afresh.
    llm.reset()
    picked = logits[np.arange(len(after)), after]
    return float(np.sum(picked - np.logaddexp.reduce(logits, axis=1)))


def _logits(llm: Any, tokens: Sequence[int], start: int) -> Float64Array:
    """Next-token logits after each token at positions from `start`: (n, vocabulary).

    Asked for these tokens alone: `logits_all` would keep those of the whole context.
    """
    import llama_cpp  # noqa: PLC0415 - heavy

    batch = llama_cpp.llama_batch_init(len(tokens), 0, 1)
    try:
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i] = token, start + i
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, 0
            batch.logits[i] = True
        batch.n_tokens = len(tokens)
        if code := llama_cpp.llama_decode(llm.ctx, batch):
            raise RuntimeError(f"llama.cpp could not decode ({code}).")
        rows = [llama_cpp.llama_get_logits_ith(llm.ctx, i) for i in range(len(tokens))]
        size = (llm.n_vocab(),)
        return np.array([np.ctypeslib.as_array(row, size) for row in rows], np.float64)
    finally:
        llama_cpp.llama_batch_free(batch)
