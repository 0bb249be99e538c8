"""What SQLite's errors mean for the user."""

import sqlite3

from core.errors import LibraryBusy, LibraryDamaged, LibraryError, LibraryUnwritable

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_UNWRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOLFS,
}
_SHAPELESS = ("no such table", "no such column", "Could not decode")
"""Messages of a library whose tables, or whose texts, are not what they should be."""


def known_error(error: sqlite3.Error) -> LibraryError | sqlite3.Error:
    """The error as the user should see it; itself where it is a bug."""
    text, code = str(error), primary_code(error)
    if code in _BUSY:
        return LibraryBusy("Another process is writing to this library.", "Try again later.")
    if code in _DAMAGED or text.startswith(_SHAPELESS):
        return damaged(text)
    if code in _UNWRITABLE:
        return LibraryUnwritable(
            f"The library cannot be written: {text}.",
            "Make its folder writable, free some space, or choose another with --library.",
        )
    return error


def primary_code(error: BaseException) -> int:
    """SQLite's number for the kind of an error, without what it adds; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def damaged(what: str) -> LibraryDamaged:
    """The library is damaged, and what can be done."""
    return LibraryDamaged(
        f"The library is damaged: {what}.",
        "Run `photoapp doctor --repair`: what can be read is kept, gaps are filled from the "
        "newest backup. Then index the folders again. Photos are not touched.",
    )


def unwritable(folder: object, error: OSError) -> LibraryUnwritable:
    """The library's folder refuses what was to be written there."""
    return LibraryUnwritable(
        f"The library folder {folder} cannot be written: {error.strerror}.",
        "Make it writable, free some space, or choose another with --library.",
    )
