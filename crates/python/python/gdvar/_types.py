"""The types of Godot's values that Python has none for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional


class StringName(str):
    """A StringName: text, told apart from a String by its type. Equal to the str of its text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"StringName({str.__repr__(self)})"


class Int(int):
    """An int that remembers how many bits it takes: what ``exact=True`` gives."""

    bits: int

    def __new__(cls, value: int = 0, bits: int = 64) -> "Int":
        if bits not in (32, 64):
            raise ValueError(f"an Int has 32 or 64 bits, not {bits}")
        own = super().__new__(cls, value)
        own.bits = bits
        return own

    def __repr__(self) -> str:
        return f"Int({int.__repr__(self)}, bits={self.bits})"

    def __reduce__(self) -> Any:
        return Int, (int(self), self.bits)


class Float(float):
    """A float that remembers how many bits it takes: what ``exact=True`` gives."""

    bits: int

    def __new__(cls, value: float = 0.0, bits: int = 64) -> "Float":
        if bits not in (32, 64):
            raise ValueError(f"a Float has 32 or 64 bits, not {bits}")
        own = super().__new__(cls, value)
        own.bits = bits
        return own

    def __repr__(self) -> str:
        return f"Float({float.__repr__(self)}, bits={self.bits})"

    def __reduce__(self) -> Any:
        return Float, (float(self), self.bits)


class ElementType(NamedTuple):
    """The type of a typed container's elements: a ``builtin`` type by its name, a ``class``, a ``script``."""

    kind: str
    name: str


class Array(list):
    """A typed Array: a list that knows the type of its elements.

    ``kind`` is ``Array``, or in Pandemonium 5 ``TypedArray`` or ``PackedTypedArray``.
    """

    element_type: Optional[ElementType]
    kind: str

    def __init__(
        self, items: Any = (), element_type: Optional[ElementType] = None, kind: str = "Array"
    ) -> None:
        super().__init__(items)
        self.element_type = element_type
        self.kind = kind

    def __repr__(self) -> str:
        return f"Array({list.__repr__(self)}, {self.element_type!r})"


class Dictionary(dict):
    """A typed Dictionary: a dict that knows the types of its keys and values."""

    key_type: Optional[ElementType]
    value_type: Optional[ElementType]

    def __init__(
        self,
        items: Any = (),
        key_type: Optional[ElementType] = None,
        value_type: Optional[ElementType] = None,
    ) -> None:
        super().__init__(items)
        self.key_type = key_type
        self.value_type = value_type

    def __repr__(self) -> str:
        return f"Dictionary({dict.__repr__(self)}, {self.key_type!r}, {self.value_type!r})"


class Pairs(list):
    """A Dictionary that no dict can hold: a list of pairs.

    Such are Dictionaries with keys that Python cannot hash, as Arrays, or takes for equal, as 1 and 1.0.
    """

    key_type: Optional[ElementType]
    value_type: Optional[ElementType]

    def __init__(
        self,
        items: Any = (),
        key_type: Optional[ElementType] = None,
        value_type: Optional[ElementType] = None,
    ) -> None:
        super().__init__(items)
        self.key_type = key_type
        self.value_type = value_type

    def __repr__(self) -> str:
        return f"Pairs({list.__repr__(self)})"


@dataclass(frozen=True)
class NodePath:
    """A path to a node and its properties: ``NodePath("../Player:position:x")`` is parsed by :meth:`parse`."""

    names: tuple[str, ...] = ()
    subnames: tuple[str, ...] = ()
    absolute: bool = False

    def __str__(self) -> str:
        start = "/" if self.absolute else ""
        return start + "/".join(self.names) + "".join(":" + name for name in self.subnames)

    @classmethod
    def parse(cls, text: str) -> "NodePath":
        """From the text that scripts write: names between slashes, sub-names behind colons."""
        path, *subnames = text.split(":")
        names = tuple(name for name in path.split("/") if name)
        return cls(names, tuple(name for name in subnames if name), path.startswith("/"))


@dataclass(frozen=True)
class RID:
    """The number of a resource."""

    id: int = 0


@dataclass(frozen=True)
class Callable:
    """A Callable: nothing of it is stored."""


@dataclass(frozen=True)
class Signal:
    """A signal's name and the instance id of its object."""

    name: str = ""
    object_id: int = 0


@dataclass(frozen=True)
class ObjectId:
    """An object, stored as its instance id alone."""

    id: int = 0


@dataclass
class Object:
    """A whole object: inert data, a class name and properties. Nothing is ever made of it."""

    class_name: str
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """A value as its bytes: what no other type here holds. It is written as it is."""

    data: bytes
    kind: str = ""
