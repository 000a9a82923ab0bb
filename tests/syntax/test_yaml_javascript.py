"""What js-yaml and the npm package `yaml` read in another way than libyaml is read as they do."""

from collections.abc import Callable

import pytest

from agent_lsp.dialects.gemini import js_yaml
from agent_lsp.dialects.opencode import header_text
from agent_lsp.dialects.opencode.values import value_of
from agent_lsp.dialects.qwen import reading
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, Tree, path_at
from agent_lsp.syntax.yaml.empty_items import with_next_items
from tests.effort import within

MANY = 100_000
SECONDS = 10
PARSERS = (js_yaml.parse, header_text.parse, reading.parse)


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize(
    "text",
    ["a: [?b, 'c, ?d', x]", "a: {?b: c, x: ?d}", "a: what [?b], ?c", "a: |\n  [?b\n  ,?c\n"],
)
def test_a_question_mark_stays_in_its_text_and_in_its_place(
    parse: Callable[[str, int], Tree], text: str
) -> None:
    tree = parse(text, 7)
    assert tree.problem is None
    for at in (at for at, sign in enumerate(text) if sign == "?"):
        node = path_at(tree.root, 7 + at + 1).node
        assert isinstance(node, Scalar)
        assert "?" in node.value
        assert node.span.start <= 7 + at < node.span.end


@pytest.mark.parametrize("text", ["a: |2\n    -\n  - b\n", "a: >2-\n      -\n\n  - b\nc: x\n"])
def test_dashes_in_a_block_text_are_left_alone(text: str) -> None:
    tree = with_next_items(text, 0, js_yaml.parse)
    assert isinstance(tree.root, Mapping)
    assert tree == header_text.parse(text)
    first = tree.root.entries[0].value
    assert isinstance(first, Scalar)
    assert first.value.split() == ["-", "-", "b"]
    assert first.value.removesuffix("\n").endswith("\n- b")


def test_a_header_with_an_empty_item_and_a_mistake_keeps_the_place_of_the_mistake() -> None:
    text = 'a:\n  -\n- b\nc: "open\n'
    tree = js_yaml.parse(text, 0)
    assert tree.problem is not None
    assert tree.problem.span.start <= len(text)
    assert isinstance(tree.root, Mapping)


def test_items_behind_empty_ones_keep_their_places() -> None:
    text = "a:\n  -\n- - # none\n- b\nc: d\n"
    tree = js_yaml.parse(text, 3)
    assert isinstance(tree.root, Mapping)
    items = tree.root.entries[0].value
    assert isinstance(items, Sequence)
    path = path_at(tree.root, 3 + text.index("d\n"))
    assert isinstance(path.node, Scalar)
    assert path.node.value == "d"


def test_a_question_mark_alone_begins_a_line_of_its_own() -> None:
    # Measured with js-yaml 3.15.2: `a` has no value, and the key of nothing has none either.
    assert value_of(header_text.read("a: ?\nb: c", 0, may_mend=False).root) == {
        "a": None,
        "null": None,
        "b": "c",
    }


@pytest.mark.hostile
@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize(
    "text",
    [
        "a:\n" + "  -\n- b\n" * (MANY // 8),
        "a:\n" + "".join(f"{' ' * (40 - depth)}-\n" for depth in range(40)) * 50,
        "a:\n" + "  - # x\n" * (MANY // 8) + "- b\n",
        "a: [" + "?b, " * (MANY // 4) + "]",
        "a: [" + " " * MANY + "?",
        "a: [" + "? , " * 200 + "]",
        "a: " + "- " * MANY,
        "- " * 60 + "\n" + "- x\n" * 5_000,
        "a: &a {b: c}\n" + "!!merge <<: [" + "*a, " * 2_000 + "]\n",
    ],
    ids=range(9),
)
def test_the_time_for_such_a_header_is_bounded(
    parse: Callable[[str, int], Tree], text: str
) -> None:
    with within(SECONDS):
        parse(text, 0)
