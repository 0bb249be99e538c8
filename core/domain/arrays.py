"""Array types of the engine; vectors are float32 rows of unit length unless said otherwise."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Float16Array: TypeAlias = npt.NDArray[np.float16]
"""Vectors as they are kept, at half the bytes."""
Float32Array: TypeAlias = npt.NDArray[np.float32]
Float64Array: TypeAlias = npt.NDArray[np.float64]
Int64Array: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
PixelArray: TypeAlias = npt.NDArray[np.uint8]
"""Upright sRGB pixels, (height, width, 3) or (n, height, width, 3)."""
