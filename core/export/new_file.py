"""A new file beside others: whole or not at all, and never over one that is there."""

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

_MOST_NUMBERS = 100_000


def write_new(folder: Path, name: str, content: Iterable[bytes]) -> Path:
    """Write a file under a name that is free, numbered where it is taken; raises OSError.

    It appears when it is whole.
    """
    temporary = folder / f".{secrets.token_hex(8)}.part"
    try:
        with temporary.open("xb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        return _appear(temporary, folder, name)
    finally:
        temporary.unlink(missing_ok=True)


def _appear(temporary: Path, folder: Path, name: str) -> Path:
    """Give a finished file the first name that is free."""
    for number in range(1, _MOST_NUMBERS):
        target = folder / numbered(name, number)
        try:
            os.link(temporary, target)
        except FileExistsError:
            continue
        except OSError:  # a file system without links
            if not _reserve(target):
                continue
            try:
                temporary.replace(target)
            except OSError:
                target.unlink(missing_ok=True)
                raise
        return target
    raise FileExistsError(f"{_MOST_NUMBERS} files of that name")


def _reserve(target: Path) -> bool:
    with contextlib.suppress(FileExistsError), target.open("xb"):
        return True
    return False


def numbered(name: str, number: int) -> str:
    """The name itself, then "name (2).jpg", "name (3).jpg" and so on."""
    if number == 1:
        return name
    path = Path(name)
    return f"{path.stem} ({number}){path.suffix}"
