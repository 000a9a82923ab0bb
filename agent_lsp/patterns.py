"""Regular expressions that are compiled when they are first used.

A command loads some 300 of them and uses 30, and compiling all takes a tenth of its start.
docs/decisions/data-classes.md has the figures.

Invariants: type checkers see `re.compile`. A pattern of this module has the methods and attributes
of a compiled one, but a mistake in it is only raised at the first use. This module imports nothing
of ours, so that every layer may use it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from re import compile as _compile
from typing import TYPE_CHECKING, Any

__all__ = ["compiled_late", "regex"]

_OFFERED = (
    *("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"),
    *("pattern", "flags", "groups", "groupindex"),
)


class _Compiled:
    """A pattern in use: it has what the compiled one has, and calls go to that directly."""

    __slots__ = ("_arguments", *_OFFERED)

    _arguments: tuple[Any, int]

    def __reduce__(self) -> tuple[object, ...]:
        return _Waiting, self._arguments


class _Waiting(_Compiled):
    """A pattern that is compiled with the first attribute that is asked of it."""

    __slots__ = ()

    def __init__(self, text: str | bytes, flags: int = 0) -> None:
        self._arguments = text, flags

    def __getattr__(self, name: str) -> object:
        # Asked by `copy` and the like, and not to be compiled for it.
        if name not in _OFFERED:
            raise AttributeError(name)
        compiled = _compile(*self._arguments)
        for offered in _OFFERED:
            setattr(self, offered, getattr(compiled, offered))
        # From now on nothing has to be intercepted, which would slow down each use.
        self.__class__ = _Compiled  # type: ignore[assignment] # a subclass with the same slots
        return getattr(compiled, name)


@contextmanager
def compiled_late() -> Iterator[None]:
    """Makes a package that is first imported in this block load as fast as one with `regex`.

    While it lasts, `re.compile` is `regex`, in other threads as well, for which that is the same.
    """
    at_once = re.compile
    re.compile = regex
    try:
        yield
    finally:
        re.compile = at_once


if TYPE_CHECKING:
    from re import compile as regex
else:
    regex = _Waiting
