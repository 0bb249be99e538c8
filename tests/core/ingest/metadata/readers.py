"""What other libraries make of a file: each reads it in a process that may be killed."""

# ruff: noqa: PLC0415 - a reader is imported only by the processes that use it

import multiprocessing
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

Reading = str
"""How a reading ended: "read WxH format", else the reason why not."""

HANGS, CRASHES = "hangs", "crashes"
_TOO_LONG_S = 20.0
_MOST_BYTES = 4_000_000_000
TEXT_AS_ART = "tty"
"""What FFmpeg calls a text that it draws as a picture: no photo."""


def by_pillow(path: Path) -> Reading:
    """Pillow with all of its own plugins."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    with Image.open(path) as picture:
        picture.load()
        return f"read {picture.width}x{picture.height} {picture.format}"


def by_pillow_heif(path: Path) -> Reading:
    """pillow-heif's own reader."""
    import pillow_heif

    heif = pillow_heif.open_heif(path)
    picture = heif.to_pillow()
    return f"read {picture.width}x{picture.height} HEIF"


def by_rawpy(path: Path) -> Reading:
    """LibRaw, developed at half size."""
    import rawpy

    with rawpy.imread(str(path)) as raw:
        height, width = raw.postprocess(half_size=True).shape[:2]
        return f"read {width}x{height} RAW"


def by_pyav(path: Path) -> Reading:
    """FFmpeg: the first frame of the first stream of pictures."""
    import av

    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            frame.to_image().load()
            return f"read {frame.width}x{frame.height} {container.format.name}"
    return "no frame"


READERS: dict[str, Callable[[Path], Reading]] = {
    "Pillow": by_pillow,
    "pillow-heif": by_pillow_heif,
    "rawpy": by_rawpy,
    "PyAV": by_pyav,
}


def _serve(connection: Connection, reader: str) -> None:
    warnings.simplefilter("ignore")
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    while True:
        try:
            path = connection.recv()
        except EOFError:
            return
        try:
            reading = READERS[reader](path)
        except Exception as error:
            reading = f"{type(error).__name__}: {error}"
        connection.send(reading)


def readings(reader: str, paths: Iterable[Path]) -> Iterator[Reading]:
    """How one reader fares with each file; hangs and crashes are readings too."""
    context = multiprocessing.get_context("spawn")
    waiting = list(paths)
    while waiting:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, reader), daemon=True)
        process.start()
        theirs.close()
        reading = ""
        while waiting and reading not in (HANGS, CRASHES):
            reading = _ask(ours, waiting.pop(0))
            yield reading
        process.kill()
        process.join()
        ours.close()


def _ask(connection: Connection, path: Path) -> Reading:
    connection.send(path)
    try:
        return str(connection.recv()) if connection.poll(_TOO_LONG_S) else HANGS
    except EOFError:
        return CRASHES
