"""numpy arrays, for those who have numpy: nothing else of the package needs it."""

from __future__ import annotations

from typing import Any


def of_bytes(cells: bytes, dtype: str, shape: tuple[int, ...]) -> Any:
    """An array of its own with these bytes."""
    import numpy

    return numpy.frombuffer(cells, dtype=dtype).reshape(shape).copy()
