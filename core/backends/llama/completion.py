"""Continues a prompt token by token, greedily, within a grammar where a schema is given."""

import codecs
import ctypes
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

_LONGEST_PIECE = 1024


def completion(
    llm: Any, prompt: str, schema: dict[str, object] | None, max_tokens: int
) -> Iterator[str]:
    """Yield the text of each token of a `llama_cpp.Llama`, empty within a character.

    Raises ValueError when the prompt fills the context or the schema has no grammar, RuntimeError
    when llama.cpp fails.
    """
    from llama_cpp import llama_model_get_vocab, llama_vocab_is_eog  # noqa: PLC0415 - heavy

    tokens = prompt_tokens(llm, prompt)
    grammar = None if schema is None else _grammar(schema)
    vocabulary = llama_model_get_vocab(llm.model)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    most = min(max_tokens, llm.n_ctx() - len(tokens))
    for token in islice(llm.generate(tokens, temp=0.0, grammar=grammar), most):
        if llama_vocab_is_eog(vocabulary, token):
            return
        yield decoder.decode(_piece(vocabulary, token))


def prompt_tokens(llm: Any, prompt: str) -> list[int]:
    """The tokens of a prompt, at least one; raises ValueError when they fill the context.

    Names of control tokens in the text stay text: what photos say cannot end a turn.
    """
    tokens: list[int] = llm.tokenize(prompt.encode("utf-8", "replace"), special=False)
    if len(tokens) >= llm.n_ctx():
        raise ValueError(f"a prompt of {len(tokens)} tokens fills the context of {llm.n_ctx()}.")
    return tokens or [llm.token_bos()]


def _piece(vocabulary: Any, token: int) -> bytes:
    from llama_cpp import llama_token_to_piece  # noqa: PLC0415 - heavy

    buffer = ctypes.create_string_buffer(_LONGEST_PIECE)
    length = llama_token_to_piece(vocabulary, token, buffer, _LONGEST_PIECE, 0, False)
    return buffer.raw[: max(length, 0)]


def _grammar(schema: dict[str, object]) -> Any:
    from llama_cpp import LlamaGrammar  # noqa: PLC0415 - heavy

    try:
        return LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
        raise ValueError("the JSON schema cannot be turned into a grammar.") from error
