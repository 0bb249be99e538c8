"""What every test needs, whichever folders are chosen."""

# PySide's import hook reads the modules that are imported after it; a pydantic that is half
# imported by then does not survive that, so it is imported whole before any window.
import pydantic.fields
import pydantic.type_adapter  # noqa: F401
