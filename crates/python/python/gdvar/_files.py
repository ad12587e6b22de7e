"""Files, edits and differences."""

from __future__ import annotations

import builtins
import os
from typing import TYPE_CHECKING, Any, BinaryIO, Iterator, List, NamedTuple, Optional, Tuple, Union

from ._errors import DecodeError, Error
from ._gdvar import Value, _diff, _edit, _open, _replace, dumps, loads
from ._typed import convert
from ._types import Float, Int, Raw

if TYPE_CHECKING:
    from typing import Self

    from ._gdvar import Buffer

Path = Union[str, "os.PathLike[str]"]


class Damage(NamedTuple):
    """A record that cannot be read.

    ``record`` is its index, from 0. A :class:`File` leaves out records that have no value at all, so that later ones have another
    index there. ``code`` is the name of the error, the same as in ``gdvar check --json``. ``offset`` is where the error is in
    ``contents``; in lines of text, where it is in the value. ``path`` is where it is in the value.
    """

    record: int
    code: str
    message: str
    offset: int
    path: str


class File:
    """The contents of a file. Values are read when you ask for them.

    | | |
    |---|---|
    | ``layers`` | the layers that were removed, the outermost first: ``gzip``, ``compressed:zstd``, ``encrypted:godot4``, ``text:hex``, ``project-settings`` |
    | ``header`` | the game's own bytes before the values; an edit keeps them |
    | ``trailer`` | the game's own bytes after the values, such as a checksum; an edit keeps them |
    | ``framing`` | what is around the values: ``bare`` for one value, ``len32`` (``store_var``), ``len32be``, ``hex``, ``base64`` |
    | ``dialect`` | the engine that wrote the values |
    | ``certainty`` | how certain that is: ``given``, ``certain``, ``same`` (several engines read the same values), ``likely``, ``furthest`` (all fail) |
    | ``same`` | the engines that read identical values, if there are several |
    | ``contents`` | the bytes without layers |
    | ``damage`` | a :class:`Damage` for each record that cannot be read, as ``gdvar check`` finds them |
    | ``path`` | the file's path, if it has one |
    """

    def __init__(
        self,
        data: Buffer,
        *,
        dialect: str = "auto",
        objects: str = "ids",
        framing: str = "auto",
        skip: Optional[int] = None,
        encoding: Optional[str] = None,
        password: Optional[str] = None,
        key: Optional[bytes] = None,
        max_unpacked: Optional[int] = None,
    ) -> None:
        self.path: Optional[Path] = None
        self._how: Any = {
            "dialect": dialect,
            "objects": objects,
            "framing": framing,
            "skip": skip,
            "encoding": encoding,
            "password": password,
            "key": key,
            "max_unpacked": max_unpacked,
        }
        # Not bytes(data), which makes five zeros of 5.
        self._read(bytes(memoryview(data)))

    def _read(self, data: bytes) -> None:
        self._opened = opened = _open(data, **self._how)
        self.layers, self.header, self.trailer, self.framing = opened.layers, opened.header, opened.trailer, opened.framing
        self.dialect, self.certainty, self.same = opened.dialect, opened.certainty, opened.same
        self.objects, self.contents = opened.objects, opened.contents
        self._damage: Optional[List[Damage]] = None
        self._data = data

    def __getstate__(self) -> Any:
        return {"path": self.path, "_how": self._how, "_data": self._data}

    def __setstate__(self, state: Any) -> None:
        self.path, self._how = state["path"], state["_how"]
        self._read(state["_data"])

    def __len__(self) -> int:
        return len(self._opened)

    def __getitem__(self, index: int) -> Value:
        """Returns the value with this index."""
        return self._opened.value(range(len(self))[index])

    def __iter__(self) -> Iterator[Value]:
        return (self[index] for index in range(len(self)))

    def raw(self, index: int = 0) -> bytes:
        """Returns the bytes of a value."""
        return self._opened.raw(range(len(self))[index])

    @property
    def value(self) -> Value:
        """The file's only value."""
        if len(self) != 1:
            raise DecodeError(f"the file holds {len(self)} values, not one: iterate over it", "NotOne")
        return self[0]

    @property
    def damage(self) -> List[Damage]:
        """The records that cannot be read; empty if there are none. The first use reads the whole file."""
        if self._damage is None:
            self._damage = [Damage(*one) for one in self._opened.damage()]
        return self._damage

    def edit(self, index: Optional[int] = None) -> "FileEdit":
        """Starts an edit of one value; :meth:`FileEdit.save` writes the changed file. All paths refer to the old value.

        ``index`` is the index of the value. It may be omitted if the file has only one.
        """
        if index is None:
            if len(self) != 1:
                raise Error(f"the file holds {len(self)} values: edit(0) changes the first", "NotOne")
            index = 0
        return FileEdit(self, range(len(self))[index])

    def load(self, exact: bool = False) -> Any:
        """Returns everything as Python's values: one value, or a list with one value for each record."""
        if self.framing == "bare":
            return self._load(0, exact)
        values = [self._load(index, exact) for index in range(len(self))]
        if self._opened.incomplete is not None:
            code, message = self._opened.incomplete
            raise DecodeError(message, code)
        return values

    def _load(self, index: int, exact: bool) -> Any:
        """Loads a value. An error has its place in the file, as :attr:`damage` has it."""
        try:
            return self[index].load(exact)
        except DecodeError as error:
            for record, code, message, offset, path in self._opened.damage(index):
                place = path if self.framing == "bare" else f"record {record} at {path}"
                raise DecodeError(f"{code} at byte {offset:#x}: {message} in {place}", code, offset, path) from error
            raise

    def __repr__(self) -> str:
        layers = "".join(f"{layer} " for layer in self.layers)
        values = "1 value" if len(self) == 1 else f"{len(self)} values"
        return f"<gdvar.File {layers}{self.framing}, {values} of {self.dialect}>"


def open(
    path: Path,
    *,
    dialect: str = "auto",
    objects: str = "ids",
    framing: str = "auto",
    skip: Optional[int] = None,
    encoding: Optional[str] = None,
    password: Optional[str] = None,
    key: Optional[bytes] = None,
    max_unpacked: Optional[int] = None,
) -> File:
    """Opens a save: a value or records, compressed, encrypted, as text, or after the game's own header; also ``project.binary``.

    What you do not specify is detected. If several readings are equally good, :class:`DecodeError` lists them, and its ``choices``
    are arguments that select one.

    ``dialect`` is the engine that wrote it: ``auto`` (Godot 4 or Godot 3), ``any`` (also the rare ones), ``godot4``, ``godot3``,
    ``godot2``, ``pandemonium3``, ``pandemonium4``, ``pandemonium5``, or a version such as
    ``godot3.2``, whose limits and notation are then used.
    ``objects``: objects that are stored whole are refused; ``inert`` reads them as data, which never becomes a real object.
    ``framing`` is ``bare`` (one value), ``len32`` (records, as ``store_var`` writes), ``len32be``, ``hex`` or ``base64`` (one value per
    line).
    ``skip`` is the length of the game's own header, in bytes.
    ``encoding`` is how the bytes are written as text: ``hex``, ``hexdump``, ``base64``, ``array``; ``raw`` means that they are not.
    ``max_unpacked`` is the maximum size of an unpacked layer in bytes. The default is 200 times the packed size, which no engine's file
    exceeds, but at least 64 MiB and at most 1 GiB.
    """
    with builtins.open(path, "rb") as file:
        data = file.read()
    opened = File(
        data,
        dialect=dialect,
        objects=objects,
        framing=framing,
        skip=skip,
        encoding=encoding,
        password=password,
        key=key,
        max_unpacked=max_unpacked,
    )
    opened.path = path
    return opened


def load(file: Union[Path, BinaryIO], *, type: Any = None, **options: Any) -> Any:
    """Returns the values of a file as Python's values. ``file`` is a path, or a file open for reading bytes.

    ``type`` is the type of the result, as for :func:`convert`: of the value, or of the list of values if the file has records.
    Other options as for :func:`open`.
    """
    exact = options.pop("exact", False)
    opened = open(file, **options) if isinstance(file, (str, os.PathLike)) else File(file.read(), **options)
    loaded = opened.load(exact)
    if type is None:
        return loaded
    try:
        return convert(loaded, type)
    except DecodeError as error:
        if opened.framing == "bare" or error.path != "$":
            raise
        name = getattr(type, "__name__", type)
        what = f"{error}; a file of store_var has a list of values: load(path, type=list[{name}])[0]"
        raise DecodeError(what, error.code, None, error.path) from None


def dump(value: Any, file: BinaryIO, *, target: str = "godot4", precision: str = "given", record: bool = False) -> None:
    """Writes a value to a file that is open for writing bytes. With ``record``, its length precedes it, as ``store_var`` writes it."""
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
    """Writes values to a file in one step: afterwards it is either the old or the new file, whatever happens.

    Several values, or one with ``records=True``, are written after their lengths, as ``store_var`` writes them.
    """
    framed = len(values) != 1 if records is None else records
    parts = []
    for value in values:
        data = dumps(value, target=target, precision=precision)
        if framed:
            parts.append(len(data).to_bytes(4, "little"))
        parts.append(data)
    _replace(path, b"".join(parts))


def _rule(value: Any) -> str:
    """What a value does at a place of another type: it is written unchanged, converted if that can be, or must become that type."""
    if isinstance(value, (Int, Float, Raw)):
        return "exact"
    if any(one.__module__.partition(".")[0] == "gdvar" for one in type(value).__mro__):
        return "typed"
    # Bytes and arrays of numpy are packed arrays. Numbers of numpy have no dimension.
    is_plain = isinstance(value, (int, float, str, list, tuple, dict)) or getattr(value, "ndim", None) == 0
    return "plain" if is_plain else "typed"


class Edit:
    """Changes a value by path. It works on the bytes, and everything else is kept.

    A new value takes the type of its place: an int that replaces a float becomes that float, a list that replaces an
    ``Array[int]`` or a packed array becomes one. A number, str, list, tuple or dict that cannot become that type is an error:
    1.5 where an int was, a list where a Vector2 was. What says its type changes it: a type of gdvar such as :class:`Vector2`,
    bytes, an array of numpy; :class:`Int`, :class:`Float` and ``Raw(dumps(value))`` are written unchanged. None replaces
    anything, and anything None, except in typed containers.

    All paths of an edit refer to the old value, also those after an ``append`` or a ``remove``: what an edit adds is changed
    before it is added, or by another edit of the result.

    >>> import gdvar
    >>> data = gdvar.dumps({"gold": 5, "speed": 1.5, "party": ["Ann"]})
    >>> gdvar.loads(gdvar.edit(data).set("gold", 9).set("speed", 2).append("party", "Bo").bytes())
    {'gold': 9, 'speed': 2.0, 'party': ['Ann', 'Bo']}
    >>> gdvar.loads(gdvar.edit(data).set("speed", gdvar.Int(2)).bytes())["speed"]
    2
    >>> gdvar.loads(gdvar.edit(data).append("party", "Bo").set("party[-1]", "LAST").bytes())["party"]
    ['LAST', 'Bo']
    """

    def __init__(self, data: Buffer, *, dialect: str = "godot4", objects: str = "ids") -> None:
        self._data = bytes(memoryview(data))
        self._dialect = dialect
        self._objects = objects
        self._ops: List[Tuple[str, str, Optional[bytes], str]] = []

    def _add(self, op: str, path: str, value: Any) -> "Self":
        self._ops.append((op, path, dumps(value, target=self._dialect), _rule(value)))
        return self

    def set(self, path: str, value: Any) -> "Self":
        """Replaces a value, or adds a key that a Dictionary does not have. The path refers to the old value: see :class:`Edit`."""
        return self._add("set", path, value)

    def insert(self, path: str, value: Any) -> "Self":
        """Adds an element before the one at the path, or a new key. The path refers to the old value: see :class:`Edit`."""
        return self._add("insert", path, value)

    def append(self, path: str, value: Any) -> "Self":
        """Adds an element at the end of the array at the path. Other paths of this edit do not lead to it: see :class:`Edit`."""
        return self._add("append", path, value)

    def remove(self, path: str) -> "Self":
        """Removes an element, a key with its value, or a property. Other paths of this edit still count it: see :class:`Edit`."""
        self._ops.append(("remove", path, None, "exact"))
        return self

    def rename(self, path: str, key: Any) -> "Self":
        """Renames the key of the value at the path. Other paths of this edit still have the old key: see :class:`Edit`."""
        return self._add("rename", path, key)

    def bytes(self) -> builtins.bytes:
        """Returns the changed bytes. All changes are made, or none."""
        return _edit(self._data, self._ops, dialect=self._dialect, objects=self._objects)


class FileEdit(Edit):
    """Changes one value of a :class:`File`.

    >>> import gdvar
    >>> gdvar.save("slot1.sav", {"gold": 5}, records=True)
    >>> gdvar.open("slot1.sav").edit().set("gold", 9).save()
    >>> gdvar.load("slot1.sav")
    [{'gold': 9}]
    """

    def __init__(self, file: File, index: int) -> None:
        super().__init__(file.raw(index), dialect=file.dialect, objects=file.objects)
        self._file = file
        self._index = index

    def file_bytes(self) -> builtins.bytes:
        """Returns the whole changed file: lengths are updated, all layers are put back, and every other byte is kept."""
        file = self._file
        if file.raw(self._index) != self._data:
            raise Error("another edit of this value was saved in the meantime: begin again with edit()", "Stale")
        return file._opened.with_value(self._index, self.bytes(), os.urandom(16))

    def save(self, path: Optional[Path] = None) -> None:
        """Writes the file in one step, in place or to another path: afterwards it is either the old or the new file, whatever happens.

        If it is written in place, the :class:`File` holds the new values afterwards. It is not written if somebody else has changed it.
        """
        file = self._file
        new = self.file_bytes()
        if path is not None:
            _replace(path, new)
            return
        if file.path is None:
            raise Error("these bytes were not opened as a file: give save() a path, or use file_bytes()", "NoFile")
        with builtins.open(file.path, "rb") as now:
            if now.read() != file._data:
                raise Error("the file was changed since it was opened: open it again, or give save() another path", "Stale")
        _replace(file.path, new)
        file._read(new)


def edit(data: Buffer, *, dialect: str = "godot4", objects: str = "ids") -> Edit:
    """Starts an :class:`Edit` of the value in these bytes. All paths refer to these bytes, whatever the edit did before."""
    return Edit(data, dialect=dialect, objects=objects)


class Difference(NamedTuple):
    """One difference. ``what`` is ``set``, ``added``, ``removed`` or ``moved``; ``old`` and ``new`` are Python's values."""

    what: str
    path: str
    old: Any
    new: Any


def diff(
    old: Buffer,
    new: Buffer,
    *,
    dialect: str = "godot4",
    objects: str = "ids",
    tolerance: Optional[float] = None,
) -> List[Difference]:
    """Returns the differences between two values."""

    def value(data: Optional[bytes]) -> Any:
        return None if data is None else loads(data, dialect=dialect, objects=objects)

    found = _diff(bytes(memoryview(old)), bytes(memoryview(new)), tolerance=tolerance, dialect=dialect, objects=objects)
    return [Difference(what, path, value(a), value(b)) for what, path, a, b in found]
