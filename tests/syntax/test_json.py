"""JSON is read with its comments, to nodes at their places, and JSON says what is sound."""

import json as library
from typing import Any

import pytest

from agent_lsp.syntax import json
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence


def value_of(node: Node | None) -> Any:
    match node:
        case Mapping():
            return {entry.name: value_of(entry.value) for entry in node.entries}
        case Sequence():
            return [value_of(item) for item in node.items]
        case Scalar():
            return node.value
    return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": {"b": ["c", "d"]}}', {"a": {"b": ["c", "d"]}}),
        ('{"a":"b"}', {"a": "b"}),
        ('{\n\t"a": [\n\t\t"b",\n\t],\n}', {"a": ["b"]}),
        (
            '{"u": "http://x//y", // z\n "v": "/* no */" /* "w" */}',
            {"u": "http://x//y", "v": "/* no */"},
        ),
        (r'{"a": "\"//b\\", "c": "\/\u00e9"}', {"a": '"//b\\', "c": "/é"}),
        (r'{"a": "\ud83d\ude00", "b": "\\ud83d"}', {"a": "\ufffd\ufffd", "b": "\\ud83d"}),
    ],
)
def test_sound_text_has_its_values(text: str, expected: object) -> None:
    tree = json.parse(text)
    assert tree.problem is None
    assert value_of(tree.root) == expected


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a": "b', "{a: b}", "{'a': 'b'}", '{"a" "b"}', '{"a": b}', '{"a": 1} x', "a: b"],
)
def test_what_is_no_json_is_no_sound_file(text: str) -> None:
    with pytest.raises(library.JSONDecodeError):
        library.loads(text)
    assert json.parse(text).problem is not None


def test_a_node_stands_where_it_is_written() -> None:
    text = '{ // one\n  "a": "b", /* two */\n}'
    root = json.parse(text).root
    assert isinstance(root, Mapping)
    [entry] = root.entries
    assert entry.key.span.of(text) == '"a"'
    assert entry.value is not None
    assert entry.value.span.of(text) == '"b"'


def test_what_is_half_typed_keeps_the_rest() -> None:
    root = json.parse('{"a": {"b": 1}, "c": }').root
    assert isinstance(root, Mapping)
    assert [entry.name for entry in root.entries] == ["a", "c"]


def test_no_depth_and_no_prefix_raises() -> None:
    json.parse("[" * 100_000)
    text = '{"a": ["b", {"c": "\\u00e9"}], "d": true} // e'
    for end in range(len(text)):
        json.parse(text[:end])
