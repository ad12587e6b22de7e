"""Packed arrays under the names that scripts use."""

from __future__ import annotations

from typing import Any

from ._gdvar import PackedArray


def PackedByteArray(items: Any = None) -> PackedArray:
    """Bytes."""
    return PackedArray("PackedByteArray", items)


def PackedInt32Array(items: Any = None) -> PackedArray:
    """Ints of 32 bits."""
    return PackedArray("PackedInt32Array", items)


def PackedInt64Array(items: Any = None) -> PackedArray:
    """Ints of 64 bits."""
    return PackedArray("PackedInt64Array", items)


def PackedFloat32Array(items: Any = None) -> PackedArray:
    """Floats of 32 bits."""
    return PackedArray("PackedFloat32Array", items)


def PackedFloat64Array(items: Any = None) -> PackedArray:
    """Floats of 64 bits."""
    return PackedArray("PackedFloat64Array", items)


def PackedVector2Array(items: Any = None, *, wide: bool = False) -> PackedArray:
    """Vectors of two floats."""
    return PackedArray("PackedVector2Array", items, wide=wide)


def PackedVector3Array(items: Any = None, *, wide: bool = False) -> PackedArray:
    """Vectors of three floats."""
    return PackedArray("PackedVector3Array", items, wide=wide)


def PackedVector4Array(items: Any = None, *, wide: bool = False) -> PackedArray:
    """Vectors of four floats."""
    return PackedArray("PackedVector4Array", items, wide=wide)


def PackedColorArray(items: Any = None) -> PackedArray:
    """Colours of four floats."""
    return PackedArray("PackedColorArray", items)
