"""Typed decode: ``loads(data, type=Save)``, ``load(path, type=Save)`` and ``convert(value, Save)``."""

from __future__ import annotations

import dataclasses
import enum
import sys
import time
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar, Union, cast

import gdvar
import pytest


class Rank(enum.Enum):
    LOW = 1
    HIGH = 2


Id = NewType("Id", int)


@dataclasses.dataclass
class Hero:
    name: str
    hp: float
    at: gdvar.Vector2
    rank: Rank = Rank.LOW
    bag: list[str] = dataclasses.field(default_factory=list)
    friend: Optional["Hero"] = None


class Tile(NamedTuple):
    x: int
    y: int
    kind: str = "wall"


class Options(TypedDict, total=False):
    volume: float
    mode: Literal["window", "full"]


@dataclasses.dataclass
class Save:
    gold: int
    party: list[Hero]
    tiles: dict[gdvar.Vector2i, Tile]
    options: Options
    map: bytes
    path: gdvar.NodePath
    ids: tuple[int, ...]
    pair: tuple[int, str]
    seen: set[str]
    own: Id
    extra: Any = None


SAVE: dict[str, Any] = {
    "gold": 5,
    "party": [
        {"name": "Ann", "hp": 80, "at": gdvar.Vector2(1, 2), "rank": 2, "bag": gdvar.PackedStringArray(["rope"]), "friend": {"name": "Bo", "hp": 1.5, "at": gdvar.Vector2()}},
        {"name": gdvar.StringName("Cy"), "hp": 2.5, "at": gdvar.Vector2(), "unknown": 5},
    ],
    "tiles": {gdvar.Vector2i(1, 2): {"x": 1, "y": 2}, gdvar.Vector2i(3, 4): [3, 4, "door"]},
    "options": {"volume": 1, "mode": "full"},
    "map": b"abc",
    "path": gdvar.NodePath("/root/A:x"),
    "ids": gdvar.PackedInt32Array([1, 2]),
    "pair": [1, "b"],
    "seen": ["a", "b"],
    "own": 7,
}


def changed(**changes: Any) -> bytes:
    return gdvar.dumps({**SAVE, **changes})


def test_a_save_is_what_it_says() -> None:
    save = gdvar.loads(changed(), type=Save)
    assert save == Save(
        gold=5,
        party=[
            Hero("Ann", 80.0, gdvar.Vector2(1, 2), Rank.HIGH, ["rope"], Hero("Bo", 1.5, gdvar.Vector2())),
            Hero("Cy", 2.5, gdvar.Vector2()),
        ],
        tiles={gdvar.Vector2i(1, 2): Tile(1, 2), gdvar.Vector2i(3, 4): Tile(3, 4, "door")},
        options={"volume": 1.0, "mode": "full"},
        map=b"abc",
        path=gdvar.NodePath("/root/A:x"),
        ids=(1, 2),
        pair=(1, "b"),
        seen={"a", "b"},
        own=Id(7),
    )
    assert type(save.party[0].hp) is float and type(save.options.get("volume")) is float


def test_files(tmp_path: Path) -> None:
    one, many = tmp_path / "one.sav", tmp_path / "many.rec"
    gdvar.save(one, {"x": 1, "y": 2})
    gdvar.save(many, {"x": 1, "y": 2}, {"x": 3, "y": 4})
    assert gdvar.load(one, type=Tile) == Tile(1, 2)
    assert gdvar.load(many, type=list[Tile]) == [Tile(1, 2), Tile(3, 4)]
    with pytest.raises(gdvar.DecodeError, match=r"int expected, found str 'b' in \$\.x"):
        gdvar.convert({"x": "b", "y": 2}, Tile)


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"gold": "5"}, "$.gold", "int expected, found str '5'"),
        ({"gold": 5.0}, "$.gold", "int expected, found float 5.0"),
        ({"gold": True}, "$.gold", "int expected, found bool True"),
        ({"party": {}}, "$.party", "a list expected, found dict"),
        ({"party": [SAVE["party"][0], {"name": "X", "hp": 1}]}, "$.party[1]", "Hero needs the key 'at', which is missing"),
        ({"party": [{**SAVE["party"][1], "friend": {"name": 5}}]}, "$.party[0].friend.name", "str expected, found int 5"),
        ({"party": [{**SAVE["party"][1], "friend": 5}]}, "$.party[0].friend", "Hero or NoneType expected, found int 5"),
        ({"party": [{**SAVE["party"][1], "rank": 9}]}, "$.party[0].rank", "Rank has no member with the value int 9"),
        ({"party": [{**SAVE["party"][1], "rank": True}]}, "$.party[0].rank", "Rank has no member with the value bool True"),
        ({"party": [{**SAVE["party"][1], "at": [1, 2]}]}, "$.party[0].at", "Vector2 expected, found list"),
        ({"tiles": {gdvar.Vector2i(1, 2): [1]}}, "$.tiles[Vector2i(1, 2)]", "Tile has 3 fields, and the list 1 elements"),
        ({"tiles": {"a b": [1, 2]}}, '$.tiles["a b"]', "as a key Vector2i expected, found str 'a b'"),
        ({"options": {"mode": "tiny"}}, "$.options.mode", "one of 'window', 'full' expected, found str 'tiny'"),
        ({"map": gdvar.PackedInt32Array([1])}, "$.map", "a PackedByteArray expected, found PackedInt32Array"),
        ({"path": "a"}, "$.path", "NodePath expected, found str 'a'"),
        ({"ids": [1, "b"]}, "$.ids[1]", "int expected, found str 'b'"),
        ({"pair": [1]}, "$.pair", "a list of 2 expected, found a list of 1"),
    ],
)
def test_errors_name_the_path(changes: dict[str, Any], path: str, message: str) -> None:
    with pytest.raises(gdvar.DecodeError) as failed:
        gdvar.loads(changed(**changes), type=Save)
    assert (failed.value.code, failed.value.path) == ("TypeMismatch", path)
    assert str(failed.value) == f"{message} in {path}"


def test_types_of_single_values() -> None:
    for value, wanted, expected in [
        (5, int, 5),
        (5, float, 5.0),
        (None, Optional[int], None),
        (5, Union[float, int], 5),
        ([1, 2], frozenset[int], frozenset({1, 2})),
        ([1, 2], list, [1, 2]),
        ({"a": [1]}, dict[str, list[int]], {"a": [1]}),
        (gdvar.PackedFloat32Array([1, 2]), list[float], [1.0, 2.0]),
        (gdvar.PackedVector2Array([1, 2]), list[gdvar.Vector2], [gdvar.Vector2(1, 2)]),
        (gdvar.Object("Item", {"x": 1, "y": 2}), Tile, Tile(1, 2)),
        (5, Annotated[int, "hp"], 5),
        (5, Annotated[int, ["no hash"]], 5),
    ]:
        found = gdvar.convert(value, wanted)
        assert found == expected and type(found) is type(expected), wanted
    for wanted in (5, Literal, list[5]):  # type: ignore[valid-type]
        with pytest.raises(TypeError):
            gdvar.convert([5], wanted)


def test_deep_values_end_with_an_error() -> None:
    @dataclasses.dataclass
    class Node:
        next: Any

    value: Any = None
    for _ in range(1000):
        value = {"next": value}
    Chain = dataclasses.make_dataclass("Chain", [("next", "Optional[Chain]")])
    Chain.__module__ = __name__
    globals()["Chain"] = Chain
    with pytest.raises(gdvar.DecodeError) as failed:
        gdvar.convert(value, Chain)
    assert failed.value.code == "DepthExceeded"
    assert gdvar.convert(value, Node).next["next"] is not None


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a type statement needs Python 3.12")
def test_type_statements() -> None:
    made: dict[str, Any] = {}
    exec("type Ints = list[int]", made)
    assert gdvar.convert([1], made["Ints"]) == [1]
    with pytest.raises(gdvar.DecodeError):
        gdvar.convert(["a"], made["Ints"])


def test_a_file_of_store_var_says_that_it_has_a_list(tmp_path: Path) -> None:
    @dataclasses.dataclass
    class Gold:
        gold: int

    path = tmp_path / "slot1.sav"
    gdvar.save(path, {"gold": 5}, records=True)
    with pytest.raises(gdvar.DecodeError, match=r"load\(path, type=list\[Gold\]\)\[0\]$") as caught:
        gdvar.load(path, type=Gold)
    assert (caught.value.code, caught.value.path) == ("TypeMismatch", "$")
    assert gdvar.load(path, type=list[Gold]) == [Gold(5)]
    # What does not fit in a record is another question.
    with pytest.raises(gdvar.DecodeError, match=r"in \$\[0\]\.gold$"):
        gdvar.save(path, {"gold": "much"}, records=True)
        gdvar.load(path, type=list[Gold])


def test_the_first_member_of_a_union_goes_first_whatever_ran_before() -> None:
    @dataclasses.dataclass
    class One:
        hp: int = 0

    @dataclasses.dataclass
    class Two:
        hp: int = 0

    class Yes(enum.Enum):
        A = 1

    class No(enum.Enum):
        B = 1

    value = {"hp": 1}
    # As values of no type, so that the checkers of types do not take the hints below for types.
    lists, dicts, tuples, frozen, unions = cast(Any, (list, dict, tuple, frozenset, Union))
    cases: list[tuple[Any, Any, Any]] = [(One, Two, value), (Two, One, value), (Yes, No, 1), (No, Yes, 1)]
    for _ in range(2):
        for first, second, given in cases:
            ways: list[tuple[Any, Any]] = [
                (first | second, given), (unions[first, second], given), (lists[first | second], [given]),
                (dicts[str, lists[first | second]], {"a": [given]}), (tuples[first | second, ...], [given]),
                (frozen[first | second] if first in (Yes, No) else set[int] | lists[first | second], [given]),
            ]  # fmt: skip
            for hint, one in ways:
                made = gdvar.convert(one, hint)
                while isinstance(made, (list, tuple, dict, frozenset)):
                    made = next(iter(made.values() if isinstance(made, dict) else made))
                assert type(made) is first, hint
    for _ in range(2):
        assert gdvar.convert(True, Literal[True]) is True
        assert gdvar.convert(1, Literal[1]) is not True


def test_what_cannot_be_in_a_set_or_a_key_is_an_error_with_its_path() -> None:
    dicts: Any = dict
    plain: Any
    for plain in (set, frozenset, set[Any], frozenset[list[int]]):
        with pytest.raises(gdvar.DecodeError, match=r"list cannot be in a (frozen)?set") as caught:
            gdvar.loads(gdvar.dumps({"a": [1, [1]] if plain != frozenset[list[int]] else [[1]]}), type=dicts[str, plain])
        assert caught.value.code == "TypeMismatch" and caught.value.path in ("$.a[1]", "$.a[0]")
    pairs = {2**53: "a", 2**53 + 1: "b"}
    with pytest.raises(gdvar.DecodeError, match="two keys become float 9007199254740992.0") as caught:
        gdvar.convert(pairs, dict[float, str])
    assert caught.value.path == f"$[{2**53 + 1}]"
    assert gdvar.convert(pairs, dict[int, str]) == pairs
    with pytest.raises(gdvar.DecodeError, match="list cannot be a key"):
        gdvar.convert({gdvar.PackedInt32Array([1]): 1}, dict[list[int], int])


@pytest.mark.parametrize("is_object", [False, True])
def test_the_path_of_an_error_leads_there_whatever_the_key_is(is_object: bool) -> None:
    @dataclasses.dataclass
    class Cell:
        x: int

    texts = ["plain", "two words", "ä", 'quote " and \\', "line\nbreak", "tab\t", "", "9", "a.b", "{0}", "[1]", "x]"]
    others = [
        5, 0, -3, 2**40, 1.5, -0.5, 1e300, float("inf"), None, True, gdvar.StringName("name"), gdvar.StringName("two names"),
        gdvar.Vector2(0.1, 2), gdvar.Vector2i(5, 9), gdvar.Vector3(1, 2, 3), gdvar.Vector3i(1, 2, 3), gdvar.Vector4(1, 2, 3, 4),
        gdvar.Vector4i(1, 2, 3, 4), gdvar.Rect2(1, 2, 3, 4), gdvar.Rect2i(1, 2, 3, 4), gdvar.Plane(1, 2, 3, 4), gdvar.Quaternion(1, 2, 3, 4),
        gdvar.Color(1, 0, 0), gdvar.Transform2D(), gdvar.Basis(), gdvar.NodePath("a/b"), gdvar.RID(3), gdvar.ObjectId(5), gdvar.Callable(),
        gdvar.Signal("x", 1), gdvar.PackedByteArray(b"xy"), gdvar.PackedInt32Array([1]), gdvar.PackedStringArray(["a"]),
    ]  # fmt: skip
    keys: list[Any] = texts if is_object else [*texts, *others]
    for bad in keys:
        values: dict[Any, Any] = {key: {"x": "bad" if key is bad else 7} for key in keys}
        data = gdvar.dumps(gdvar.Object("Node", values) if is_object else values)
        own: Any = dict[Any, Cell]
        if is_object:
            # Any text is the name of a field there.
            named: Any = TypedDict
            own = named("Own", {bad: Cell})
        with pytest.raises(gdvar.DecodeError) as caught:
            gdvar.loads(data, objects="inert", type=own)
        path = str(caught.value.path)
        assert gdvar.view(data, objects="inert").get(path) == "bad", (bad, path)
        # The same place as the package says it elsewhere.
        assert path in [found for found, _ in gdvar.view(data, objects="inert").select("$[*].x")], (bad, path)


def test_a_key_that_godot_has_not_is_counted() -> None:
    class Own:
        pass

    with pytest.raises(gdvar.DecodeError) as caught:
        gdvar.convert({"a": 1, Own(): "x"}, dict[Any, int])
    assert caught.value.path == "${1}"


def test_fields_that_only_post_init_gets() -> None:
    @dataclasses.dataclass
    class Sum:
        x: int
        y: dataclasses.InitVar[int]
        z: dataclasses.InitVar[float] = 2.0
        own: ClassVar[int] = 3

        def __post_init__(self, y: int, z: float) -> None:
            self.all = [self.x, y, z]

    # A test's own types are found by their names.
    Sum.__annotations__ = {"x": int, "y": dataclasses.InitVar[int], "z": dataclasses.InitVar[float], "own": ClassVar[int]}
    assert gdvar.convert({"x": 1, "y": 5}, Sum).all == [1, 5, 2.0]
    assert gdvar.convert({"x": 1, "y": 5, "z": 6, "own": "y"}, Sum).all == [1, 5, 6.0]
    wrong: list[tuple[dict[str, Any], str, str]] = [({"x": 1}, "$", "needs the key 'y'"), ({"x": 1, "y": "a"}, "$.y", "int expected")]
    for value, path, message in wrong:
        with pytest.raises(gdvar.DecodeError, match=message) as caught:
            gdvar.convert(value, Sum)
        assert caught.value.path == path


T = TypeVar("T")
K = TypeVar("K")


@dataclasses.dataclass
class Box(Generic[K, T]):
    item: T
    more: dict[K, list[T]]
    next: Optional["Box[K, T]"] = None


class Both(NamedTuple, Generic[T]):
    a: T
    b: int = 1


class Partly(TypedDict, Generic[T], total=False):
    a: Optional[T]


def test_generic_types() -> None:
    assert gdvar.convert({"item": 1, "more": {"a": [2]}}, Box[str, int]) == Box(1, {"a": [2]})
    assert gdvar.convert({"item": 1, "more": {}, "next": {"item": 2, "more": {}}}, Box[str, float]) == Box(1.0, {}, Box(2.0, {}))
    assert gdvar.convert(["x", 2], Both[str]) == gdvar.convert({"a": "x", "b": 2}, Both[str]) == ("x", 2)
    assert gdvar.convert({"a": [1]}, Partly[list[int]]) == {"a": [1]}
    wrong: list[tuple[Any, Any, str]] = [
        (Box[str, int], {"item": "x", "more": {}}, "$.item"), (Box[str, int], {"item": 1, "more": {"a": [1, "x"]}}, "$.more.a[1]"),
        (Box[str, int], {"item": 1, "more": {5: []}}, "$.more[5]"),
        (Box[str, str], {"item": "a", "more": {}, "next": {"item": 2, "more": {}}}, "$.next.item"),
        (Both[str], [1], "$[0]"), (Both[int], {"a": "x"}, "$.a"), (Partly[list[int]], {"a": ["x"]}, "$.a[0]"),
    ]  # fmt: skip
    for hint, value, path in wrong:
        with pytest.raises(gdvar.DecodeError) as caught:
            gdvar.convert(value, hint)
        assert caught.value.path == path


def test_equal_numbers_of_other_types_are_other_values() -> None:
    """1, 1.0 and true are equal in Python and three values in Godot. An int is a float where one is wanted."""
    literals: Any = Literal
    for own in (True, 1, 1.0):
        members: Any = enum.Enum("members", {"ONE": own})
        for given in (True, 1, 1.0):
            fits = type(given) is type(own) or (type(own), type(given)) == (float, int)
            hints: list[Any] = [members] if isinstance(own, float) else [members, literals[own]]
            for hint in hints:
                if fits:
                    gdvar.convert(given, hint)
                    continue
                with pytest.raises(gdvar.DecodeError):
                    gdvar.convert(given, hint)


@dataclasses.dataclass
class Room:
    inside: Union["Room", "Chest", None] = None


@dataclasses.dataclass
class Chest:
    inside: Union["Room", "Chest", None] = None
    gold: int = 0


def test_a_union_that_contains_itself_takes_linear_time() -> None:
    """Whoever sends the file chooses how deep it is."""
    wrong: Any = "x"
    right: Any = {"gold": 5}
    for _ in range(60):
        wrong, right = {"inside": wrong}, {"inside": right}
    start = time.process_time()
    with pytest.raises(gdvar.DecodeError, match="Room or Chest or NoneType expected, found str 'x'") as caught:
        gdvar.loads(gdvar.dumps(wrong), type=Room)
    assert caught.value.path == "$" + ".inside" * 60
    room: Any = gdvar.loads(gdvar.dumps(right), type=Room)
    for _ in range(59):
        room = room.inside
    # A key without a field is left out, so a Room comes first.
    assert room.inside == Room()
    # It would take years.
    assert time.process_time() - start < 20


def test_members_of_a_union_do_not_share_what_failed() -> None:
    """The second member converts the same container by itself."""

    @dataclasses.dataclass
    class Names:
        items: list[Union[str, list[str]]]

    @dataclasses.dataclass
    class Numbers:
        items: list[Union[int, list[int]]]

    numbers = gdvar.loads(gdvar.dumps({"items": [1, [2, 3]]}), type=Union[Names, Numbers])
    assert numbers == Numbers([1, [2, 3]])
    names = gdvar.loads(gdvar.dumps({"items": ["a", ["b"]]}), type=Union[Numbers, Names])
    assert names == Names(["a", ["b"]])
