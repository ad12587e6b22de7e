"""The types of Godot's values for which Python has no type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

if TYPE_CHECKING:
    import typing

    from ._gdvar import PackedArray


class StringName(str):
    """A StringName. It equals the str with the same text; its type distinguishes it from a String."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"StringName({str.__repr__(self)})"


class Int(int):
    """An int that remembers how many bits it takes. ``exact=True`` returns it."""

    bits: int

    def __new__(cls, value: int = 0, bits: int = 64) -> "Int":
        if bits not in (32, 64):
            raise ValueError(f"an Int has 32 or 64 bits, not {bits}")
        own = super().__new__(cls, value)
        own.bits = bits
        return own

    def __repr__(self) -> str:
        return f"Int({int.__repr__(self)}, bits={self.bits})"

    def __getnewargs__(self) -> Any:
        return int(self), self.bits

    def __replace__(self, **changes: Any) -> "Int":
        return Int(**{"value": int(self), "bits": self.bits, **changes})


class Float(float):
    """A float that remembers how many bits it takes. ``exact=True`` returns it."""

    bits: int

    def __new__(cls, value: float = 0.0, bits: int = 64) -> "Float":
        if bits not in (32, 64):
            raise ValueError(f"a Float has 32 or 64 bits, not {bits}")
        own = super().__new__(cls, value)
        own.bits = bits
        return own

    def __repr__(self) -> str:
        return f"Float({float.__repr__(self)}, bits={self.bits})"

    def __getnewargs__(self) -> Any:
        return float(self), self.bits

    def __replace__(self, **changes: Any) -> "Float":
        return Float(**{"value": float(self), "bits": self.bits, **changes})


class ElementType(NamedTuple):
    """The type of a typed container's elements: the name of a ``builtin`` type or a ``class``, or the path of a ``script``."""

    kind: str
    name: str


#: What names the type of elements: ``int``, ``Vector2i``, ``PackedVector2Array``, ``"PackedByteArray"``, an :class:`ElementType`;
#: ``None`` is any type.
TypeOfElements = Union[None, ElementType, type, str, "typing.Callable[..., PackedArray]"]

#: The names that Python and GDScript have for types that the format names otherwise.
_NAMES = {"int": "Int", "float": "Float", "bool": "Bool", "str": "String", "bytes": "PackedByteArray", "list": "Array", "dict": "Dictionary"}


def _element_type(given: Any) -> Optional[ElementType]:
    """Returns the type of elements that a Python type, a name or an :class:`ElementType` names."""
    if given is None or isinstance(given, ElementType):
        return given
    # PackedVector2Array and its kin are functions.
    name = getattr(given, "__name__", given)
    if isinstance(name, str):
        return ElementType("builtin", _NAMES.get(name, name))
    if isinstance(given, tuple) and len(given) == 2:
        return ElementType(*given)
    raise TypeError(f"a type of elements is a type such as int or gdvar.Vector2i, its name, or gdvar.ElementType(kind, name), not {given!r}")


class Array(List[Any]):
    """A typed Array: a list that knows the type of its elements: ``Array([1, 2], int)``, ``Array([], gdvar.Vector2i)``.

    ``kind`` is ``Array``; in Pandemonium 5 it may also be ``TypedArray`` or ``PackedTypedArray``.
    """

    element_type: Optional[ElementType]
    kind: str

    def __init__(
        self, items: Any = (), element_type: TypeOfElements = None, kind: str = "Array"
    ) -> None:
        super().__init__(items)
        self.element_type = _element_type(element_type)
        self.kind = kind

    def __replace__(self, **changes: Any) -> "Array":
        own = {"items": self, "element_type": self.element_type, "kind": self.kind}
        return Array(**{**own, **changes})

    def __repr__(self) -> str:
        kind = "" if self.kind == "Array" else f", {self.kind!r}"
        return f"Array({list.__repr__(self)}, {self.element_type!r}{kind})"


class Dictionary(Dict[Any, Any]):
    """A typed Dictionary: a dict that knows the types of its keys and values: ``Dictionary({}, gdvar.StringName, float)``."""

    key_type: Optional[ElementType]
    value_type: Optional[ElementType]

    def __init__(
        self,
        items: Any = (),
        key_type: TypeOfElements = None,
        value_type: TypeOfElements = None,
    ) -> None:
        super().__init__(items)
        self.key_type = _element_type(key_type)
        self.value_type = _element_type(value_type)

    def __replace__(self, **changes: Any) -> "Dictionary":
        own = {"items": self, "key_type": self.key_type, "value_type": self.value_type}
        return Dictionary(**{**own, **changes})

    def __repr__(self) -> str:
        return f"Dictionary({dict.__repr__(self)}, {self.key_type!r}, {self.value_type!r})"


class Pairs(List[Any]):
    """A Dictionary that a dict cannot hold: a list of pairs.

    It has keys that Python cannot hash, such as Arrays, or that Python considers equal, such as 1 and 1.0.
    """

    key_type: Optional[ElementType]
    value_type: Optional[ElementType]

    def __init__(
        self,
        items: Any = (),
        key_type: TypeOfElements = None,
        value_type: TypeOfElements = None,
    ) -> None:
        super().__init__(items)
        self.key_type = _element_type(key_type)
        self.value_type = _element_type(value_type)

    def __replace__(self, **changes: Any) -> "Pairs":
        own = {"items": self, "key_type": self.key_type, "value_type": self.value_type}
        return Pairs(**{**own, **changes})

    def __repr__(self) -> str:
        is_typed = self.key_type is not None or self.value_type is not None
        types = f", {self.key_type!r}, {self.value_type!r}" if is_typed else ""
        return f"Pairs({list.__repr__(self)}{types})"


@dataclass(frozen=True, init=False, repr=False)
class NodePath:
    """A path to a node and its properties, given as a text, ``NodePath("../Player:position:x")``, or in parts.

    ``names`` are the names of the nodes. ``subnames`` follow after colons. An ``absolute`` path begins with a slash.
    """

    names: Tuple[str, ...] = ()
    subnames: Tuple[str, ...] = ()
    absolute: bool = False

    def __init__(
        self, names: Union[str, Iterable[str]] = (), subnames: Iterable[str] = (), absolute: bool = False
    ) -> None:
        if isinstance(names, str):
            if subnames or absolute:
                raise TypeError("a NodePath is given as a text or in parts, not both: NodePath(['root', 'A'], ['x'], True)")
            names, subnames, absolute = _parts(names)
        elif isinstance(subnames, str):
            raise TypeError(f"subnames are a tuple of texts: NodePath({tuple(names)!r}, ({subnames!r},))")
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "subnames", tuple(subnames))
        object.__setattr__(self, "absolute", bool(absolute))

    def __str__(self) -> str:
        start = "/" if self.absolute else ""
        return start + "/".join(map(str, self.names)) + "".join(f":{name}" for name in self.subnames)

    def __repr__(self) -> str:
        text = str(self)
        try:
            if NodePath(text) == self:
                return f"NodePath({text!r})"
        except ValueError:
            pass
        return f"NodePath({self.names!r}, {self.subnames!r}, {self.absolute!r})"

    def __replace__(self, **changes: Any) -> "NodePath":
        own = {"names": self.names, "subnames": self.subnames, "absolute": self.absolute}
        return NodePath(**{**own, **changes})

    @classmethod
    def parse(cls, text: str) -> "NodePath":
        """``NodePath(text)``."""
        return cls(text)


def _parts(text: str) -> Tuple[Tuple[str, ...], Tuple[str, ...], bool]:
    """Splits a path as the engines do: empty names between slashes are ignored."""
    path, *subnames = text.split(":")
    # The path may end with a colon.
    if subnames and not subnames[-1]:
        subnames.pop()
    if not all(subnames):
        raise ValueError(f"{text!r} is not a NodePath: there is no name between two of its colons")
    return tuple(name for name in path.split("/") if name), tuple(subnames), path.startswith("/")


@dataclass(frozen=True)
class RID:
    """The id of a resource."""

    id: int = 0


@dataclass(frozen=True)
class Callable:
    """A Callable. The engines store nothing about it."""


@dataclass(frozen=True)
class Signal:
    """A signal's name and the instance id of its object."""

    name: str = ""
    object_id: int = 0


@dataclass(frozen=True)
class ObjectId:
    """An object that is stored only as its instance id."""

    id: int = 0


@dataclass
class Object:
    """A whole object as inert data: a class name and properties. It is never instantiated."""

    class_name: str
    properties: Dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """The bytes of a value that no other type here can hold. They are written unchanged."""

    data: bytes
    kind: str = ""
