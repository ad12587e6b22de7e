"""How values are pickled. By default pickle asks every object for its method and its state, which takes several times as long."""

from __future__ import annotations

import copyreg
from typing import Any, Dict, Optional

from ._gdvar import PackedArray, PackedStringArray
from ._types import RID, Array, Dictionary, ElementType, Float, Int, NodePath, ObjectId, Pairs, Signal, StringName


def _more(own: Any, known: int) -> Optional[Dict[str, Any]]:
    """The attributes of a container, if somebody gave it more than the ``known`` ones."""
    return vars(own) if len(vars(own)) > known else None


# Elements follow, so that a container may hold itself.


def _array(own: Array) -> Any:
    return Array, ((), own.element_type, own.kind), _more(own, 2), iter(own)


def _pairs(own: Pairs) -> Any:
    return Pairs, ((), own.key_type, own.value_type), _more(own, 2), iter(own)


def _dictionary(own: Dictionary) -> Any:
    return Dictionary, ((), own.key_type, own.value_type), _more(own, 2), None, iter(own.items())


def register() -> None:
    """Tells pickle and copy. Classes that inherit from these are pickled as any other."""
    copyreg.pickle(Array, _array)
    copyreg.pickle(Pairs, _pairs)
    copyreg.pickle(Dictionary, _dictionary)
    copyreg.pickle(StringName, lambda own: (StringName, (str(own),)))
    copyreg.pickle(ElementType, lambda own: (ElementType, (own.kind, own.name)))
    copyreg.pickle(NodePath, lambda own: (NodePath, (own.names, own.subnames, own.absolute)))
    copyreg.pickle(RID, lambda own: (RID, (own.id,)))
    copyreg.pickle(ObjectId, lambda own: (ObjectId, (own.id,)))
    copyreg.pickle(Signal, lambda own: (Signal, (own.name, own.object_id)))
    copyreg.pickle(Int, Int.__reduce__)
    copyreg.pickle(Float, Float.__reduce__)
    copyreg.pickle(PackedArray, PackedArray.__reduce__)
    copyreg.pickle(PackedStringArray, PackedStringArray.__reduce__)
