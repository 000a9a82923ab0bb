"""Our data classes behave like those of `dataclasses`, and type checkers see them as such."""

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.data_classes import dataclass, field, replace

_T = TypeVar("_T")
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Point:
    """A class with fields of each kind."""

    x: int
    y: int = 2
    names: Mapping[str, str] = field(default_factory=dict)
    note: str = field(default="n", compare=False, repr=False)
    by_name: bool = field(default=False, kw_only=True)
    total: int = field(init=False, default=0)
    found: dict[str, int] = field(init=False, default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.x + self.y)

    def doubled(self) -> "Point":
        return replace(self, x=self.x * 2)


@dataclass(frozen=True, slots=True)
class Pair(Generic[_T]):
    first: _T
    second: _T


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Identity:
    x: int


@dataclass(slots=True, kw_only=True)
class Mutable:
    x: int
    seen: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Own:
    x: int

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "own"


@dataclass(frozen=True, slots=True)
class PartHashed:
    x: int
    y: dict[str, int] = field(hash=False)


def test_a_field_has_its_argument_or_its_default() -> None:
    point = Point(1)
    assert (point.x, point.y, point.names, point.note, point.by_name) == (1, 2, {}, "n", False)
    named = Point(1, 3, {"a": "b"}, note="m", by_name=True)
    assert (named.y, named.names, named.note, named.by_name) == (3, {"a": "b"}, "m", True)


def test_a_field_that_is_no_parameter_has_its_default_until_the_end_of_the_constructor() -> None:
    assert (Point(1).total, Point(1).found) == (3, {})


def test_what_a_factory_makes_belongs_to_one_value() -> None:
    Point(1).found["a"] = 1
    assert Point(1).found == {}
    Mutable(x=1).seen.append(1)
    assert Mutable(x=1).seen == []


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, r"Point\.__init__\(\) missing 1 required positional argument: 'x'"),
        ((1,), {"z": 1}, r"Point\.__init__\(\) got an unexpected keyword argument 'z'"),
        ((1, 2, {}, "n", True), {}, r"Point\.__init__\(\) takes from 2 to 5 positional arguments"),
        ((1,), {"total": 1}, "unexpected keyword argument 'total'"),
    ],
)
def test_a_wrong_call_of_a_constructor_says_what_is_wrong(
    arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Point(*arguments, **named)


def test_values_are_equal_if_their_compared_fields_are() -> None:
    other: object = Identity(1)
    assert Point(1, note="a") == Point(1, note="b")
    assert Point(1) != Point(2)
    assert Point(1) != other
    assert Empty() == Empty()
    assert Identity(1) != Identity(1)
    assert Mutable(x=1) == Mutable(x=1)
    assert Pair("a", 1) == Pair("a", 1)


def test_a_frozen_value_is_hashed_by_its_fields_and_a_mutable_one_not_at_all() -> None:
    assert len({Pair(1, 2), Pair(1, 2), Pair(2, 1)}) == 2
    assert hash(PartHashed(1, {})) == hash(PartHashed(1, {"a": 1}))
    assert len({Identity(1), Identity(1)}) == 2
    assert hash(Empty()) == hash(Empty())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Mutable(x=1))


def test_methods_of_the_class_are_kept() -> None:
    assert Own(1) == 2
    assert (hash(Own(1)), repr(Own(1))) == (7, "own")
    assert Point(1).doubled() == Point(2)


def test_a_repr_shows_the_fields_that_may_be_shown() -> None:
    assert repr(Point(1)) == "Point(x=1, y=2, names={}, by_name=False, total=3)"
    assert repr(Empty()) == "Empty()"


def test_replace_changes_some_fields_and_makes_the_others_anew() -> None:
    point = Point(1, 5, note="m", by_name=True)
    changed = replace(point, x=2)
    assert (changed.x, changed.y, changed.note, changed.by_name) == (2, 5, "m", True)
    assert (changed.total, changed.found) == (7, {})
    assert changed.found is not point.found
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        replace(point, z=1)  # type: ignore[call-arg]


def test_a_pattern_matches_fields_by_position() -> None:
    match Pair(1, 2):
        case Pair(1, second):
            assert second == 2
        case _:
            pytest.fail("no case matched")
    assert Point.__match_args__ == ("x", "y", "names", "note")


def test_a_value_has_slots_and_survives_copies() -> None:
    assert not hasattr(Point(1), "__dict__")
    with pytest.raises(AttributeError):
        object.__setattr__(Point(1), "other", 1)
    one = Point(1, 3)
    for made in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301
        assert made == one


def test_a_class_keeps_its_name_its_module_and_its_docstring() -> None:
    assert (Point.__qualname__, Point.__module__) == ("Point", __name__)
    assert Point.__doc__ == "A class with fields of each kind."
    assert Point.__init__.__qualname__ == "Point.__init__"


def test_a_field_without_a_default_after_one_with_it_is_refused() -> None:
    class Wrong:
        x: int = 1
        y: int

    with pytest.raises(TypeError, match="without a default after one with it"):
        dataclass(frozen=True, slots=True)(Wrong)


_KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "default": {"default": 1},
    "factory": {"default_factory": int},
    "by name": {"kw_only": True},
    "by name with a default": {"kw_only": True, "default": 2},
    "no parameter": {"init": False, "default": 3},
    "made": {"init": False, "default_factory": list},
    "not compared": {"default": 4, "compare": False},
    "not shown": {"default": 5, "repr": False},
}


@given(
    kinds=st.lists(st.sampled_from(sorted(_KINDS)), max_size=8),
    frozen=st.booleans(),
    kw_only=st.booleans(),
    eq=st.booleans(),
    given_count=st.integers(0, 8),
)
def test_any_class_behaves_as_that_of_dataclasses(
    kinds: list[str], *, frozen: bool, kw_only: bool, eq: bool, given_count: int
) -> None:
    """The same fields with both decorators: constructor, comparison, hash, repr, `replace`."""
    outcomes: list[list[Any]] = []
    both: tuple[tuple[Any, Any, Any], ...] = (
        (dataclass, field, replace),
        (dataclasses.dataclass, dataclasses.field, dataclasses.replace),
    )
    for decorator, field_of, changed in both:
        namespace: dict[str, Any] = {
            f"f{at}": field_of(**_KINDS[kind]) for at, kind in enumerate(kinds) if kind != "plain"
        }
        namespace["__annotations__"] = {f"f{at}": int for at in range(len(kinds))}
        decorate = decorator(slots=True, frozen=frozen, kw_only=kw_only, eq=eq)
        try:
            cls = decorate(type("Made", (), namespace))
        except TypeError:
            outcomes.append([TypeError])
            continue
        seen: list[Any] = [cls.__match_args__, cls.__slots__]
        for arguments, named in (
            (range(given_count), {}),
            ((), {f"f{at}": at for at in range(given_count)}),
        ):
            try:
                one, other = cls(*arguments, **named), cls(*arguments, **named)
            except TypeError as error:
                seen.append(str(error).replace("_dataclass", ""))
                continue
            fields = [getattr(one, f"f{at}") for at in range(len(kinds))]
            try:
                hashes = str(hash(one) == hash(other))
            except TypeError:
                hashes = "unhashable"
            seen += [fields, one == other, hashes, repr(one).rpartition(".")[2]]
            if "plain" in kinds and eq:
                name = f"f{kinds.index('plain')}"
                seen += [changed(one, **{name: 9}) == one, getattr(changed(one, **{name: 9}), name)]
        outcomes.append(seen)
    assert outcomes[0] == outcomes[1]


_PLANTED = """
from agent_lsp.data_classes import dataclass, replace


@dataclass(frozen=True, slots=True)
class Point:
    x: int


Point("a")
Point(1).x = 2
replace(Point(1), y=2)
reveal_type(Point(1).x)
"""


def test_a_type_checker_checks_constructors_replace_and_that_fields_are_frozen(
    tmp_path: Path,
) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "planted.py").write_text(_PLANTED, encoding="utf-8")
    done = subprocess.run(
        (
            *(sys.executable, "-m", "mypy", "--follow-imports=silent", "--config-file="),
            *("--cache-dir", tmp_path / "cache", "planted.py"),
        ),
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line.partition(": ")[2] for line in done.stdout.splitlines() if "planted.py" in line]
    assert [line.rpartition("  [")[2] or line for line in said] == [
        "arg-type]",
        "misc]",
        "call-arg]",
        'note: Revealed type is "int"',
    ], done.stdout
