"""Edits change the part that they name, and no other byte."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence
from agent_lsp.syntax.yaml import edit, parse
from agent_lsp.syntax.yaml.edit import quote_key
from agent_lsp.text import apply
from tests.effort import examples
from tests.syntax.headers import HEADERS, damaged
from tests.syntax.outline import outline, walk


def _root(text: str) -> Mapping:
    root = parse(text).root
    assert isinstance(root, Mapping)
    return root


def _entry(text: str, path: str) -> Entry:
    """The entry at `path`: `a.b` is the key `b` in `a`, `a.1.b` that of its second item."""
    node: Node | None = _root(text)
    *steps, name = path.split(".")
    for step in steps:
        if isinstance(node, Sequence):
            node = node.items[int(step)]
        else:
            assert isinstance(node, Mapping)
            entry = node.get(step)
            assert entry is not None
            node = entry.value
    assert isinstance(node, Mapping)
    entry = node.get(name)
    assert entry is not None
    return entry


def _list(text: str, path: str) -> Sequence:
    value = _entry(text, path).value
    assert isinstance(value, Sequence)
    return value


REPLACED = {
    "plain": ("a: b # c\nd: e", "a", "x y", "a: x y # c\nd: e"),
    "quoted": ("a: 'b' # c\nd: e", "a", "x: y", 'a: "x: y" # c\nd: e'),
    "an absent value": ("a:\nd: e", "a", "x", "a: x\nd: e"),
    "an absent value and blanks": ("a:   \nd: e", "a", "x", "a: x\nd: e"),
    "an absent value and a comment": ("a: # c\nd: e", "a", "x", "a: x # c\nd: e"),
    "no colon": ("a\nd: e", "a", "x", "a: x\nd: e"),
    "no colon in a mapping": ("f: {a, d: e}", "f.a", "x", "f: {a: x, d: e}"),
    "an absent value in a mapping": ("f: {a: , d: e}", "f.a", "x", "f: {a: x , d: e}"),
    "a block list": ("a: # c\n  - b\n  - d # e\nf: g", "a", "x", "a: x # c # e\nf: g"),
    "a block text": ("a: |\n  b\n\n  c\nd: e", "a", "x", "a: x\nd: e"),
    "a flow list in lines": ("a: [\n  b,\n]\nd: e", "a", "x", "a: x\nd: e"),
    "broken text": ("a: b: c\nd: e", "a", "b: c", 'a: "b: c"\nd: e'),
    "an open list": ("a: [b\nd: e", "a", ("b",), "a: [b]\nd: e"),
    "an alias": ("a: &x b\nc: *x\nd: e", "c", "y", "a: &x b\nc: y\nd: e"),
    "by a list": ("a: b, c\nd: e", "a", ("b", "c d", "*"), 'a: [b, c d, "*"]\nd: e'),
    "by an empty list": ("a: b\nd: e", "a", (), "a: []\nd: e"),
    "by nothing": ("a: b\nd: e", "a", "", 'a: ""\nd: e'),
    "by lines": ("a: b\nd: e", "a", "x\ny", 'a: "x\\ny"\nd: e'),
    "line ends of Windows": ("a: |\r\n  b\r\nd: e\r\n", "a", "x", "a: x\r\nd: e\r\n"),
}


@pytest.mark.parametrize(
    ("text", "name", "value", "expected"), REPLACED.values(), ids=REPLACED.keys()
)
def test_replace_value_gives(text: str, name: str, value: edit.Value, expected: str) -> None:
    assert apply(text, edit.replace_value(text, _entry(text, name), value)) == expected


def test_replace_value_quotes_for_brackets_when_told() -> None:
    text = "a: {b: c}"
    edits = edit.replace_value(text, _entry(text, "a.b"), "x, y", flow=True)
    assert apply(text, edits) == 'a: {b: "x, y"}'


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("a: b # c\nd: e", "x", "x: b # c\nd: e"),
        ("'a' : b", "x y", "x y : b"),
        ("a\nd: e", "x", "x\nd: e"),
        ("a: b", "x: y", '"x: y": b'),
        ("a: b", "#", '"#": b'),
    ],
)
def test_rename_key_gives(text: str, name: str, expected: str) -> None:
    assert apply(text, edit.rename_key(_root(text).entries[0], name)) == expected


INSERTED = {
    "at the top": ("a: b\nc: d\n", "", None, "n: v\na: b\nc: d\n"),
    "behind a value": ("a: b # c\nc: d\n", "", "a", "a: b # c\nn: v\nc: d\n"),
    "behind a block list": (
        "a:\n  - b\n  - c # x\nd: e\n",
        "",
        "a",
        "a:\n  - b\n  - c # x\nn: v\nd: e\n",
    ),
    "behind a block text": ("a: |\n  b\n\n# c\nd: e", "", "a", "a: |\n  b\nn: v\n\n# c\nd: e"),
    "behind the last, without line end": ("a: b", "", "a", "a: b\nn: v"),
    "behind what is not there": ("a: b\nc: d\n", "", "x", "a: b\nc: d\nn: v\n"),
    "behind an absent value": ("a:\nc: d", "", "a", "a:\nn: v\nc: d"),
    "behind a word": ("a\nc: d", "", "a", "a\nn: v\nc: d"),
    "in a nested mapping": ("a:\n    b: c\nd: e", "a", "b", "a:\n    b: c\n    n: v\nd: e"),
    "at the top of an item": (
        "a:\n  - b: c\n    d: e\n",
        "a.0",
        None,
        "a:\n  - n: v\n    b: c\n    d: e\n",
    ),
    "in an item": ("a:\n  - b: c\n  - b: d\n", "a.0", "b", "a:\n  - b: c\n    n: v\n  - b: d\n"),
    "line ends of Windows": ("a: b\r\nc: d", "", "c", "a: b\r\nc: d\r\nn: v"),
    "line ends of Windows, top": ("a: b\r\nc: d\r\n", "", None, "n: v\r\na: b\r\nc: d\r\n"),
    "in braces": ("a: {b: c, d: e}", "a", "b", "a: {b: c, n: v, d: e}"),
    "in braces, top": ("a: {b: c}", "a", None, "a: {n: v, b: c}"),
    "in empty braces": ("a: {}", "a", None, "a: {n: v}"),
}


@pytest.mark.parametrize(
    ("text", "path", "after", "expected"), INSERTED.values(), ids=INSERTED.keys()
)
def test_insert_entry_gives(text: str, path: str, after: str | None, expected: str) -> None:
    mapping: Node | None = _root(text)
    for step in filter(None, path.split(".")):
        if isinstance(mapping, Sequence):
            mapping = mapping.items[int(step)]
        else:
            assert isinstance(mapping, Mapping)
            entry = mapping.get(step)
            assert entry is not None
            mapping = entry.value
    assert isinstance(mapping, Mapping)
    assert apply(text, edit.insert_entry(text, mapping, "n", "v", after)) == expected


def test_insert_entry_writes_lists_and_quotes() -> None:
    text = "a: b"
    edits = edit.insert_entry(text, _root(text), "n", ("*", "mcp*", "b, c"), after="a")
    assert apply(text, edits) == 'a: b\nn: ["*", mcp*, "b, c"]'


REMOVED = {
    "a line": ("a: b # c\nd: e\n", "a", "d: e\n"),
    "the last line": ("a: b\nd: e", "d", "a: b"),
    "the only line": ("a: b", "a", ""),
    "a list": ("a:\n  - b\n  - c # x\n\nd: e", "a", "\nd: e"),
    "a block text": ("a: b\nc: |\n  d\n\n  e\nf: g", "c", "a: b\nf: g"),
    "a word": ("a: b\nmod\nc: d", "mod", "a: b\nc: d"),
    "a broken value": ("a: b: c\nd: e", "a", "d: e"),
    "an open list": ("a: [b\nd: e", "a", "d: e"),
    "a nested line": ("a:\n  b: c\n  d: e\n", "a.b", "a:\n  d: e\n"),
    "the first of an item": ("a:\n  - b: c # x\n    d: e\n", "a.0.b", "a:\n  - d: e\n"),
    "the second of an item": (
        "a:\n  - b: c\n    d: e\n  - f: g",
        "a.0.d",
        "a:\n  - b: c\n  - f: g",
    ),
    "the only one of an item": ("a:\n  - b: c\n  - d: e", "a.0.b", "a:\n  - \n  - d: e"),
    "in braces, first": ("a: {b: c, d: e}", "a.b", "a: {d: e}"),
    "in braces, last": ("a: {b: c, d: e}", "a.d", "a: {b: c}"),
    "in braces, only": ("a: {b: c}", "a.b", "a: {}"),
    "in braces, in lines": ("a: {\n  b: c,\n  d: e,\n}", "a.b", "a: {\n  d: e,\n}"),
    "line ends of Windows": ("a: b\r\nc: d\r\ne: f\r\n", "c", "a: b\r\ne: f\r\n"),
    "the last line of Windows": ("a: b\r\nc: d", "c", "a: b"),
}


@pytest.mark.parametrize(("text", "path", "expected"), REMOVED.values(), ids=REMOVED.keys())
def test_remove_entry_gives(text: str, path: str, expected: str) -> None:
    assert apply(text, edit.remove_entry(text, _entry(text, path))) == expected


APPENDED = {
    "block": ("a:\n  - b\n  - c # x\nd: e", "a:\n  - b\n  - c # x\n  - n\nd: e"),
    "block at the indent of its key": ("a:\n- b\nd: e", "a:\n- b\n- n\nd: e"),
    "block with wide dashes": ("a:\n  -   b\nd: e", "a:\n  -   b\n  -   n\nd: e"),
    "block of mappings": ("a:\n  - b: c-d\n    e: f\n", "a:\n  - b: c-d\n    e: f\n  - n\n"),
    "block with an absent item": ("a:\n  -\nd: e", "a:\n  -\n  - n\nd: e"),
    "block with properties": ("a: &x\n  - b\nd: *x", "a: &x\n  - b\n  - n\nd: *x"),
    "block without line end": ("a:\n  - b", "a:\n  - b\n  - n"),
    "block with a broken item": ("a:\n  - b\n  - *\nd: e", "a:\n  - b\n  - *\n  - n\nd: e"),
    "block of Windows": ("a:\r\n  - b\r\nd: e", "a:\r\n  - b\r\n  - n\r\nd: e"),
    "flow": ("a: [b, 'c'] # x", "a: [b, 'c', n] # x"),
    "flow, empty": ("a: [ ]", "a: [n ]"),
    "flow, open": ("a: [b\nd: e", "a: [b, n\nd: e"),
    "flow with a comma": ("a: [b, ]", "a: [b, n, ]"),
    "flow in lines": ("a: [\n  b,\n  c # x\n]", "a: [\n  b,\n  c, # x\n  n\n]"),
    "flow in lines with a comma": ("a: [\n  b, # x\n]", "a: [\n  b, # x\n  n,\n]"),
    "an absent value": ("a:\nd: e", "a: [n]\nd: e"),
    "no colon": ("a\nd: e", "a: [n]\nd: e"),
    "a null": ("a: ~ # x\nd: e", "a: [n] # x\nd: e"),
    "a text": ("a: 'b, c' # x\nd: e", 'a: ["b, c", n] # x\nd: e'),
    "an alias": ("b: &x [c]\na: *x", "b: &x [c]\na: *x"),
    "a mapping": ("a: {b: c}", "a: {b: c}"),
}


@pytest.mark.parametrize(("text", "expected"), APPENDED.values(), ids=APPENDED.keys())
def test_append_item_gives(text: str, expected: str) -> None:
    assert apply(text, edit.append_item(text, _entry(text, "a"), "n")) == expected


def test_append_item_quotes_for_its_place() -> None:
    block, flow = "a:\n  - b", "a: [b]"
    assert apply(block, edit.append_item(block, _list(block, "a"), "c, d")) == f"{block}\n  - c, d"
    assert apply(flow, edit.append_item(flow, _list(flow, "a"), "c, d")) == 'a: [b, "c, d"]'


WITHOUT = {
    "block, first": ("a:\n  - b # x\n  - c\nd: e", 0, "a:\n  - c\nd: e"),
    "block, last": ("a:\n  - b\n  - c\nd: e", 1, "a:\n  - b\nd: e"),
    "block, only": ("a:\n  - b\nd: e", 0, "a: []\nd: e"),
    "block, only, with comments": ("a: # x\n  - b # y\nd: e", 0, "a: # x\n   [] # y\nd: e"),
    "block, only, at the indent of its key": ("a: # x\n- b\nd: e", 0, "a: # x\n []\nd: e"),
    "block of mappings": ("a:\n  - b: c\n    d: e-f\n  - g: h\n", 0, "a:\n  - g: h\n"),
    "block, broken": ("a:\n  - b\n  - *\nd: e", 1, "a:\n  - b\nd: e"),
    "block, absent": ("a:\n  - b\n  -\nd: e", 1, "a:\n  - b\nd: e"),
    "block in block": ("a:\n  - - b\n    - c\n", 0, "a: []\n"),
    "block without line end": ("a:\r\n  - b\r\n  - c", 1, "a:\r\n  - b"),
    "flow, first": ("a: [b, c]", 0, "a: [c]"),
    "flow, last": ("a: [b, 'c' ] # x", 1, "a: [b ] # x"),
    "flow, only": ("a: [b]", 0, "a: []"),
    "flow in lines": ("a: [\n  b, # x\n  c,\n]", 1, "a: [\n  b, # x\n]"),
    "flow in lines, last": ("a: [\n  b,\n  c\n]", 1, "a: [\n  b\n]"),
    "flow, broken": ("a: [b, *, c]", 1, "a: [b, c]"),
}


@pytest.mark.parametrize(("text", "nth", "expected"), WITHOUT.values(), ids=WITHOUT.keys())
def test_remove_item_gives(text: str, nth: int, expected: str) -> None:
    sequence = _list(text, "a")
    assert apply(text, edit.remove_item(text, sequence, sequence.items[nth])) == expected


QUOTED = {
    "a b": "a b",
    "it's": "it's",
    'say "hi"': 'say "hi"',
    "a: b": '"a: b"',
    "a #b": '"a #b"',
    "a#b": "a#b",
    "*": '"*"',
    "mcp*": "mcp*",
    "- a": '"- a"',
    "": '""',
    " a": '" a"',
    "'a'": "\"'a'\"",
    '"a"': "'\"a\"'",
    "a\nb": '"a\\nb"',
    '\\d: "x"': "'\\d: \"x\"'",
    "yes": "yes",
    "null": '"null"',
    "~": '"~"',
    "nullable": "nullable",
    "a, b": "a, b",
    "[a": '"[a"',
    "\x07": '"\\x07"',
    "🚀 é": "🚀 é",
    "\u2028": '"\\u2028"',
    "\ufeff": '"\\ufeff"',
    "\ud800": '"\ufffd"',
}


@pytest.mark.parametrize(("value", "expected"), QUOTED.items())
def test_quote_adds_quotes_only_if_needed(value: str, expected: str) -> None:
    assert edit.quote(value) == expected


TEXTS = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="ab:-# \n\t[]{},\"'&*!|>%@?\\\r\ufeff\x85\x00.~<=", max_size=8),
)


@settings(deadline=None, max_examples=examples(300))
@given(TEXTS)
def test_quoted_values_read_back(value: str) -> None:
    """In a block, between brackets and as a key; a lone surrogate becomes U+FFFD."""
    clean = "".join(
        "\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value
    )
    block = _root(f"a: b\nk: {edit.quote(value)}\nc:\n  - {edit.quote(value)}\n")
    flow = _root(f"k: [a, {edit.quote(value, flow=True)}, {{b: {edit.quote(value, flow=True)}}}]")
    key = _root(f"a: b\n{quote_key(value)}: c")
    assert [entry.name for entry in key.entries] == ["a", clean]
    assert [_texts(root) for root in (block, flow)] == [
        ["a", "b", "k", clean, "c", clean],
        ["k", "a", clean, "b", clean],
    ]


def _texts(root: Node) -> list[str]:
    return [node.value for node in walk(root) if isinstance(node, Scalar)]


@settings(deadline=None, max_examples=examples(200))
@given(st.sampled_from(HEADERS), st.booleans(), st.data())
def test_an_edit_of_an_entry_leaves_the_others_alone(
    header: str, windows: bool, data: st.DataObject
) -> None:
    """In a whole file with any line ends: the values, and the bytes outside of the entry."""
    body = "---\n# Title\n"
    text = f"---\n{header}{body}"
    text = text.replace("\n", "\r\n") if windows else text
    start = text.index("\n") + 1
    inner = text[start : text.rindex("---")]
    root = parse(inner, start).root
    assert isinstance(root, Mapping)
    nth = data.draw(st.integers(0, len(root.entries) - 1))
    name = root.entries[nth].name
    edits = data.draw(st.sampled_from(_verbs(text, root, root.entries[nth])))
    changed = apply(text, edits)
    again = parse(changed[start : changed.rindex("---")], start)
    assert again.problem is None or name == "base"
    assert isinstance(again.root, Mapping)
    others = [
        (entry.name, outline(entry.value).replace("!", ""))
        for entry in root.entries
        if entry.name != name
    ]
    found = [(entry.name, outline(entry.value).replace("!", "")) for entry in again.root.entries]
    assert [other for other in others if other not in found] == []
    behind = root.entries[nth + 1].span.start if nth + 1 < len(root.entries) else text.rindex("---")
    assert changed.startswith(text[: root.entries[nth].span.start])
    assert changed.endswith(text[behind:])
    assert not windows or changed.count("\n") == changed.count("\r\n")


def _verbs(text: str, root: Mapping, entry: Entry) -> list[edit.Edits]:
    lists = [entry.value] if isinstance(entry.value, Sequence) else []
    return [
        edit.replace_value(text, entry, "n: v"),
        edit.replace_value(text, entry, ("n", "v: w")),
        edit.rename_key(entry, "n v"),
        edit.insert_entry(text, root, "n", "v", after=entry.name),
        edit.remove_entry(text, entry),
        edit.append_item(text, entry, "n"),
        *(edit.remove_item(text, found, item) for found in lists for item in found.items),
    ]


@settings(deadline=None, max_examples=examples(300))
@given(damaged(), st.integers(0, 3))
def test_no_tree_is_too_broken_for_an_edit(text: str, start: int) -> None:
    """The edits are in bounds and can be applied."""
    tree = parse(text[start:], start)
    for node in walk(tree.root):
        edits: list[edit.Edits] = []
        if isinstance(node, Mapping):
            edits += [edit.insert_entry(text, node, "n", "v", after) for after in (None, "model")]
            edits += [verb for entry in node.entries for verb in _verbs(text, node, entry)]
        if isinstance(node, Sequence):
            edits += [edit.append_item(text, node, "n")]
            edits += [edit.remove_item(text, node, item) for item in node.items]
        for verb in edits:
            assert all(0 <= found.span.start <= found.span.end <= len(text) for found in verb)
            apply(text, verb)
