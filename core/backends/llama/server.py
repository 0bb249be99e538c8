"""What runs in a model's process: load one GGUF file, then answer until the pipe closes.

Requests: `{do: complete, id, prompt, schema, max_tokens}`, `{do: likelihood, id, prompt,
continuation}`, `{do: cancel}`. Replies: `{is: ready}`, `{is: unusable, why, message}`,
`{is: text, id, text}`, `{is: answer, id, value}`, `{is: refusal, id, message}`.
"""

import os
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from core.backends.llama.completion import completion
from core.backends.llama.likelihood import log_likelihood
from core.backends.llama.wire import Message, receive, send


@dataclass(frozen=True, slots=True)
class LoadOrder:
    """Which file to load and how: tokens of context, threads (0: half of the cores)."""

    path: str
    context_tokens: int
    threads: int


def serve(pipe: Connection, order: LoadOrder) -> None:
    """Load the model and answer; a closed pipe means that the application has gone."""
    settle_down()
    try:
        if llm := _loaded(pipe, order):
            send(pipe, {"is": "ready"})
            while True:
                _reply(pipe, llm, receive(pipe))
    except (EOFError, ConnectionError):
        return


def settle_down() -> None:
    """Leave Ctrl-C and the output to the application, die without ado, wait asleep."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ["GGML_NO_BACKTRACE"] = "1"
    # Threads that spin while they wait slow down forty-fold when other programs want the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _loaded(pipe: Connection, order: LoadOrder) -> Any:
    """The model, or None after telling why there is none."""
    try:
        from llama_cpp import Llama  # noqa: PLC0415 - only this process ever loads the library
    except (ImportError, OSError, RuntimeError):
        _tell_unusable(pipe, "missing", "llama-cpp-python is not installed or cannot be loaded.")
        return None
    try:
        return Llama(
            model_path=order.path,
            n_ctx=order.context_tokens,
            n_threads=order.threads or None,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError):
        why = "the file is damaged, of an unknown kind, or larger than the free memory."
        _tell_unusable(pipe, "corrupt", why)
        return None


def _tell_unusable(pipe: Connection, why: str, message: str) -> None:
    send(pipe, {"is": "unusable", "why": why, "message": message})


def _reply(pipe: Connection, llm: Any, request: Message) -> None:
    """Answer one request; anything that comes in behind it is a wish to stop.

    It stays in the pipe for the main loop: only after a cancel does another request come.
    """
    if request["do"] == "cancel" or pipe.poll():
        return
    try:
        value = _value(pipe, llm, request)
    except (ValueError, RuntimeError) as error:
        send(pipe, {"is": "refusal", "id": request["id"], "message": str(error)})
    else:
        send(pipe, {"is": "answer", "id": request["id"], "value": value})


def _value(pipe: Connection, llm: Any, request: Message) -> float | None:
    """The likelihood, or None after sending a completion piece by piece."""
    if request["do"] == "likelihood":
        return log_likelihood(llm, request["prompt"], request["continuation"])
    for text in completion(llm, request["prompt"], request["schema"], request["max_tokens"]):
        send(pipe, {"is": "text", "id": request["id"], "text": text})
        if pipe.poll():
            break
    return None
