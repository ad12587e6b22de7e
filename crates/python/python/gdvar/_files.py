"""Files, edits and differences."""

from __future__ import annotations

import builtins
import os
from typing import Any, BinaryIO, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._errors import DecodeError
from ._gdvar import Value, _diff, _edit, _open, _replace, _value, dumps, loads

Path = Union[str, "os.PathLike[str]"]


class File:
    """The contents of a file: values that are looked at when they are asked for.

    ``form`` is ``value``, ``records`` (``store_var``) or ``project`` (``project.binary``); ``layers`` says what was taken
    off: ``compressed``, ``encrypted``.
    """

    def __init__(
        self,
        data: bytes,
        *,
        dialect: str = "godot4",
        objects: str = "ids",
        framing: str = "auto",
        password: Optional[str] = None,
        key: Optional[bytes] = None,
    ) -> None:
        self.dialect = dialect
        self.objects = objects
        opened = _open(
            bytes(data), dialect=dialect, objects=objects, framing=framing, password=password, key=key
        )
        self.layers, self.form, self.contents, self._places, self.names, self.damage = opened

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: Union[int, str]) -> Value:
        """The value of that number, or of that name in a ``project.binary``."""
        if isinstance(index, str):
            try:
                index = self.names.index(index)
            except ValueError:
                raise KeyError(index) from None
        start, end = self._places[index]
        return _value(self.contents, start, end, dialect=self.dialect, objects=self.objects)

    def __iter__(self) -> Iterator[Value]:
        return (self[index] for index in range(len(self)))

    def raw(self, index: int = 0) -> bytes:
        """The bytes of a value."""
        start, end = self._places[index]
        return self.contents[start:end]

    @property
    def value(self) -> Value:
        """The only value."""
        if len(self) != 1:
            raise DecodeError(f"the file holds {len(self)} values, not one: iterate over it", "NotOne")
        return self[0]

    def load(self, exact: bool = False) -> Any:
        """All of it as Python's: a value, a list of the records, a dict of the settings."""
        if self.form == "value":
            return self[0].load(exact)
        values = [value.load(exact) for value in self]
        if self.damage is not None:
            raise DecodeError(self.damage[1], self.damage[0])
        return dict(zip(self.names, values)) if self.form == "project" else values

    def __repr__(self) -> str:
        layers = "".join(f"{layer} " for layer in self.layers)
        return f"<gdvar.File {layers}{self.form}, {len(self)} values>"


def open(
    path: Path,
    *,
    dialect: str = "godot4",
    objects: str = "ids",
    framing: str = "auto",
    password: Optional[str] = None,
    key: Optional[bytes] = None,
) -> File:
    """Opens a save: a bare value, records, compressed, encrypted, ``project.binary``."""
    with builtins.open(path, "rb") as file:
        data = file.read()
    return File(data, dialect=dialect, objects=objects, framing=framing, password=password, key=key)


def load(file: Union[Path, BinaryIO], **options: Any) -> Any:
    """The values of a file as Python's; ``file`` is a path or open for reading bytes. Options as :func:`open`."""
    exact = options.pop("exact", False)
    if hasattr(file, "read"):
        return File(file.read(), **options).load(exact)  # type: ignore[union-attr]
    return open(file, **options).load(exact)  # type: ignore[arg-type]


def dump(value: Any, file: BinaryIO, *, target: str = "godot4", precision: str = "given", record: bool = False) -> None:
    """Writes a value to a file that is open for writing bytes; with ``record`` behind its length, as ``store_var`` does."""
    data = dumps(value, target=target, precision=precision)
    if record:
        file.write(len(data).to_bytes(4, "little"))
    file.write(data)


def save(
    path: Path,
    *values: Any,
    target: str = "godot4",
    precision: str = "given",
    records: Optional[bool] = None,
) -> None:
    """Writes values to a file in one step: it is the old one or the new one, whatever happens.

    Several values, or one with ``records=True``, are written as ``store_var`` does, behind their lengths.
    """
    framed = len(values) != 1 if records is None else records
    parts = []
    for value in values:
        data = dumps(value, target=target, precision=precision)
        if framed:
            parts.append(len(data).to_bytes(4, "little"))
        parts.append(data)
    _replace(path, b"".join(parts))


class Edit:
    """Changes of a value by path, made on its bytes: all else stays as it is.

    >>> import gdvar
    >>> data = gdvar.dumps({"gold": 5, "party": ["Ann"]})
    >>> gdvar.loads(gdvar.edit(data).set("gold", 9).append("party", "Bo").bytes())
    {'gold': 9, 'party': ['Ann', 'Bo']}
    """

    def __init__(self, data: bytes, *, dialect: str = "godot4", objects: str = "ids") -> None:
        self._data = bytes(data)
        self._dialect = dialect
        self._objects = objects
        self._ops: List[Tuple[str, str, Optional[bytes]]] = []

    def _add(self, op: str, path: str, value: Optional[bytes]) -> "Edit":
        self._ops.append((op, path, value))
        return self

    def _dump(self, value: Any) -> bytes:
        return dumps(value, target=self._dialect)

    def set(self, path: str, value: Any) -> "Edit":
        """Replaces a value, or adds a key that a Dictionary does not have."""
        return self._add("set", path, self._dump(value))

    def insert(self, path: str, value: Any) -> "Edit":
        """Adds an element in front of the one at the path, or a new key."""
        return self._add("insert", path, self._dump(value))

    def append(self, path: str, value: Any) -> "Edit":
        """Adds an element to the end of the array at the path."""
        return self._add("append", path, self._dump(value))

    def remove(self, path: str) -> "Edit":
        """Removes an element, a key with its value, or a property."""
        return self._add("remove", path, None)

    def rename(self, path: str, key: Any) -> "Edit":
        """Gives the value at the path another key."""
        return self._add("rename", path, self._dump(key))

    def bytes(self) -> builtins.bytes:
        """The bytes after all changes, which are made together or not at all."""
        return _edit(self._data, self._ops, dialect=self._dialect, objects=self._objects)


def edit(data: bytes, *, dialect: str = "godot4", objects: str = "ids") -> Edit:
    """Changes of the value in these bytes: :class:`Edit`."""
    return Edit(data, dialect=dialect, objects=objects)


class Difference(NamedTuple):
    """``what`` is ``set``, ``added``, ``removed`` or ``moved``; ``old`` and ``new`` are Python's values."""

    what: str
    path: str
    old: Any
    new: Any


def diff(
    old: bytes,
    new: bytes,
    *,
    dialect: str = "godot4",
    objects: str = "ids",
    tolerance: Optional[float] = None,
) -> List[Difference]:
    """In which values two values differ."""
    options = {"dialect": dialect, "objects": objects}

    def value(data: Optional[bytes]) -> Any:
        return None if data is None else loads(data, **options)

    found = _diff(bytes(old), bytes(new), tolerance=tolerance, **options)
    return [Difference(what, path, value(a), value(b)) for what, path, a, b in found]
