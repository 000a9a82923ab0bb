"""Edits of TOML change the part that they name, and no other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence
from agent_lsp.syntax.toml import edit
from agent_lsp.text import apply
from tests.syntax.outline import walk
from tests.syntax.test_toml import value_of
from tests.syntax.tomls import FILES, damaged


def entry(text: str, path: str) -> Entry:
    """The entry at a dotted path."""
    node: Node | None = toml.parse(text).root
    found = None
    for step in path.split("."):
        assert isinstance(node, Mapping)
        found = node.get(step)
        assert found is not None
        node = found.value
    assert found is not None
    return found


REPLACED = {
    "a text": ('a = "b" # c\nd = 1', "a", "x", 'a = "x" # c\nd = 1'),
    "no value": ("a = \nd = 1", "a", "x", 'a = "x"\nd = 1'),
    "no value and no blank": ("a =\nd = 1", "a", "x", 'a = "x"\nd = 1'),
    "no equals sign": ("a\nd = 1", "a", "x", 'a = "x"\nd = 1'),
    "no value and a comment": ("a = # c\nd = 1", "a", "x", 'a = "x" # c\nd = 1'),
    "in a table": ("[t]\na.b = 1", "t.a.b", True, "[t]\na.b = true"),
    "in braces": ("a = {b = 1, c = 2}", "a.b", 7, "a = {b = 7, c = 2}"),
    "a list": ("a = [\n 1,\n]\nb = 1", "a", ("x", 'y"'), 'a = ["x", "y\\""]\nb = 1'),
    "a bare word": ("a = gpt\nb = 1", "a", "gpt", 'a = "gpt"\nb = 1'),
}


@pytest.mark.parametrize(("text", "path", "value", "expected"), REPLACED.values(), ids=REPLACED)
def test_value_is_replaced(text: str, path: str, value: edit.Value, expected: str) -> None:
    assert apply(text, edit.replace_value(text, entry(text, path), value)) == expected


INSERTED = {
    "behind the last key": ("[t]\n  a = 1 # c\n\n[u]\n", "t", "[t]\n  a = 1 # c\n  x = 1\n\n[u]\n"),
    "below a header": ("[t] # c\n[u]\n", "t", "[t] # c\nx = 1\n[u]\n"),
    "in braces": ("t = {a = 1}\n", "t", "t = {a = 1, x = 1}\n"),
    "in empty braces": ("t = { }\n", "t", "t = { x = 1 }\n"),
    "beside dotted keys": ("[t]\nu.a = 1\n[v]\n", "t.u", "[t]\nu.a = 1\nu.x = 1\n[v]\n"),
    "a new table": ("[t]\na = 1\n", "t.u", "[t]\na = 1\nu.x = 1\n"),
    "a table that is only named": ("[t.u]\na = 1\n", "t", "t.x = 1\n[t.u]\na = 1\n"),
    "the last of some tables": ("[[t]]\n[[t]]\na = 1", "t", "[[t]]\n[[t]]\na = 1\nx = 1"),
    "a value": ("t = 1\n", "t", "t = 1\n"),
    "the line end of the file": ("[t]\r\na = 1\r\n", "t", "[t]\r\na = 1\r\nx = 1\r\n"),
}


@pytest.mark.parametrize(("text", "path", "expected"), INSERTED.values(), ids=INSERTED)
def test_entry_is_inserted(text: str, path: str, expected: str) -> None:
    edits = edit.insert_entry(text, toml.parse(text), tuple(path.split(".")), "x", 1)
    assert apply(text, edits) == expected


REMOVED = {
    "its line": ("a = 1\nb = 2 # c\nd = 3", "b", "a = 1\nd = 3"),
    "the last line": ("a = 1\nb = 2", "b", "a = 1"),
    "lines": ('a = """\nx\n"""\nb = 2', "a", "b = 2"),
    "a dotted key": ("[t]\na.b = 1\na.c = 2\n", "t.a.b", "[t]\na.c = 2\n"),
    "in braces": ("a = {b = 1, c = 2}", "a.b", "a = {c = 2}"),
    "last in braces": ("a = {b = 1, c = 2}", "a.c", "a = {b = 1}"),
    "a table": ("[a]\nb = 1", "a", "[a]\nb = 1"),
}


@pytest.mark.parametrize(("text", "path", "expected"), REMOVED.values(), ids=REMOVED)
def test_entry_is_removed(text: str, path: str, expected: str) -> None:
    edits = edit.remove_entry(text, toml.parse(text), entry(text, path))
    assert apply(text, edits) == expected


def test_items_are_added_and_removed() -> None:
    text = 'a = ["b", "c"]\nd = [\n  "e",\n  "f", # g\n]\nh = "i"\nj = []\n'
    for path, expected in (
        ("a", 'a = ["b", "c", "x"]'),
        ("d", '  "f", # g\n  "x",\n]'),
        ("h", 'h = ["i", "x"]'),
        ("j", 'j = ["x"]'),
    ):
        assert expected in apply(text, edit.append_item(text, entry(text, path), "x"))
    for path, at, expected in (
        ("a", 0, 'a = ["c"]'),
        ("a", 1, 'a = ["b"]'),
        ("d", 0, 'd = [\n  "f"'),
    ):
        held = entry(text, path).value
        assert isinstance(held, Sequence)
        assert expected in apply(text, edit.remove_item(text, held.items[at]))


def test_key_is_renamed() -> None:
    text = "[a.b]\nc = 1"
    assert apply(text, edit.rename_key(entry(text, "a.b"), "x y")) == '[a."x y"]\nc = 1'


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_quoted_values_are_read_back(value: str) -> None:
    text = f"{edit.quote_key(value)} = {edit.quote((value, value))}"
    tree = toml.parse(text)
    assert tree.problem is None
    assert value_of(tree.root) == {value: [value, value]}


@pytest.mark.parametrize("text", FILES)
def test_a_removed_entry_leaves_the_others_alone(text: str) -> None:
    """Each key of a valid file can be removed without another change."""
    tree = toml.parse(text)
    for section in tree.sections:
        for pair in section.pairs:
            key = pair.keys[-1]
            after = apply(text, edit.remove_entry(text, tree, Entry(key, pair.value)))
            left = toml.parse(after)
            assert left.problem is None
            count = sum(len(one.pairs) for one in left.sections)
            assert count == sum(len(one.pairs) for one in tree.sections) - 1


@given(damaged(), st.sampled_from([(), ("agents",), ("agents", "presets", "scout"), ("a", "b")]))
def test_no_tree_is_too_broken_for_an_edit(text: str, path: tuple[str, ...]) -> None:
    tree = toml.parse(text)
    apply(text, edit.insert_entry(text, tree, path, "x", "y"))
    for node in walk(tree.root):
        for one in node.entries if isinstance(node, Mapping) else ():
            apply(text, edit.replace_value(text, one, "y"))
            apply(text, edit.remove_entry(text, tree, one))
            apply(text, edit.append_item(text, one, "y"))
        for item in node.items if isinstance(node, Sequence) else ():
            apply(text, edit.remove_item(text, item))
