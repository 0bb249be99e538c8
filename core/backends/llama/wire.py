"""What goes between the application and the process of a model: JSON, one object a message.

JSON rather than pickle, so that a process upset by a bad model file cannot make the application
run anything.
"""

import json
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]

_LONGEST = 1 << 24
"""Bytes of the longest message that is taken."""


def send(pipe: Connection, message: Message) -> None:
    """Send one message; raises OSError when the other end is closed."""
    pipe.send_bytes(json.dumps(message).encode("ascii"))


def receive(pipe: Connection) -> Message:
    """Wait for one message; raises EOFError or OSError when the other end is closed."""
    message: Message = json.loads(pipe.recv_bytes(_LONGEST))
    return message
