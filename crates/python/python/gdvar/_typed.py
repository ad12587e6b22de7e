"""Decoded values as the types of a program: ``loads(data, type=Save)`` and ``convert(value, Save)``."""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import enum
import itertools
import sys
import threading
import types
import typing
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from ._errors import DecodeError
from ._gdvar import Color, PackedArray, PackedStringArray, Vector2, Vector3, Vector4, dumps, view
from ._types import Object, Pairs

#: Turns a decoded value into the wanted one, or raises a _Mismatch.
Converter = Callable[[Any], Any]

_MISSING = object()
_LISTS = (list, PackedArray, PackedStringArray)
_VECTORS: Dict[str, Any] = {
    "PackedVector2Array": Vector2,
    "PackedVector3Array": Vector3,
    "PackedVector4Array": Vector4,
    "PackedColorArray": Color,
}


class _Mismatch(Exception):
    """A value of another type than wanted. The containers around it add their steps, the innermost first."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.steps: List[str] = []

    def at(self, step: str) -> "_Mismatch":
        self.steps.append(step)
        return self


def convert(value: Any, type: Any) -> Any:
    """Returns a decoded value as a value of ``type``, or raises a :class:`gdvar.DecodeError` with the path of what does not fit.

    ``type`` may be a dataclass, a TypedDict, a NamedTuple, a ``msgspec.Struct``, an Enum, ``list``, ``tuple``, ``set``, ``dict``,
    ``Literal``, ``Optional``, unions, and the types of values, nested as you like. A Dictionary or an ``Object`` becomes what has
    fields; keys without a field are left out, and a field that is missing takes its default. An int is a ``float`` where one is
    wanted; nothing else is converted. The cost is one walk through the value; what a type needs is found out once.
    """
    try:
        if _has_struct(type):
            # The fastest way, if there is nothing that it does not know.
            with contextlib.suppress(_Mismatch):
                return _by_msgspec(type)(value)
        return _converter(type)(value)
    except _Mismatch as error:
        path = "$" + "".join(reversed(error.steps))
        code, message = "TypeMismatch", f"{error} in {path}"
    except RecursionError:
        code, message, path = "DepthExceeded", "the value is nested deeper than Python can follow", "$"
    raise DecodeError(message, code, None, path)


def _has_struct(hint: Any) -> bool:
    """True for a ``msgspec.Struct``, and for a list or dict of them."""
    return hasattr(hint, "__struct_fields__") or any(map(_has_struct, typing.get_args(hint)))


def _step(key: Any, keys: Iterable[Any]) -> str:
    """The step of a path that leads to the value of a key. ``keys`` are all keys of its Dictionary."""
    if isinstance(key, str) and key.isidentifier() and key.isascii():
        return f".{key}"
    keys = list(keys)
    number = next(number for number, one in enumerate(keys) if one is key)
    try:
        # The steps that paths have for keys of all types.
        path, _ = view(dumps(Pairs((one, None) for one in keys))).select("$[*]")[number]
    except ValueError:
        # Godot 4 has no such key.
        return f"{{{number}}}"
    return path.removeprefix("$")


def _shown(value: Any) -> str:
    """A value in a message: its type, and the value if it is short."""
    text = repr(value) if isinstance(value, (bool, int, float, str)) else ""
    name = type(value).__name__
    if isinstance(value, (PackedArray, PackedStringArray)):
        name = repr(value).split("(")[0]
    return f"{name} {text}" if 0 < len(text) <= 40 else name


def _name(hint: Any) -> str:
    return getattr(hint, "__name__", None) or str(hint)


_converters: Dict[Any, Converter] = {}


def _converter(hint: Any) -> Converter:
    """The converter of a type, which is made once."""
    key = _identity(hint)
    try:
        known = _converters.get(key)
    except TypeError:  # It cannot be hashed, as Annotated with a list.
        return _make(hint)
    if known is None:
        # A type that contains itself finds this one, which looks again when it is called.
        _converters[key] = lambda value: _converters[key](value)
        try:
            _converters[key] = known = _make(hint)
        except BaseException:
            del _converters[key]
            raise
    return known


def _identity(hint: Any) -> Any:
    """What two types share only if they convert alike. ``A | B`` equals ``B | A``, but the first member goes first."""
    args = typing.get_args(hint)
    if not args:
        return hint
    if typing.get_origin(hint) is typing.Literal:
        # 1 equals True.
        return hint, tuple((type(arg), arg) for arg in args)
    return type(hint), typing.get_origin(hint), tuple(map(_identity, args))


def _make(hint: Any) -> Converter:
    if hint is Any or hint is object:
        return lambda value: value
    if hint is None or hint is types.NoneType:
        return _instance(types.NoneType, "None")
    if isinstance(hint, typing.NewType):
        return _converter(hint.__supertype__)
    # A `type` statement of Python 3.12.
    if hasattr(hint, "__value__") and not isinstance(hint, type):
        return _converter(hint.__value__)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _annotated(hint, args)
    if origin in (typing.Required, typing.NotRequired) or getattr(origin, "__name__", "") == "ReadOnly":
        return _converter(args[0])
    if origin is Union or origin is types.UnionType:
        return _union([(arg, _converter(arg)) for arg in args])
    if origin is typing.Literal:
        return _literal(args)
    plain = origin or hint
    if not isinstance(plain, type):
        raise TypeError(f"a value cannot be converted to {hint!r}")
    return _class(hint, plain, args)


def _class(hint: Any, plain: "type[Any]", args: Tuple[Any, ...]) -> Converter:
    if plain in (bool, str):
        return _instance(plain, plain.__name__)
    if plain is int:
        return _int
    if plain is float:
        return _float
    if plain in (bytes, bytearray, memoryview):
        return _bytes(plain)
    if issubclass(plain, enum.Enum):
        return _enum(plain)
    if typing.is_typeddict(plain):
        required = plain.__required_keys__  # type: ignore[attr-defined]
        fields = [(name, name, _converter(hint), name in required) for name, hint in _hints(plain, args).items()]
        return _fields(plain, fields, dict)
    if plain.__module__ == "gdvar._types":
        return _instance(plain, plain.__name__)
    if dataclasses.is_dataclass(plain):
        hints = _hints(plain, args)
        # Fields, and what only __post_init__ gets.
        own = [field for field in plain.__dataclass_fields__.values() if field.init and not _is_of_class(hints[field.name])]
        return _fields(plain, [(f.name, f.name, _converter(hints[f.name]), _needed(f)) for f in own], None)
    if issubclass(plain, tuple) and hasattr(plain, "_fields"):
        return _named_tuple(plain, args)
    if hasattr(plain, "__struct_fields__"):
        return _struct(hint, plain)
    if plain is tuple:
        return _tuple(args)
    if plain in (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection):
        return _list(list, _converter(args[0]) if args else None)
    if plain in (set, frozenset, collections.abc.Set):
        return _set(frozenset if plain is frozenset else set, _converter(args[0]) if args else None)
    if plain in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
        return _dict(*map(_converter, args)) if args else _instance(dict, "a dict")
    if args:
        raise TypeError(f"a value cannot be converted to {hint!r}")
    # Vector2 and the like: what was decoded is one, or it is not.
    return _instance(plain, plain.__name__)


def _hints(plain: Any, args: Tuple[Any, ...]) -> Dict[str, Any]:
    """The types of the fields of a class. ``args`` are the types that a generic class has for its variables."""
    own = dict(zip(getattr(plain, "__parameters__", ()), args))

    def given(hint: Any) -> Any:
        if isinstance(hint, dataclasses.InitVar):
            hint = hint.type
        if isinstance(hint, typing.TypeVar):
            return own.get(hint, hint)
        variables = getattr(hint, "__parameters__", ()) if own and typing.get_origin(hint) else ()
        return hint[tuple(own.get(variable, variable) for variable in variables)] if variables else hint

    return {name: given(hint) for name, hint in typing.get_type_hints(plain, include_extras=True).items()}


def _is_of_class(hint: Any) -> bool:
    return hint is typing.ClassVar or typing.get_origin(hint) is typing.ClassVar


def _needed(field: "dataclasses.Field[Any]") -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _instance(wanted: Any, name: str) -> Converter:
    def converter(value: Any) -> Any:
        if isinstance(value, wanted):
            return value
        raise _Mismatch(f"{name} expected, found {_shown(value)}")

    return converter


def _int(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _Mismatch(f"int expected, found {_shown(value)}")


def _float(value: Any) -> Any:
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    raise _Mismatch(f"float expected, found {_shown(value)}")


def _bytes(plain: Any) -> Converter:
    def converter(value: Any) -> Any:
        if isinstance(value, bytes) or isinstance(value, PackedArray) and value.kind == "PackedByteArray":
            return plain(value)
        raise _Mismatch(f"a PackedByteArray expected, found {_shown(value)}")

    return converter


def _is_same_number(wanted: Any, value: Any) -> bool:
    """Whether equal values are equal for Godot, too: 1 == True == 1.0 in Python. An int is a float where one is wanted."""
    is_bool = isinstance(value, bool) is isinstance(wanted, bool)
    return is_bool and (not isinstance(value, float) or isinstance(wanted, float))


def _enum(plain: "type[enum.Enum]") -> Converter:
    def converter(value: Any) -> Any:
        try:
            found = plain(value)
        except ValueError:
            found = None
        if found is None or found.value == value and not _is_same_number(found.value, value):
            raise _Mismatch(f"{plain.__name__} has no member with the value {_shown(value)}")
        return found

    return converter


def _literal(args: Tuple[Any, ...]) -> Converter:
    def converter(value: Any) -> Any:
        for arg in args:
            if value == arg and _is_same_number(arg, value):
                return arg
        raise _Mismatch(f"one of {', '.join(map(repr, args))} expected, found {_shown(value)}")

    return converter


class _Tried(threading.local):
    """What unions inside of another union made of a container: itself, so that its id stays its own, and a value or a problem.

    Two members of a union that contain the union again would each try everything below, twice as much at each level.
    """

    outcomes: Optional[Dict[Tuple[int, int], Tuple[Any, Any]]] = None


_tried = _Tried()


def _union(members: List[Tuple[Any, Converter]]) -> Converter:
    def outcome(value: Any) -> Any:
        problems = []
        for _, one in members:
            try:
                return one(value)
            except _Mismatch as problem:
                problems.append(problem)
        # The member that got furthest is the one that was meant.
        furthest = max(problems, key=lambda problem: len(problem.steps))
        if furthest.steps:
            return furthest
        return _Mismatch(f"{' or '.join(_name(member) for member, _ in members)} expected, found {_shown(value)}")

    def converter(value: Any) -> Any:
        # An exact type goes first: an int for `float | int` stays one.
        for member, _ in members:
            if type(value) is member:
                return value
        outcomes = _tried.outcomes
        if outcomes is None:
            _tried.outcomes = {}
            try:
                made = outcome(value)
            finally:
                _tried.outcomes = None
        elif not isinstance(value, (dict, list, Object)):
            made = outcome(value)
        else:
            known = outcomes.get((id(converter), id(value)))
            made = known[1] if known else outcome(value)
            outcomes[id(converter), id(value)] = value, made
        if not isinstance(made, _Mismatch):
            return made
        # The containers around it add their steps to a problem of their own.
        again = _Mismatch(str(made))
        again.steps = list(made.steps)
        raise again

    return converter


def _annotated(hint: Any, args: Tuple[Any, ...]) -> Converter:
    inner = _converter(args[0])
    msgspec = sys.modules.get("msgspec")
    if msgspec is None or not any(isinstance(arg, msgspec.Meta) for arg in args[1:]):
        return inner
    checked = _by_msgspec(hint)
    return lambda value: checked(inner(value))


def _by_msgspec(hint: Any) -> Converter:
    from datetime import date, datetime, time, timedelta
    from decimal import Decimal
    from uuid import UUID

    import msgspec

    # msgspec makes these of texts unless it is told that they are never texts.
    no_texts = (bytes, bytearray, memoryview, date, datetime, time, timedelta, Decimal, UUID)

    def converter(value: Any) -> Any:
        try:
            return msgspec.convert(value, hint, builtin_types=no_texts)
        except msgspec.ValidationError as error:
            raise _Mismatch(str(error)) from None

    return converter


def _elements(value: Any) -> Any:
    """The elements of a list, or of a packed array: its vectors and colours, which it gives as tuples."""
    one = _VECTORS.get(value.kind) if isinstance(value, PackedArray) else None
    return value if one is None else itertools.starmap(one, value)


def _made(items: Iterable[Converter], value: Any) -> List[Any]:
    """The elements of a list, each by its converter; the step of one that does not fit is its number."""
    made: List[Any] = []
    try:
        for item, one in zip(items, _elements(value)):
            made.append(item(one))
    except _Mismatch as problem:
        raise problem.at(f"[{len(made)}]")
    return made


def _list(plain: Any, item: Optional[Converter]) -> Converter:
    def converter(value: Any) -> Any:
        if not isinstance(value, _LISTS):
            raise _Mismatch(f"a list expected, found {_shown(value)}")
        if item is None:
            return plain(_elements(value))
        made = _made(itertools.repeat(item), value)
        return made if plain is list else plain(made)

    return converter


def _set(plain: Any, item: Optional[Converter]) -> Converter:
    listed = _list(list, item)

    def converter(value: Any) -> Any:
        made = set()
        for number, one in enumerate(listed(value)):
            try:
                made.add(one)
            except TypeError:
                raise _Mismatch(f"{_shown(one)} cannot be in a {plain.__name__}").at(f"[{number}]") from None
        return plain(made)

    return converter


def _tuple(args: Tuple[Any, ...]) -> Converter:
    if not args or len(args) == 2 and args[1] is ...:
        return _list(tuple, _converter(args[0]) if args else None)
    items = [_converter(arg) for arg in args if arg != ()]

    def converter(value: Any) -> Any:
        if not isinstance(value, _LISTS) or len(value) != len(items):
            found = f"a list of {len(value)}" if isinstance(value, _LISTS) else _shown(value)
            raise _Mismatch(f"a list of {len(items)} expected, found {found}")
        return tuple(_made(items, value))

    return converter


def _dict(key: Converter, item: Converter) -> Converter:
    def converter(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _Mismatch(f"a dict expected, found {_shown(value)}")
        made = {}
        for name, one in value.items():
            try:
                own = key(name)
            except _Mismatch as problem:
                raise _Mismatch(f"as a key {problem}").at(_step(name, value))
            try:
                is_there = own in made
            except TypeError:
                raise _Mismatch(f"{_shown(own)} cannot be a key of a dict").at(_step(name, value)) from None
            if is_there:
                raise _Mismatch(f"two keys become {_shown(own)}").at(_step(name, value))
            try:
                made[own] = item(one)
            except _Mismatch as problem:
                raise problem.at(_step(name, value))
        return made

    return converter


#: The name of a field in Python, the key in the Dictionary, the converter, and whether it is needed.
Field = Tuple[str, str, Converter, bool]


def _fields(plain: Any, fields: List[Field], make: Any) -> Converter:
    """``make``: what is made of the fields; ``plain`` itself if it is None."""
    name = plain.__name__

    def converter(value: Any) -> Any:
        if isinstance(value, Object):
            value = dict(value.properties)
        elif not isinstance(value, dict):
            raise _Mismatch(f"a Dictionary for {name} expected, found {_shown(value)}")
        given = {}
        for own, key, one, needed in fields:
            found = value.get(key, _MISSING)
            if found is not _MISSING:
                try:
                    given[own] = one(found)
                except _Mismatch as problem:
                    raise problem.at(_step(key, [key]))
            elif needed:
                raise _Mismatch(f"{name} needs the key {key!r}, which is missing")
        if make is not None:
            return given
        try:
            return plain(**given)
        except (TypeError, ValueError) as error:
            # A check in __post_init__.
            raise _Mismatch(f"{name}: {error}") from error

    return converter


def _named_tuple(plain: Any, args: Tuple[Any, ...]) -> Converter:
    hints = _hints(plain, args)
    defaults = plain._field_defaults
    names = plain._fields
    own = [(name, name, _converter(hints.get(name, Any)), name not in defaults) for name in names]
    of_dict = _fields(plain, own, None)
    items = [one for _, _, one, _ in own]

    def converter(value: Any) -> Any:
        if not isinstance(value, _LISTS):
            return of_dict(value)
        if not len(names) - len(defaults) <= len(value) <= len(names):
            raise _Mismatch(f"{plain.__name__} has {len(names)} fields, and the list {len(value)} elements")
        return plain(*_made(items, value))

    return converter


def _struct(hint: Any, plain: Any) -> Converter:
    """A ``msgspec.Struct`` with what msgspec's own converter does not know, such as packed arrays."""
    import msgspec

    config = plain.__struct_config__
    if config.array_like:
        return _by_msgspec(hint)
    info = msgspec.structs.fields(hint)
    keys = {field.encode_name for field in info} | {config.tag_field}
    of_dict = _fields(plain, [(f.name, f.encode_name, _converter(f.type), f.required) for f in info], None)

    def converter(value: Any) -> Any:
        made = of_dict(value)
        given = value.properties if isinstance(value, Object) else value
        if config.tag is not None and given.get(config.tag_field) != config.tag:
            raise _Mismatch(f"{plain.__name__} needs the key {config.tag_field!r} with {config.tag!r}")
        if config.forbid_unknown_fields and not keys.issuperset(given):
            raise _Mismatch(f"{plain.__name__} has no field {next(key for key in given if key not in keys)!r}")
        return made

    return converter
