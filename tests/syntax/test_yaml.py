"""A valid header has the nodes of libyaml, and libyaml decides which headers are valid."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml as pyyaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_lsp.syntax.nodes import Alias, Broken, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.yaml import parse
from agent_lsp.syntax.yaml.libyaml import MAX_DEPTH
from agent_lsp.text import Span
from tests.effort import examples
from tests.recorded import each
from tests.syntax.headers import HEADERS, damaged
from tests.syntax.outline import check, outline, walk
from tests.systems import dialect_by_id

CONFORMANCE = Path(__file__).parent.parent / "conformance"

SOUND = {
    "nothing": ("", "nothing"),
    "only a comment": ("# x\n\n", "nothing"),
    "a word": ("mod", "mod"),
    "a list": ("- a\n- b", "[a, b]"),
    "styles": (
        "a: b\nc: 'd'\ne: \"f\"\ng: |\n  h\ni: >-\n  j\n  k",
        "a=b c='d' e=\"f\" g=|'h\\n' i=>'j k'",
    ),
    "comments": ("# x\na: b # c\n# d\ne: f#g", "a=b e=f#g"),
    "absent values": ("a:\nb: # c\nc:\n  - \n  - d\n  -", "a=<> b=<> c=[<>, d, <>]"),
    "texts that others take for values": (
        "a: yes\nb: ~\nc: 0x1\nd: 2024-01-01",
        "a=yes b=~ c=0x1 d=2024-01-01",
    ),
    "block in block": ("a:\n  - b: c\n    d:\n    - e\n  - - f", "a=[{b=c d=[e]}, [f]]"),
    "items at the indent of their key": ("a:\n- b\n- c\nd: e", "a=[b, c] d=e"),
    "flow": (
        "a: [b, {c: d}, [e], f: g, ]\nh: {i, j: , k: l}",
        "a=[b, {c=d}, [e], {f=g}] h={i=<> j=<> k=l}",
    ),
    "flow at the indent of its key": ("a: [b,\nc\n]\nd: e", "a=[b, c] d=e"),
    "a key twice": ("a: b\na: c", "a=b a=c"),
    "keys that are no plain text": ("'a': b\n[c]: d\n? e\n? f\n: g", "'a'=b [c]=d e=<> f=g"),
    "tags": (
        "a: !!str b\nc: !d\ne: !!seq [f]",
        "a=<tag:yaml.org,2002:str>b c=<!d> e=[f]",
    ),
    "anchors": ("a: &x b\nc: *x\nd: &x e\nf: *x", "a=b c=*x d=e f=*x"),
    "an alias in its own anchor": ("a: &x [*x]", "a=[*x!]"),
    "merge keys are keys": ("a: &x {b: c}\nd:\n  <<: *x", "a={b=c} d={<<=*x}"),
    "a document marker": ("---\na: b", "a=b"),
    "line ends of Windows": ("a: b\r\nc: |\r\n  d\r\n  e\r\n", "a=b c=|'d\\ne\\n'"),
    "line ends of old": ("a: b\rc: d", "a=b c=d"),
    "line ends that only YAML knows": ("a: b\x85c: d\u2028e: f", "a=b c=d e=f"),
    "a lone surrogate": ("a: b\ud800c", "a=b\ufffdc"),
    "a byte-order mark": ("\ufeffa: b", "a=b"),
    "a dash that is text": ("a:\n  -b", "a=-b"),
}


@pytest.mark.parametrize(("text", "expected"), SOUND.values(), ids=SOUND.keys())
def test_a_valid_text_reads_as(text: str, expected: str) -> None:
    tree = parse(text)
    assert (outline(tree.root), tree.problem, tree.damage) == (expected, None, ())
    check(tree, text)


SPANS = {
    "values": ("a: b # c", ["a", "b"]),
    "absent values": ("a:   # c\nb:", ["a", "", "b", ""]),
    "quotes": ("a: 'b' \nc: \"d\"", ["a", "'b'", "c", '"d"']),
    "properties": ("a: &x !!str b\nc: *x", ["a", "&x !!str b", "c", "*x"]),
    "a value with a tag only": ("a: !b", ["a", "!b"]),
    "lines of plain text": ("a: b\n  c  \n\nd: e", ["a", "b\n  c", "d", "e"]),
    "block texts": ("a: |\n  b\n\n# c\nd: >+ # x\n  e\n\n", ["a", "|\n  b", "d", ">+ # x\n  e"]),
    "an empty block text": ("a: |\n\nb: c", ["a", "|", "b", "c"]),
    "a block list": ("a:\n  - b\n  - c # d\n\ne: f", ["a", "- b\n  - c", "b", "c", "e", "f"]),
    "a nested block": ("- a: b\n  c:\n- d", ["a: b\n  c:", "a", "b", "c", "", "d"]),
    "flow": ("a: [b, c ] # d", ["a", "[b, c ]", "b", "c"]),
    "a pair in a list": ("[a: b , c]", ["a: b", "a", "b", "c"]),
    "keys without colon": ("? a # c\n? b", ["a", "", "b", ""]),
    "characters of two units": ("🚀: é🚀 # x\nb: 'c'", ["🚀", "é🚀", "b", "'c'"]),
    "line ends of Windows": (
        "a:\r\n- b\r\n- 'c'\r\nd: |\r\n  e\r\n\r\n",
        ["a", "- b\r\n- 'c'", "b", "'c'", "d", "|\r\n  e"],
    ),
    "a CR before CRLF": ("a: b\r\r\nc: d", ["a", "b", "c", "d"]),
    "a byte-order mark": ("\ufeffa: b", ["a", "b"]),
    "two byte-order marks": ("\ufeff\ufeffa: b", ["a", "b"]),
}


@pytest.mark.parametrize(("text", "expected"), SPANS.values(), ids=SPANS.keys())
def test_spans_cover(text: str, expected: list[str]) -> None:
    """The text in the spans of the nodes, in order, without the outermost."""
    tree = parse(text, 7)
    _, *nodes = walk(tree.root)
    assert [node.span.shift(-7).of(text) for node in nodes] == expected
    check(tree, text, 7)


def test_a_missing_value_is_right_after_its_colon() -> None:
    tree = parse("a:   \n\nb:\n")
    assert isinstance(tree.root, Mapping)
    assert [entry.value and entry.value.span for entry in tree.root.entries] == [
        Span(2, 2),
        Span(9, 9),
    ]


def test_a_scalar_keeps_its_style_and_tag() -> None:
    tree = parse("!t |\n  a\n")
    assert tree.root == Scalar(Span(0, 8), "a\n", Style.LITERAL, "!t")


def test_an_alias_has_its_own_span_and_its_target() -> None:
    tree = parse("a: &x [b]\nc: *x")
    assert isinstance(tree.root, Mapping)
    anchored, alias = (entry.value for entry in tree.root.entries)
    assert alias == Alias(Span(13, 15), "x", anchored)


PROBLEMS = {
    "a colon": ("a: b: c", "mapping values are not allowed in this context", ":", None, None),
    "a word": (
        "a: b\nmod\nc: d",
        "could not find expected ':'",
        "c",
        "while scanning a simple key",
        "mod",
    ),
    "a word at the end": (
        "a: b\nmod",
        "could not find expected ':'",
        "",
        "while scanning a simple key",
        "mod",
    ),
    "a list": (
        "a: [b, c\nd: e",
        "did not find expected ',' or ']'",
        ":",
        "while parsing a flow sequence",
        "[",
    ),
    "a quote": (
        'a: "b',
        "found unexpected end of stream",
        "",
        "while scanning a quoted scalar",
        '"',
    ),
    "a star": (
        "a:\n  - *",
        "did not find expected alphabetic or numeric character",
        "",
        "while scanning an alias",
        "*",
    ),
    "an at sign": (
        "é: @b",
        "found character that cannot start any token",
        "@",
        "while scanning for the next token",
        "@",
    ),
    "a tab": (
        "a:\n\tb: c",
        "found character that cannot start any token",
        "\t",
        "while scanning for the next token",
        "\t",
    ),
    "an item": (
        "a: b\n- c",
        "did not find expected key",
        "-",
        "while parsing a block mapping",
        "a",
    ),
    "an unknown anchor": ("a: *b", "unknown anchor", "*b", None, None),
    "an unknown anchor before a worse fault": ("a: *b\nc: @", "unknown anchor", "*b", None, None),
    "a fault before an unknown anchor": (
        "a: @\nc: *b",
        "found character that cannot start any token",
        "@",
        "while scanning for the next token",
        "@",
    ),
    "a control character": (
        "é🚀: b\x07c",
        "control characters are not allowed",
        "\x07",
        None,
        None,
    ),
    "a control character behind a byte-order mark": (
        "\ufeffé: \x07",
        "control characters are not allowed",
        "\x07",
        None,
        None,
    ),
    "half a directive": (
        "%YAML 1.2\na: b",
        "did not find expected <document start>",
        "a",
        None,
        None,
    ),
}


@pytest.mark.parametrize(
    ("text", "message", "at", "context", "begun"), PROBLEMS.values(), ids=PROBLEMS.keys()
)
def test_a_problem_has_the_words_and_the_place_of_libyaml(
    text: str, message: str, at: str, context: str | None, begun: str | None
) -> None:
    problem = parse(text, 3).problem
    assert problem is not None
    assert (problem.message, problem.context) == (message, context)
    assert problem.span.shift(-3).of(text) == at
    assert (problem.context_span and problem.context_span.shift(-3).of(text)) == begun


RESTS = {
    "a second document": ("a: b\n--- c", "a=b", "--- c"),
    "text behind an end": ("a: b\n...\n\nc: @", "a=b", "c: @"),
    "text behind a value": ("'a' b", "'a'", "b"),
    "keys less indented than the first": ("  a: b\nc: d", "a=b", "c: d"),
    "an end and nothing": ("a: b\n...\n", "a=b", None),
    "an end and a comment": ("a: b\n... # c\n", "a=b", None),
    "an end in an unsound text": ("a: @\n...\nc: d", "a=Broken(@)", "c: d"),
    "a second document in an unsound text": ("a: @\n---\nc: d", "a=Broken(@)", "---\nc: d"),
}


@pytest.mark.parametrize(("text", "root", "rest"), RESTS.values(), ids=RESTS.keys())
def test_text_after_the_first_document_is_the_rest(text: str, root: str, rest: str | None) -> None:
    tree = parse(text, 5)
    assert outline(tree.root) == root
    assert (tree.rest and tree.rest.shift(-5).of(text)) == rest
    assert (tree.problem is None) == ("@" not in root)
    check(tree, text, 5)


@pytest.mark.hostile
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a: " + "[" * 100_000 + "\nb: c",
        "{" * 100_000,
        "[{a: " * 20_000,
        "- " * 100_000,
        "- " * 100_000 + "@",
        "\n".join(" " * level + "a:" for level in range(2000)) + " @",
        "a: " + "[" * 900 + "]" * 900 + "\nb: @",
    ],
    ids=["lists", "value", "mappings", "both", "items", "bad items", "keys", "closed"],
)
def test_unbounded_nesting_is_read_in_time_and_can_be_walked(text: str) -> None:
    tree = parse(text)
    check(tree, text)
    assert repr(tree)


def test_many_brackets_that_are_not_nested_are_valid() -> None:
    tree = parse("a: [" + "[], " * 2000 + "]")
    assert tree.problem is None


def test_pyyaml_without_libyaml_is_an_error_that_says_what_to_do() -> None:
    script = "import yaml; yaml.__with_libyaml__ = False; import agent_lsp.syntax.yaml"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert "ImportError: this PyYAML lacks libyaml" in run.stderr
    assert "install a PyYAML wheel" in run.stderr


def test_no_node_is_deeper_than_the_limit() -> None:
    deep = parse("[" * (MAX_DEPTH + 3) + "a" + "]" * (MAX_DEPTH + 3))
    assert deep.problem is None
    assert [node.text for node in walk(deep.root) if isinstance(node, Broken)] == ["[[[a]]]"]
    assert not any(
        isinstance(node, Broken) for node in walk(parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).root)
    )


def test_aliases_of_aliases_are_neither_copied_nor_deeper_than_the_limit() -> None:
    bomb = "".join(
        f"a{nth}: &a{nth} [{', '.join([f'*a{nth - 1}'] * 9)}]\n" for nth in range(1, 500)
    )
    tree = parse("a0: &a0 x\n" + bomb)
    assert tree.problem is None
    # Only the number is compared, because the text of the tree would have no end.
    depth = _depth(tree.root, {})
    assert 10 < depth <= MAX_DEPTH


def _depth(node: Node | None, known: dict[int, int]) -> int:
    """The depth of `node`, through its aliases; without a limit, the recursion would fail."""
    if node is None or isinstance(node, Scalar | Broken):
        return 0
    if id(node) not in known:
        inner = [node.target] if isinstance(node, Alias) else [*walk(node)][1:]
        deepest = max((_depth(child, known) for child in inner), default=0)
        known[id(node)] = deepest + (not isinstance(node, Alias))
    return known[id(node)]


@pytest.mark.hostile
def test_an_error_in_a_header_of_a_megabyte_damages_one_entry() -> None:
    lines = [f"key{nth}: value {nth}" for nth in range(50_000)]
    lines[25_000] = "key: a: b"
    tree = parse("\n".join(lines))
    assert isinstance(tree.root, Mapping)
    assert len(tree.root.entries) == 50_000
    assert len(tree.damage) == 1


@settings(deadline=None, max_examples=examples(300))
@given(damaged(), st.integers(0, 9))
def test_any_text_gives_a_tree_in_bounds(text: str, start: int) -> None:
    check(parse(text, start), text, start)


@settings(deadline=None, max_examples=examples(100))
@given(st.text(alphabet="ab:-# \n\t[]{},\"'&*!|>%@?\r\ufeff\x85\x00.", max_size=60))
@example("-\t")
@example("a:\n  - \t\n  - b")
def test_noise_gives_a_tree_in_bounds(text: str) -> None:
    check(parse(text), text)


@settings(deadline=None, max_examples=examples(300))
@given(damaged())
def test_a_valid_tree_has_the_values_of_libyaml(text: str) -> None:
    tree = parse(text)
    if tree.problem is None and tree.rest is None:
        clean = text.replace("\r\n", "\n").replace("\ud800", "\ufffd")
        assert _values(tree.root) == _composed(pyyaml.compose(clean, Loader=pyyaml.CSafeLoader))


@settings(deadline=None, max_examples=examples(300))
@given(damaged())
def test_the_text_of_a_valid_scalar_reads_back_as_its_value(text: str) -> None:
    tree = parse(text)
    if tree.problem is not None:
        return
    for node in walk(tree.root):
        if not isinstance(node, Scalar) or not len(node.span):
            continue
        written = node.span.of(text)
        if node.style is Style.PLAIN and written.endswith(":"):
            # As a key such a text is valid; by itself it is a key without a value.
            continue
        if node.style in (Style.LITERAL, Style.FOLDED):
            if any(indent in written.splitlines()[0] for indent in "123456789"):
                continue
            # Blanks after the last line are not part of its span.
            content = node.value.rstrip("\n")
            if not content.rpartition("\n")[2].strip(" \t"):
                continue
            written += "\n" * (len(node.value) - len(content))
        again = parse(f" {written}").root
        assert isinstance(again, Scalar)
        assert (again.value, again.style, again.tag) == (node.value, node.style, node.tag)


def _values(node: Node | None) -> object:
    """The values of a tree; an alias is represented by its name."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [_values(item) for item in node.items]
        case Mapping():
            return [(_values(entry.key), _values(entry.value)) for entry in node.entries]
        case Alias():
            return _values(node.target)
        case _:
            return node


def _composed(node: pyyaml.Node | None, above: tuple[pyyaml.Node, ...] = ()) -> object:
    """The values of a PyYAML node; a node inside of itself has none."""
    if node in above:
        return None
    above = (*above, node) if node else ()
    match node:
        case pyyaml.ScalarNode():
            return node.value
        case pyyaml.SequenceNode():
            return [_composed(item, above) for item in node.value]
        case pyyaml.MappingNode():
            return [(_composed(key, above), _composed(value, above)) for key, value in node.value]
        case _:
            return node


def _cases() -> Iterator[dict[str, object]]:
    for path in sorted(CONFORMANCE.glob("*.jsonl")):
        if path.stem in ("codex-templates", "codex-subagents", "kodacode", "moltis-md"):
            with path.open(encoding="utf-8") as lines:
                yield from (json.loads(line) | {"system": path.stem} for line in lines)


CASES = tuple(_cases())

# The runtime's message about invalid YAML, whatever the keys mean.
SYNTAX = (
    "could not find expected",
    "did not find expected",
    "mapping values are not allowed",
    "block sequence entries are not allowed",
    "found ",
    "control characters",
    "unknown anchor",
)


@each(CASES)
def test_the_verdict_is_that_of_the_runtime(case: dict[str, object]) -> None:
    text, error = str(case["text"]), case["error"]
    tree = parse(text)
    check(tree, text)
    if case["system"] == "kodacode" or "more than one document" in str(error):
        return
    complaint = str(error).partition("agent 'agent': ")[2] or str(error)
    if case["ok"]:
        assert tree.problem is None
        assert tree.rest is None
    elif complaint.startswith(SYNTAX):
        assert tree.problem is not None
        assert complaint.startswith(tree.problem.message)
        if tree.problem.context:
            assert tree.problem.context in complaint


@pytest.mark.parametrize("header", HEADERS)
def test_headers_of_the_tests_are_valid(header: str) -> None:
    assert parse(header).problem is None


# As Gemini CLI 0.61.0 and OpenCode 1.18.33 list them to a model, 2026-11-30.
@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"a \U00110000 b", "a \ufffd\ufffd b"),
        (r"\UFFFFFFFF\U0011FFFF", "\uffff\ufffd\ufffd"),
        (r"\U0010FFFF\U0001F600\U00110000", "\U0010ffff\U0001f600\ufffd\ufffd"),
    ],
)
@pytest.mark.parametrize("system", ["gemini", "opencode"])
def test_js_yaml_takes_a_code_above_the_last_character(
    system: str, written: str, text: str
) -> None:
    dialect = dialect_by_id(system)
    assert dialect is not None
    header = f'---\nname: a\ndescription: "{written}"\n---\nB\n'
    read = dialect.format.read(dialect.parse(header), "a")
    assert read.errors == ()
    assert read.effective.settings["description"].value == text
