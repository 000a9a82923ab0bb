"""TOML is parsed as the runtime parses it, and damage stays in its statement."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Broken, Mapping, Node, Scalar, Sequence
from agent_lsp.syntax.toml.scan import WordKind, kind, plain
from tests.recorded import each
from tests.syntax.outline import outline

DATA = Path(__file__).parent.parent / "conformance" / "moltis-toml.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
# Recorded errors for texts with valid syntax: they are about types.
TYPE_FAULTS = ("invalid type: ", "invalid value: ", "missing field ")


def value_of(node: Node | None) -> Any:
    """A node as plain Python values."""
    match node:
        case Mapping():
            return {entry.name: value_of(entry.value) for entry in node.entries}
        case Sequence():
            return [value_of(item) for item in node.items]
        case Scalar():
            return plain(node)
        case _:
            raise AssertionError(node)


@each(CASES)
def test_a_text_is_valid_if_the_runtime_reads_it(case: dict[str, Any]) -> None:
    """The verdict is the same, and the problem has the runtime's line and words."""
    tree = toml.parse(case["text"])
    error = case["error"] or ""
    if case["ok"] or any(fault in error for fault in TYPE_FAULTS):
        assert tree.problem is None
        return
    assert tree.problem is not None
    line = case["text"].count("\n", 0, tree.problem.span.start) + 1
    head, *rest = error.split("\n")
    assert head.startswith(f"TOML parse error at line {line},")
    said = filter(None, (tree.problem.context, tree.problem.message))
    # The runtime has no message for a control character in a comment.
    assert "\n".join(said) == "\n".join(rest[3:]).strip("\n") or case["id"] == "mt-probe-0886"


@each(case for case in CASES if case["ok"])
def test_presets_have_the_values_that_the_runtime_reads(case: dict[str, Any]) -> None:
    """The tree has each setting that the runtime has found, with its value."""
    read = value_of(toml.parse(case["text"]).root)
    assert _holds(read, case["value"])


def _holds(read: Any, expected: Any) -> bool:
    """Whether `read` has all values of `expected`; a record may be written as an array."""
    if isinstance(expected, dict) and isinstance(read, dict):
        return all(_holds(read.get(key), value) for key, value in expected.items())
    is_default = expected in (None, [], False, True) and read is None
    is_table = isinstance(expected, dict) and not isinstance(read, dict)
    return is_default or is_table or read == expected


HALF_TYPED = {
    "a key": ('mod\nmodel = "y"', 'mod=? model="y"'),
    "a key at the end": ("a = 1\n[b]\nmod", "a=1 b={mod=?}"),
    "a dotted key": ("tools.\nb = 1", "tools={<>=?} b=1"),
    "no value": ("a =\nb = 1", "a=<> b=1"),
    "a word": ("a = gpt\nb = 1", "a=Broken(gpt) b=1"),
    "two words": ("a = gpt x\nb = 1", "a=Broken(gpt) b=1"),
    "a number": ("a = 012\nb = 1__0\nc = 1", "a=Broken(012) b=Broken(1__0) c=1"),
    "an open text": ('a = "b\nc = 1', 'a="b" c=1'),
    "an open key": ('"a = 1\nb = 1', '"a = 1"=? b=1'),
    "an open literal": ("a = 'b\nc = 1", "a='b' c=1"),
    "an open list": ('a = ["b", "c"\nd = 1', 'a=["b", "c"] d=1'),
    "an open list before a table": ('a = ["b",\n[d]\ne = 1', 'a=["b"] d={e=1}'),
    "an open list of lines": ('a = [\n  "b",\n  "c\n[d.e]', 'a=["b", "c"] d={e={}}'),
    "an open text in a list": (
        'a = ["b", "c, "d"]\ne = 1',
        'a=["b", "c, ", Broken(d")] e=1',
    ),
    "an open text at a list's end": ('a = ["b", "c]\ne = 1', 'a=["b", "c"] e=1'),
    "no comma": ('a = ["b" "c"]\nd = 1', 'a=["b", "c"] d=1'),
    "a comma too many": ('a = ["b",, "c"]\nd = 1', 'a=["b", "c"] d=1'),
    "an open inline table": ("a = {b = 1, c\nd = 1", "a={b=1 c=?} d=1"),
    "an inline table in lines": ("a = {\n b = 1,\n c = 2\n}\nd = 1", "a={b=1 c=2} d=1"),
    "an open list in a table": ("a = {b = [1, 2}\nc = 1", "a={b=[1, 2]} c=1"),
    "an open text of lines": ('a = """\nb\n[c]\nd = """\ne"""', "a=b c={d=e}"),
    "an open header": ("a = 1\n[b.c\nd = 1", "a=1 b={c={d=1}}"),
    "a header with a dot": ("[b.]\nd = 1", "b={<>={d=1}}"),
    "a word behind a header": ("[b] c\nd = 1", "b={d=1}"),
    "a stray bracket": ("]\na = 1", "Broken(])=? a=1"),
    "a table twice": ("[a]\nb = 1\n[a]\nc = 2", "a={b=1 c=2}"),
    "a key twice": ("a = 1\na = 2\nb = 3", "a=1 a=2 b=3"),
    "a value as table": ("a = 1\n[a.b]\nc = 2", "a=1 a={b={c=2}}"),
}


@pytest.mark.parametrize(("text", "expected"), HALF_TYPED.values(), ids=HALF_TYPED)
def test_damage_stays_in_its_statement(text: str, expected: str) -> None:
    """Valid parts of a half-typed text are read as if nothing were wrong."""
    tree = toml.parse(text)
    assert tree.problem is not None
    assert tree.damage
    assert outline(tree.root) == expected


def test_a_placeholder_causes_no_problem() -> None:
    """The value that the runtime puts in the place of `${NAME}` is not known."""
    text = 'a = ${LIMIT}\n${MORE}\n[b.${NAME}]\nc = ["${TOOL}", ${TOOLS}]\nd = 012\n'
    tree = toml.parse_open(text)
    root = tree.root
    assert isinstance(root, Mapping)
    limit = root.entries[0].value
    assert isinstance(limit, Scalar)
    assert (kind(limit), plain(limit), toml.is_open(limit, text)) == (WordKind.UNKNOWN, None, True)
    assert [problem.span.of(text) for problem in tree.damage] == ["012"]
    assert isinstance(toml.parse(text).root, Mapping)
    assert not isinstance(limit, Broken)
