"""What libraries raise when they read damaged files."""

import struct
import zlib

DECODER_FAULTS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    RuntimeError,
    AssertionError,
    struct.error,
    zlib.error,
)
"""Errors of decoders and metadata readers on damaged bytes; anything else ends the process."""
