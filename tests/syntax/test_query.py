"""Finding a node by an offset or a span, with its ancestors."""

import pytest

from agent_lsp.syntax import toml, yaml
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    NodePath,
    Scalar,
    Sequence,
    path_at,
    path_to,
)
from agent_lsp.text import Span

TEXT = "a: 1\nb:\n  - {name: x, tags: [p, q]}\n  - two\nempty:\n"
ROOT = yaml.parse(TEXT).root


def shape(path: NodePath[Node | None] | NodePath[Node]) -> list[str]:
    """The kinds of the ancestors; entries are shown by name."""
    return [
        outer.name or "" if isinstance(outer, Entry) else type(outer).__name__
        for outer in path.above
    ]


@pytest.mark.parametrize(
    ("word", "above", "is_key"),
    [
        ("a", ["Mapping", "a"], True),
        ("1", ["Mapping", "a"], False),
        ("name", ["Mapping", "b", "Sequence", "Mapping", "name"], True),
        ("x", ["Mapping", "b", "Sequence", "Mapping", "name"], False),
        ("q", ["Mapping", "b", "Sequence", "Mapping", "tags", "Sequence"], False),
        ("two", ["Mapping", "b", "Sequence"], False),
    ],
)
def test_an_offset_and_a_span_lead_to_the_same_node(
    word: str, above: list[str], is_key: bool
) -> None:
    start = TEXT.index(word)
    at = path_at(ROOT, start)
    to = path_to(ROOT, Span(start, start + len(word)))
    assert isinstance(at.node, Scalar)
    assert (at.node.value, shape(at), at.is_key) == (word, above, is_key)
    assert to == at


def test_an_offset_between_nodes_has_ancestors_and_no_node() -> None:
    path = path_at(ROOT, TEXT.index(", tags") + 1)
    assert path.node is None
    assert shape(path) == ["Mapping", "b", "Sequence", "Mapping"]
    assert isinstance(path.up(1), Mapping)
    assert isinstance(path.up(2), Sequence)
    assert path.up(5) is None


def test_a_span_leads_to_a_collection_and_to_an_empty_value() -> None:
    flow = TEXT.index("[p")
    path = path_to(ROOT, Span(flow, flow + len("[p, q]")))
    assert path is not None
    assert isinstance(path.node, Sequence)
    assert path.entry is not None
    assert path.entry.name == "tags"
    assert path.flow
    end = TEXT.index("empty:") + len("empty:")
    empty = path_to(ROOT, Span(end, end))
    assert empty is not None
    assert empty.entry is not None
    assert empty.entry.name == "empty"
    assert not empty.is_key
    assert not empty.flow


def test_a_span_of_no_node_leads_nowhere() -> None:
    assert path_to(ROOT, Span(0, 3)) is None
    assert path_to(None, Span(0, 1)) is None
    assert path_at(None, 0) == NodePath((), None)


def test_the_entry_the_sequence_and_the_mapping_are_those_around_the_node() -> None:
    item = path_at(ROOT, TEXT.index("q"))
    assert item.entry is None
    assert item.sequence is not None
    assert item.mapping is not None
    assert [entry.name for entry in item.mapping.entries] == ["name", "tags"]


def test_all_tables_are_searched_if_their_parts_alternate() -> None:
    text = "[a.x]\np = 1\n[b]\nq = 2\n[a.y]\nr = 3\n"
    root = toml.parse(text).root
    start = text.index("3")
    path = path_to(root, Span(start, start + 1))
    assert path is not None
    assert shape(path) == ["Mapping", "a", "Mapping", "y", "Mapping", "r"]
    assert path_at(root, text.index("2")).up(1) is not None
