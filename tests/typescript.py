"""Reads the texts in a TypeScript file, and where they stand.

It knows as much of the language as formatted sources need: comments, regular expressions, brackets,
and templates in templates.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# In place of what a template computes.
HOLE = "\0"
_TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<template>`)
    | (?P<name>[\w$]+(?:\??\.[\w$]+)*)
    | (?P<regex>(?<=[(,=:\[!&|?{};\n])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*)
    | (?P<sign>[=!]==?|=>|\S)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Literal:
    """A text: its line, counted from 1, and what is made of it.

    `call` is the function that gets it as its argument number `argument`; `name` is the property or
    the variable that it becomes the value of, as it is or as one of two choices; `before` and
    `after` are the signs and words around it.
    """

    line: int
    text: str
    call: str
    argument: int
    name: str
    before: str
    after: str


@dataclass(slots=True)
class _Bracket:
    call: str = ""
    argument: int = 0
    name: str = ""
    before: list[str] = field(default_factory=lambda: ["", ""])


def literals(source: str) -> list[Literal]:
    """All texts of a file in their order, those of its imports included."""
    found: list[Literal] = []
    _scan(source, 0, found)
    return found


def _scan(source: str, at: int, found: list[Literal]) -> int:
    """Reads until the bracket closes that `at` is in, and says where that is."""
    stack = [_Bracket()]
    while match := _TOKEN.search(source, at):
        at = match.end()
        kind, sign = match.lastgroup, match[0]
        here = stack[-1]
        if kind in {"comment", "regex"}:
            continue
        if kind in {"text", "template"}:
            line = source.count("\n", 0, match.start()) + 1
            text = _unescaped(sign[1:-1])
            if kind == "template":
                text, at = _template(source, at, found)
            after = _after(source, at)
            call, argument = here.call, here.argument
            found.append(Literal(line, text, call, argument, here.name, here.before[-1], after))
            sign = sign if kind == "text" else "`"
        elif sign in "([{":
            # The name of a function, unless a keyword such as `if` stands there.
            call = here.before[-1] if sign == "(" else ""
            stack.append(_Bracket(call, name=here.name if sign == "(" and not call else ""))
            continue
        elif sign in ")]}":
            stack.pop()
            if not stack:
                return at
            here, sign = stack[-1], ")"
        _follow(here, sign)
    return at


def _follow(here: _Bracket, sign: str) -> None:
    """Takes note of a sign that is no bracket."""
    if sign == ",":
        here.argument += 1
    if sign in {",", ";"}:
        here.name = ""
    elif sign == "=":
        here.name = here.before[-1].rpartition(".")[2]
    elif sign == ":" and here.before[-2] in {"", ",", ";"}:
        here.name = here.before[-1].strip('"')
    here.before = [here.before[-1], sign]


def _template(source: str, at: int, found: list[Literal]) -> tuple[str, int]:
    """The text of a template from its first character, and where it ends."""
    pieces: list[str] = []
    while source[at] != "`":
        if source.startswith("${", at):
            at = _scan(source, at + 2, found)
            pieces.append(HOLE)
        else:
            width = 2 if source[at] == "\\" else 1
            pieces.append(_unescaped(source[at : at + width]))
            at += width
    return "".join(pieces), at + 1


def _after(source: str, at: int) -> str:
    tokens: Iterator[re.Match[str]] = _TOKEN.finditer(source, at)
    return next((one[0] for one in tokens if one.lastgroup != "comment"), "")


def _unescaped(text: str) -> str:
    def meant(match: re.Match[str]) -> str:
        code = match[1]
        if len(code) > 1:
            return chr(int(code.strip("ux{}"), 16))
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(meant, text)
