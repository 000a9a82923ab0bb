"""Error recovery: the valid parts of half-typed headers are read as if nothing were wrong."""

import pytest
from hypothesis import given, settings

from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node
from agent_lsp.syntax.yaml import parse
from tests.effort import examples
from tests.recorded import each
from tests.syntax.headers import HEADERS, cuts, damaged
from tests.syntax.outline import check, outline, walk

HALF_TYPED = {
    # Keys without their colon.
    "a word between keys": ("description: x\nmod\nmodel: y", "description=x mod=? model=y"),
    "a word at the end": ("description: x\nmod", "description=x mod=?"),
    "a word first": ("mod\ndescription: x", "mod=? description=x"),
    "several words": ("a b\nc: d\ne", "a b=? c=d e=?"),
    "a colon without blank": ("model:gpt\nname: x", "model:gpt=? name=x"),
    "a word in quotes": ('name: x\n"mod"\na: y', 'name=x "mod"=? a=y'),
    "a word over a list": ("a: 1\nallow_list\n  - x\n  - y\nb: 2", "a=1 allow_list=? b=2"),
    "a word over a list at its indent": ("a: 1\nallow_list\n- x\nb: 2", "a=1 allow_list=? b=2"),
    "a word over personas": ("agent_names\n  - name: x\n    model: y\na: 1", "agent_names=? a=1"),
    "a word in a persona": (
        "agent_names:\n  - name: x\n    mod\n    description: d\na: 1",
        "agent_names=[{name=x mod=? description=d}] a=1",
    ),
    "a word at a persona's end": (
        "agent_names:\n  - name: x\n    mod\n  - name: y\na: 1",
        "agent_names=[{name=x mod=?}, {name=y}] a=1",
    ),
    # Invalid values.
    "a colon in a text": (
        "description: Use this: when x\ntools: [a]",
        "description=Broken(Use this: when x) tools=[a]",
    ),
    "a colon in a second line": (
        "description: Use\n  this: when\nmodel: x",
        "description=Broken(Use\n  this: when) model=x",
    ),
    "a comment behind it": ("a: b: c # d\ne: f", "a=Broken(b: c) e=f"),
    "an at sign": ("model: @x\nname: y", "model=Broken(@x) name=y"),
    "a backtick": ("description: `x` y\nname: y", "description=Broken(`x` y) name=y"),
    "a percent sign": ("model: %x\nname: y", "model=Broken(%x) name=y"),
    "a star": ("model: *\nname: y", "model=Broken(*) name=y"),
    "a text behind quotes": ('a: "b" c\nd: e', 'a=Broken("b" c) d=e'),
    "an unknown escape": ('a: "\\p"\nd: e', 'a=Broken("\\p") d=e'),
    "a bad block header": ("a: |x\n  text\nb: c", "a=Broken(|x\n  text) b=c"),
    "an item behind a colon": ("a: - b\nc: d", "a=Broken(- b) c=d"),
    "a control character": ("a: b\x01c\nd: e", "a=Broken(b\x01c) d=e"),
    "a tag with its value": ("a: !!str b: c\nd: e", "a=Broken(!!str b: c) d=e"),
    "half an anchor": ("a: & # x\nb: @\nc: d", "a=Broken(&) b=Broken(@) c=d"),
    "half an anchor as item": ("a:\n  - &\n  - b\nc: d", "a=[Broken(&), b] c=d"),
    # Quotes.
    "an open quote": ('description: "Use this\nmodel: x', 'description="Use this" model=x'),
    "an open single quote": ("description: 'Use\nmodel: x", "description='Use' model=x"),
    "an open quote before another": (
        'description: "half\nmodel: \'x\'\nname: "foo"',
        'description="half" model=\'x\' name="foo"',
    ),
    "an open quote over two lines": ('a: "b\n  c\nd: e', 'a="b c" d=e'),
    "only a quote": ('a: "\nd: e', 'a="" d=e'),
    "an open quote as item": ('a:\n  - "b\n  - c\nd: e', 'a=["b", c] d=e'),
    "text in quotes at the indent of its key": (
        'a: "b\nc"\nd: @\ne: f',
        'a="b c" d=Broken(@) e=f',
    ),
    # Flow lists and mappings.
    "an open list": ("tools: [Read, Wr\nmodel: x", "tools=[Read, Wr] model=x"),
    "an open list with a comma": ("tools: [Read, \nmodel: x", "tools=[Read] model=x"),
    "an open list, empty": ("tools: [\nmodel: x", "tools=[] model=x"),
    "an open list in lines": ("tools: [\n  Read,\n  Wr\nmodel: x", "tools=[Read, Wr] model=x"),
    "an open list with a comment": ("a: [b, c # d\ne: f", "a=[b, c] e=f"),
    "an open list at the indent of its key": ("a: [b,\nc,\nd: e", "a=[b, c] d=e"),
    "a closed list at the indent of its key": (
        "a: [b,\nc\n]\nd: @\ne: f",
        "a=[b, c] d=Broken(@) e=f",
    ),
    "an open list before a word": ("a: [b\nmod\nd: e", "a=[b] mod=? d=e"),
    "a text that ends as a list does": ("a: b [\nmod\nd: e", "a=b [ mod=? d=e"),
    "an open quote in a list": ('a: [b, "c, d]\ne: f', 'a=[b, "c", d] e=f'),
    "an open quote in lines": ('a: [\n  "b,\n  c\n]\ne: f', 'a=["b", c] e=f'),
    "an open quote and an open list": ('a: [b, "c\ne: f', 'a=[b, "c"] e=f'),
    "a star as item": ("a: [b, *, c*]\ne: f", "a=[b, Broken(*), c*] e=f"),
    "two bad items": ("a: [@b, c, `d`]\ne: f", "a=[Broken(@b), c, Broken(`d`)] e=f"),
    "a bad item and no end": ("a: [b, @c\ne: f", "a=[b, Broken(@c)] e=f"),
    "a list in a list": ("a: [b, [c, @d], e]\nf: g", "a=[b, [c, Broken(@d)], e] f=g"),
    "a text behind a list": ("a: [b] c\nd: e", "a=[b] d=e"),
    "the wrong bracket": ("a: [b, c}\nd: e", "a=[b, c] d=e"),
    "an open mapping": ("a: {b: c, d\ne: f", "a={b=c d=<>} e=f"),
    "a bad value in a mapping": ("a: {b: @c, d: e}\nf: g", "a={b=Broken(@c) d=e} f=g"),
    "a bad key in a mapping": ("a: {@b, d: e}\nf: g", "a={Broken(@b)=? d=e} f=g"),
    "no value in a mapping": ("a: {@b: , d: e}\nf: g", "a={Broken(@b)=<> d=e} f=g"),
    "personas in braces": ("a: [{n: x, m: }, {n: @}]\nf: g", "a=[{n=x m=<>}, {n=Broken(@)}] f=g"),
    "a header in braces": ("{a: b, c: [d, @e", "a=b c=[d, Broken(@e)]"),
    "a comment in a bad list": ("a: [ # x\n  b, # y, z\n  @c]\nf: g", "a=[b, Broken(@c)] f=g"),
    "a quote inside a word": ("a: [don't, @b]\nf: g", "a=[don't, Broken(@b)] f=g"),
    # Block lists.
    "a star among items": ("a:\n  - b\n  - *\n  - c\nd: e", "a=[b, Broken(*), c] d=e"),
    "a word among items": ("a:\n  - b\n  wai\n  - c\nd: e", "a=[b, Broken(wai), c] d=e"),
    "a dash without blank": ("a:\n  - b\n  -c\nd: e", "a=[b, Broken(-c)] d=e"),
    "a word before personas": (
        "a:\n  nam\n  - name: x\n  - name: y\ne: f",
        "a=[Broken(nam), {name=x}, {name=y}] e=f",
    ),
    "a dash only": ("a:\n  - b\n  -\n  - *\nd: e", "a=[b, <>, Broken(*)] d=e"),
    "items at the indent of their key": ("a:\n- b\n- *\n- c\nd: e", "a=[b, Broken(*), c] d=e"),
    "items that are lists": ("a:\n  - - b\n    - *\n  - c\nd: e", "a=[[b, Broken(*)], c] d=e"),
    "an open list as item": ("a:\n  - [b, c\n  - d\ne: f", "a=[[b, c], d] e=f"),
    "items below a value": ("a: b\n- c\nd: e", "a=b [c]=? d=e"),
    "two items below a value": ("a: b\n- c\n- *\nd: e", "a=b [c, Broken(*)]=? d=e"),
    "broken items below a value": ("a: b\n- *\nd: e", "a=b [Broken(*)]=? d=e"),
    "items less indented than the first": ("a:\n    - b\n  - c\nd: e", "a=[b, c] d=e"),
    "a colon in an item": (
        "a:\n  - name: x: y\n    model: z\n  - name: w\nb: c",
        "a=[{name=Broken(x: y) model=z}, {name=w}] b=c",
    ),
    "an item with a tag": ("a:\n  - !t\n    b: @\n  - c\nd: e", "a=[{b=Broken(@)}, c] d=e"),
    "a dash on the first line": ("-\nmodel: x\nname: y", "[<>]=? model=x name=y"),
    # Indent.
    "a key too far left": ("a:\n    - b\n  c:\n    - d\ne: f", "a=[b] c=[d] e=f"),
    "a key too far right": ("a: b\n c: d\ne: f", "a=Broken(b\n c: d) e=f"),
    "a tab before a key": ("\tmodel: x\nname: y", "model=x name=y"),
    "tabs before items": ("a:\n\t- b\n\t- c\nd: e", "a=[b, c] d=e"),
    "a tab in a nested key": ("a:\n  - n: x\n\tm: y\nb: c", "a=[{n=Broken(x\n\tm: y)}] b=c"),
    "items whose key is gone": ("a: 'b'\n\n  - c\n  - d\ne: f", "a='b' [c, d]=? e=f"),
    "personas whose key is gone": (
        'a: "b"\n\n  - name: x\n    model: y\ne: f',
        'a="b" [{name=x model=y}]=? e=f',
    ),
    "nested keys whose key is gone": ("a: 'b'\n\n  c: d\ne: f", "a='b' c=d e=f"),
    # Anchors, tags, documents.
    "an alias of another piece": ("a: &x b\nc: @\nd: *x", "a=b c=Broken(@) d=*x"),
    "an alias of nothing": ("a: *x\nc: @", "a=*x! c=Broken(@)"),
    "a nested broken value with properties": ("a: &x\n  - *\n  - b\nc: d", "a=[Broken(*), b] c=d"),
    "a document marker": ("---\na: b\nc: @", "a=b c=Broken(@)"),
    "a comment first": ("# x\n\na: b\nc: @", "a=b c=Broken(@)"),
    "a directive": ("%YAML 1.2\na: b\nc: d", "a=b c=d"),
    "a key with a bad name": ("@a: b\nc: d", "Broken(@a)=b c=d"),
    "a list under a bad name": ("@a: [b]\nc: d", "Broken(@a)=[b] c=d"),
    "a block under a bad name": ("@a:\n  - b\nc: d", "Broken(@a)=[b] c=d"),
    "a bad value under a bad name": ("@a: b: c\nc: d", "Broken(@a)=Broken(b: c) c=d"),
    "a key that is an alias": ("*x : b\nc: @", "*x!=b c=Broken(@)"),
    "nothing that can be read": ("@\n`", "Broken(@\n`)"),
    "line ends of Windows": ("a: b\r\nmod\r\nc: [d, e\r\nf: g\r\n", "a=b mod=? c=[d, e] f=g"),
    "line ends that only YAML knows": (
        "a: b: c\u2028d: e\x85f: @",
        "a=Broken(b: c) d=e f=Broken(@)",
    ),
}


@each(HALF_TYPED.items(), called=lambda case: case[0])
def test_half_typed_text_reads_as(case: tuple[str, tuple[str, str]]) -> None:
    _, (text, expected) = case
    tree = parse(text)
    assert outline(tree.root) == expected
    assert tree.problem is not None
    check(tree, text)


DAMAGE = {
    "a word": ("a: b\nmod\nc: d", [("could not find expected ':'", "mod")]),
    "a word with blanks": ("a: b\nmod x # y\nc: d", [("could not find expected ':'", "mod")]),
    "a colon": ("a: b: c\nd: e: f", [("mapping values are not allowed in this context", ":")] * 2),
    "an open list": ("a: [b\nc: d", [("did not find expected ',' or ']'", "[")]),
    "an open quote": ("a: 'b\nc: d", [("found unexpected end of stream", "'")]),
    "an open quote in a list": ('a: [b, "c]\nd: e', [("found unexpected end of stream", '"')]),
    "a star as item": (
        "a: [b, *, c]\nd: e",
        [("did not find expected alphabetic or numeric character", "*")],
    ),
    "a text behind a list": ("a: [b] c\nd: e", [("did not find expected key", "c")]),
    "a word among items": (
        "a:\n  - b\n  wai\nc: d",
        [("did not find expected '-' indicator", "wai")],
    ),
    "items without key": ("a: b\n- c\nd: e", [("did not find expected key", "-")]),
    "a tab": ("\ta: b\nc: d", [("found character that cannot start any token", "\t")]),
    "a key too far left": ("a:\n    - b\n  c: d\ne: f", [("did not find expected key", "c")]),
    "two control characters": (
        "a: \x01\nb: \x02",
        [
            ("control characters are not allowed", "\x01"),
            ("control characters are not allowed", "\x02"),
        ],
    ),
    "an unknown alias beside it": (
        "a: *x\nb: @",
        [("found character that cannot start any token", "@")],
    ),
    "an unknown alias alone": ("a: *x", []),
}


@pytest.mark.parametrize(("text", "expected"), DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_reported_at_its_place(text: str, expected: list[tuple[str, str]]) -> None:
    found = parse(text, 4).damage
    assert [(problem.message, problem.span.shift(-4).of(text)) for problem in found] == expected


@pytest.mark.parametrize("header", HEADERS, ids=["plain", "personas", "mixed"])
def test_a_cut_line_does_not_affect_other_keys(header: str) -> None:
    """Every entry except that with the cut has the same node, moved by the length of the cut."""
    before = parse(header).root
    assert isinstance(before, Mapping)
    unsound = 0
    for text, at, gone in cuts(header):
        tree = parse(text)
        if tree.problem is None:
            continue
        unsound += 1
        assert isinstance(tree.root, Mapping)
        whole = [_moved(entry, 0) for entry in before.entries if entry.span.end < at]
        whole += [_moved(entry, gone) for entry in before.entries if entry.span.start > at + gone]
        found = [_moved(entry, 0) for entry in tree.root.entries]
        assert [entry for entry in whole if entry not in found] == [], text
    assert unsound > 50


def _moved(entry: Entry, by: int) -> list[tuple[str, int, int, str]]:
    """The nodes of `entry` without the targets of aliases, because the cut may be in an anchor."""
    nodes: list[Node] = [*walk(entry.key), *walk(entry.value)]
    return [
        (
            type(node).__name__,
            node.span.start - by,
            node.span.end - by,
            outline(node).replace("!", ""),
        )
        for node in nodes
    ]


@settings(deadline=None, max_examples=examples(300))
@given(damaged())
def test_broken_text_is_reported(text: str) -> None:
    """A tree with broken text or a key without colon has damage, and one with damage is invalid."""
    tree = parse(text)
    broken = any(isinstance(node, Broken) for node in walk(tree.root))
    words = any(
        entry.value is None
        for node in walk(tree.root)
        if isinstance(node, Mapping)
        for entry in node.entries
    )
    if broken or words:
        assert tree.damage
    if tree.damage:
        assert tree.problem is not None


@pytest.mark.hostile
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"key{nth}: @{nth}" for nth in range(4_000)),
        "\n".join(f"key{nth}: [a, {nth}" for nth in range(4_000)),
        "\n".join(f'key{nth}: "a, {nth}' for nth in range(4_000)),
        "a: [" + ", ".join(f"@{nth}" for nth in range(4_000)) + "]",
        "a:\n" + "\n".join(f"  - @{nth}" for nth in range(4_000)),
        "\n".join(" " * level + "a:" for level in range(60)) + "\n" + (" " * 60 + "b: @\n") * 2_000,
        "\n".join(" " * (nth if nth % 2 else 600 - nth) + f"k{nth}: @" for nth in range(600)),
        "a: b: " + " " * 200_000 + "c",
        "a: " + '"' * 200_001,
        "\t" * 200_000 + "a: b\nc",
    ],
    ids=["values", "lists", "quotes", "flow", "items", "deep", "stairs", "blanks", "quote", "tabs"],
)
def test_much_damage_is_read_to_the_end(text: str) -> None:
    tree = parse(text)
    assert tree.damage
    check(tree, text)
