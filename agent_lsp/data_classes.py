"""Data classes that load fast: a drop-in for the part of `dataclasses` that this package uses.

`dataclasses` compiles several functions for each class, and a command loads some 170 classes. Here
functions are compiled for the first class of a shape, and the others get copies of the code with
the names of their fields. docs/decisions/data-classes.md has the figures.

Invariants: type checkers see the real `dataclasses`, so they check constructors, `replace`, and
that nothing is assigned to a field of a frozen class. At run time a class has the constructor,
comparison, hash, `repr`, slots and `__match_args__` of a real one; only the type checker forbids
assignments. A class takes over no fields of another. This module imports nothing of ours, so that
every layer may use it.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["dataclass", "field", "replace"]

_T = TypeVar("_T")
_MISSING: Any = object()
# How the constructor sets a field: to its parameter, to its parameter unless that is missing, to
# the default, or to what the factory makes.
_SET = {
    "parameter": "{0}",
    "or made": "{0} if {0} is not _missing else {0}_else()",
    "default": "{0}_else",
    "made": "{0}_else()",
}


class _Field:
    """The arguments of `field`, all of which may be missing."""

    __slots__ = ("default", "factory", "init", "is_compared", "is_hashed", "is_shown", "kw_only")

    def __init__(
        self,
        *,
        default: object = _MISSING,
        default_factory: object = _MISSING,
        init: bool = True,
        repr: bool = True,  # noqa: A002 - as in `dataclasses`
        compare: bool = True,
        hash: bool | None = None,  # noqa: A002
        kw_only: bool = False,
    ) -> None:
        self.default, self.factory = default, default_factory
        self.init, self.kw_only = init, kw_only
        self.is_shown, self.is_compared = repr, compare
        self.is_hashed = compare if hash is None else hash

    @property
    def is_optional(self) -> bool:
        """Whether the constructor can do without an argument."""
        return self.default is not _MISSING or self.factory is not _MISSING

    @property
    def kind(self) -> str:
        """How the constructor sets the field, a key of `_SET`."""
        if self.factory is not _MISSING:
            return "or made" if self.init else "made"
        return "parameter" if self.init else "default"


def _dataclass(
    *, slots: bool, frozen: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type[_T]], type[_T]]:
    if not slots:
        raise TypeError("a data class of this package has slots")
    return lambda cls: _made(cls, frozen=frozen, kw_only=kw_only, eq=eq)


def _replace(value: _T, /, **changes: object) -> _T:
    cls: Any = type(value)
    for name in cls.__parameters_of_init__:
        if name not in changes:
            changes[name] = getattr(value, name)
    made: _T = cls(**changes)
    return made


def _made(cls: type[_T], *, frozen: bool, kw_only: bool, eq: bool) -> type[_T]:
    """A class like `cls`, with slots and with the methods that it does not define itself."""
    namespace = {name: value for name, value in vars(cls).items() if not _is_storage(name)}
    fields = dict[str, _Field]()
    for name in cls.__annotations__:
        default = namespace.pop(name, _MISSING)
        fields[name] = default if isinstance(default, _Field) else _Field(default=default)
        fields[name].kw_only |= kw_only
    by_name = [name for name, one in fields.items() if one.init and one.kw_only]
    by_position = [name for name, one in fields.items() if one.init and not one.kw_only]
    methods: dict[str, object] = {
        "__init__": _constructor(cls, fields, by_position, by_name),
        "__repr__": _representation([name for name, one in fields.items() if one.is_shown]),
    }
    if eq:
        methods["__eq__"] = _late(_equality, [n for n, one in fields.items() if one.is_compared])
        if frozen:
            methods["__hash__"] = _late(_hash, [n for n, one in fields.items() if one.is_hashed])
    namespace = methods | namespace
    namespace["__slots__"] = tuple(fields)
    namespace["__match_args__"] = tuple(by_position)
    namespace["__parameters_of_init__"] = (*by_position, *by_name)
    kind: Any = type(cls)
    made: type[_T] = kind(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def _is_storage(name: str) -> bool:
    """Whether `name` is what a class without slots has for its instances."""
    return name in {"__dict__", "__weakref__"}


def _constructor(
    cls: type, fields: dict[str, _Field], by_position: list[str], by_name: list[str]
) -> FunctionType:
    names = [*by_position, *by_name, *(name for name, one in fields.items() if not one.init)]
    end = getattr(cls, "__post_init__", None)
    used: dict[str, Any] = {"_missing": _MISSING, "_end": end}
    for at, one in enumerate(map(fields.__getitem__, names)):
        used[f"_{at}_else"] = one.default if one.factory is _MISSING else one.factory
    kinds = tuple([fields[name].kind for name in names])
    code = _constructor_code(kinds, len(by_name), has_end=end is not None)
    function = _method(cls, code, names, used)
    optional = [name for name in by_position if fields[name].is_optional]
    if optional != by_position[len(by_position) - len(optional) :]:
        raise TypeError(f"{cls.__qualname__} has a field without a default after one with it")
    function.__defaults__ = tuple([fields[name].default for name in optional])
    function.__kwdefaults__ = {
        name: fields[name].default for name in by_name if fields[name].is_optional
    }
    return function


@cache
def _constructor_code(kinds: tuple[str, ...], by_name: int, *, has_end: bool) -> CodeType:
    """The code for fields of these kinds, the last `by_name` parameters of which need a name."""
    names = [f"_{at}" for at in range(len(kinds))]
    parameters = [
        name for name, kind in zip(names, kinds, strict=True) if kind in {"parameter", "or made"}
    ]
    if by_name:
        parameters.insert(len(parameters) - by_name, "*")
    lines = [f"self.{n} = {_SET[kind].format(n)}" for n, kind in zip(names, kinds, strict=True)]
    return _compiled("__init__", ["self", *parameters], [*lines, *["_end(self)"] * has_end])


def _late(code_for: Callable[[int], CodeType], names: Sequence[str]) -> Callable[..., Any]:
    """A method that is made when it is first called, because few classes need theirs."""

    def method(value: object, *arguments: object) -> object:
        cls = type(value)
        made = _method(cls, code_for(len(names)), names)
        setattr(cls, made.__name__, made)
        return made(value, *arguments)

    return method


@cache
def _equality(count: int) -> CodeType:
    ours, theirs = ("".join(f"{o}._{at}, " for at in range(count)) for o in ("self", "other"))
    same = "self.__class__ is other.__class__"
    line = f"return ({ours}) == ({theirs}) if {same} else NotImplemented"
    return _compiled("__eq__", ["self", "other"], [line])


@cache
def _hash(count: int) -> CodeType:
    fields = "".join(f"self._{at}, " for at in range(count))
    return _compiled("__hash__", ["self"], [f"return hash(({fields}))"])


def _compiled(name: str, parameters: list[str], lines: list[str]) -> CodeType:
    """The code of a function for fields called `_0`, `_1` and so on."""
    scope: dict[str, Any] = {}
    body = "\n ".join(lines or ["pass"])
    exec(f"def {name}({', '.join(parameters)}):\n {body}", scope)  # noqa: S102 - written above
    code: CodeType = scope[name].__code__
    return code


def _method(
    cls: type, code: CodeType, names: Sequence[str], used: dict[str, Any] | None = None
) -> FunctionType:
    """A method of `cls` with `code`, for fields called `names`; `used` are its globals."""
    new = {f"_{at}": name for at, name in enumerate(names)}
    own = code.replace(
        co_varnames=tuple([new.get(name, name) for name in code.co_varnames]),
        co_names=tuple([new.get(name, name) for name in code.co_names]),
    )
    function = FunctionType(own, used or {}, code.co_name)
    function.__qualname__ = f"{cls.__qualname__}.{code.co_name}"
    function.__module__ = cls.__module__
    return function


def _representation(names: Sequence[str]) -> Callable[[object], str]:
    def represent(value: object) -> str:
        fields = ", ".join([f"{name}={getattr(value, name)!r}" for name in names])
        return f"{type(value).__qualname__}({fields})"

    return represent


if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _dataclass, _Field, _replace
