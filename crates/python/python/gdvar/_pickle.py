"""How values are pickled. By default pickle asks every object for its method and its state, which takes several times as long."""

from __future__ import annotations

import copyreg
from typing import Any

from ._gdvar import PackedArray, PackedStringArray
from ._types import RID, Array, Dictionary, ElementType, Float, Int, NodePath, ObjectId, Pairs, Signal, StringName

# These have a __dict__. A new object gets it back as it was, which also keeps what somebody added to it, and
# is not checked again: __init__ would take most of the time.
_new: Any = getattr(copyreg, "__newobj__")


def _list(own: Any) -> Any:
    # Elements follow, so that a container may hold itself.
    return _new, (type(own),), vars(own), iter(own)


def _dictionary(own: Dictionary) -> Any:
    return _new, (Dictionary,), vars(own), None, iter(own.items())


def _node_path(own: NodePath) -> Any:
    return _new, (NodePath,), vars(own)


def register() -> None:
    """Tells pickle and copy. Classes that inherit from these are pickled as any other."""
    copyreg.pickle(Array, _list)
    copyreg.pickle(Pairs, _list)
    copyreg.pickle(Dictionary, _dictionary)
    copyreg.pickle(StringName, lambda own: (StringName, (str(own),)))
    copyreg.pickle(ElementType, lambda own: (ElementType, (own.kind, own.name)))
    copyreg.pickle(NodePath, _node_path)
    copyreg.pickle(RID, lambda own: (RID, (own.id,)))
    copyreg.pickle(ObjectId, lambda own: (ObjectId, (own.id,)))
    copyreg.pickle(Signal, lambda own: (Signal, (own.name, own.object_id)))
    copyreg.pickle(Int, lambda own: (Int, own.__getnewargs__()))
    copyreg.pickle(Float, lambda own: (Float, own.__getnewargs__()))
    copyreg.pickle(PackedArray, PackedArray.__reduce__)
    copyreg.pickle(PackedStringArray, PackedStringArray.__reduce__)
