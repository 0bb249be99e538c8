"""Frozen values that the whole engine speaks in; no I/O."""
