"""Whether a window can be opened here: asked before Qt is, for Qt would end the process."""

import ctypes
import os
import sys
from pathlib import Path

from core.errors import PhotoAppError


class WindowUnavailable(PhotoAppError):
    """The window cannot be opened on this machine as it is."""


def demand_display() -> None:
    """Raise WindowUnavailable where there is no display to open a window on."""
    if not _decides_itself() and not _any_display():
        raise WindowUnavailable(
            "There is no display to open a window on.",
            "Start it from a desktop, or use a command: `photoapp --help` lists them.",
        )


def demand_platform(plugins: Path) -> None:
    """Raise WindowUnavailable where Qt's X11 plugin in `plugins` lacks a library it needs."""
    plugin = plugins / "platforms" / "libqxcb.so"
    if _decides_itself() or os.environ.get("WAYLAND_DISPLAY") or not plugin.exists():
        return
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        raise WindowUnavailable(
            f"A library of the X window system is missing: {error}.",
            "Install it; on Debian and Ubuntu: `apt install libxcb-cursor0 libxcb-icccm4 "
            "libxcb-keysyms1`.",
        ) from error


def _decides_itself() -> bool:
    """Whether the platform needs no display variable, or the user has chosen one for Qt."""
    linux = sys.platform.startswith(("linux", "freebsd"))
    return not linux or bool(os.environ.get("QT_QPA_PLATFORM"))


def _any_display() -> bool:
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    return bool(os.environ.get("DISPLAY")) and _x_server_answers()


def _x_server_answers() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:  # then Qt's own plugin tells what is missing
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
