"""Stands in for a model's process: does as it is told, the bad things too."""

import os
import signal
import time
from multiprocessing.connection import Connection

from core.backends.llama.server import settle_down
from core.backends.llama.wire import receive, send


def serve(pipe: Connection, order: str) -> None:
    settle_down()
    if order == "noisy":
        os.write(1, b"noise")
    if order == "corrupt":
        send(pipe, {"is": "unusable", "why": "corrupt", "message": "damaged."})
        return
    if order == "slow":
        time.sleep(1)
    if order == "never":
        time.sleep(600)
    send(pipe, {"is": "ready"})
    try:
        while True:
            request = receive(pipe)
            if request["do"] != "cancel":
                answer(pipe, request["id"], request["do"])
    except (EOFError, ConnectionError):
        return


def answer(pipe: Connection, number: int, what: str) -> None:
    match what:
        case "hang":
            time.sleep(600)
        case "garbage":
            pipe.send_bytes(b"\xff{")
        case "refuse":
            send(pipe, {"is": "refusal", "id": number, "message": "too long."})
        case "count":
            count(pipe, number)
        case "answer":
            send(pipe, {"is": "text", "id": number, "text": "yes"})
            send(pipe, {"is": "answer", "id": number, "value": number})
        case name:
            send(pipe, {"is": "text", "id": number, "text": "y"})
            os.kill(os.getpid(), signal.Signals[name])


def count(pipe: Connection, number: int) -> None:
    told = 0
    while not pipe.poll(0.001):
        told += 1
        send(pipe, {"is": "text", "id": number, "text": str(told)})
