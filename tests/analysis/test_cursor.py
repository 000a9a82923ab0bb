"""Where a cursor is found to stand, in whole, half-typed and broken files."""

from pathlib import Path

import pytest

from agent_lsp.analysis.context.cursor import (
    BodyContext,
    Context,
    FenceContext,
    Framing,
    ItemContext,
    KeyContext,
    MarkerContext,
    ValueContext,
    context_at,
)
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture


def _at(folder: Path, source: str) -> tuple[TemplateFile, Context | None]:
    found = fixture(folder, source)
    file = template_file(found.workspace, found.path)
    assert file is not None
    return file, context_at(file, found.offset)


def _outline(file: TemplateFile, at: Context | None) -> str:
    """A place in one line: its kind, its key, what is typed, and what is special."""
    text = file.document.text
    match at:
        case KeyContext():
            kind, name = "record key" if at.record else "key", ""
            special = [("flow", at.flow), ("colon", at.colon)]
        case ValueContext():
            kind, name = "value", at.key.name if at.key else "unknown"
            special = [("flow", at.flow)]
        case ItemContext():
            kind, name = "item", at.key.name if at.key else "unknown"
            special = [("flow", at.flow)]
        case MarkerContext():
            kind, name = "marker", "whole" if at.whole else ""
            special = []
        case FenceContext():
            return "opening fence" if at.opening else "closing fence"
        case BodyContext():
            return "body"
        case None:
            return "nowhere"
    typed = "inside a text" if at.typed is None else repr(at.typed.of(text))
    if not isinstance(at, MarkerContext):
        special += (
            [(at.frame.name.lower(), at.frame is not Framing.BARE)] if hasattr(at, "frame") else []
        )
        special += [("spaced", at.spaced)]
    return " ".join(filter(None, (kind, name, typed, *(word for word, true in special if true))))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        # Keys.
        ("$0", "key ''"),
        ("mo$0", "key 'mo'"),
        ("mo$0del: x", "key 'model' colon"),
        ('"mo$0": x', "key '\"mo\"' colon"),
        ("model: x\n$0\nread_only: true", "key ''"),
        ("allow_list:\n- wait\n$0", "key ''"),
        # Values.
        ("model: $0", "value model ''"),
        ("model:$0", "value model '' spaced"),
        ("model:\n  g$0", "value model 'g'"),
        ("model: gp$0t-5 # comment", "value model 'gpt-5'"),
        ("model: 'gp$0t-5'", "value model \"'gpt-5'\""),
        ("model: gpt $0", "value model inside a text"),
        ("modle: g$0", "value unknown 'g'"),
        ("modle:\n  a: g$0", "value unknown 'g'"),
        # Text is text, whatever it looks like.
        ("description: what mo$0del: is", "value description inside a text"),
        ("description: |\n  one\n  mo$0", "value description inside a text"),
        ("description: one\n  mo$0", "value description inside a text"),
        ("description: 'a mo$0 b'", "value description \"'a mo b'\""),
        ("model: x # mo$0", "nowhere"),
        ("# mo$0", "nowhere"),
        ("#mo$0", "nowhere"),
        # Items.
        ("allow_list:\n  - $0", "item allow_list ''"),
        ("allow_list:\n  -$0", "item allow_list '' spaced"),
        ("allow_list:\n  - exec$0_command\n", "item allow_list 'exec_command'"),
        ("allow_list:\n  $0", "item allow_list '' dash"),
        ("allow_list:\n  - wait\n  $0", "item allow_list '' dash"),
        ("allow_list:\n  - wait\n  ex$0", "item allow_list 'ex' dash"),
        ("allow_list:\n  - *ag$0", "item allow_list '*ag'"),
        ('allow_list:\n  - "*ag$0', "item allow_list '\"*ag'"),
        ("allow_list: [$0]", "item allow_list '' flow"),
        ("allow_list: [wait,$0]", "item allow_list '' flow spaced"),
        ("allow_list: [wait,\n  ex$0\n  ]", "item allow_list 'ex' flow"),
        ('allow_list: ["ex$0", wait]', "item allow_list '\"ex\"' flow"),
        ("allow_list: $0", "item allow_list '' flow enclosed"),
        ("tools:\n  - $0", "item unknown ''"),
        # Records.
        ("agent_names:\n  - $0", "record key ''"),
        ("agent_names:\n  -$0", "record key '' spaced"),
        ("agent_names:\n  $0", "record key '' dash"),
        ("agent_names: $0", "record key '' below"),
        ("agent_names: [$0]", "record key '' flow enclosed"),
        ("agent_names: [{$0}]", "record key '' flow"),
        ("agent_names:\n  - name: a\n    $0\n  - name: b", "record key ''"),
        ("agent_names:\n  - name: a\n  $0", "record key '' dash"),
        ("agent_names:\n  - name: a\n    mo$0", "record key 'mo'"),
        ("agent_names:\n  - name: a$0", "value name 'a'"),
        ("agent_names: [{name: a, model: $0}]", "value model '' flow"),
        # A key here would take over the lines below it.
        ("agent_names:\n  - name: a\n$0\n    model: b", "nowhere"),
    ],
)
def test_a_place_in_a_header(tmp_path: Path, header: str, expected: str) -> None:
    assert _outline(*_at(tmp_path, f"---\n{header}\n---\nBody.\n")) == expected


@pytest.mark.parametrize(
    ("fault", "header", "expected"),
    [
        ("a colon in a text", "description: a: b\nmo$0", "key 'mo'"),
        ("a colon in a text", "description: a: b\nmodel: $0", "value model ''"),
        (
            "a colon in a text",
            "description: a: b\nallow_list:\n  - wait\n  $0",
            "item allow_list '' dash",
        ),
        ("an unclosed quote", 'description: "a\nallow_list:\n  - $0', "item allow_list ''"),
        (
            "an unclosed quote here",
            'allow_list: [wait, "exec_$0\nmodel: x',
            "item allow_list '\"exec_' flow",
        ),
        (
            "an unclosed quote here",
            'allow_list: ["exec_$0, "wait"]',
            "item allow_list '\"exec_' flow",
        ),
        ("an unclosed bracket", "allow_list: [wait, $0\nmodel: x", "item allow_list '' flow"),
        ("an unclosed bracket", "deny_list: [wait\nmodel: $0", "value model ''"),
        ("an unknown alias", "allow_list: [*a]\nmodel: $0", "value model ''"),
        ("a tab", "allow_list:\n\t- wait\nmodel: $0", "value model ''"),
    ],
)
def test_damage_elsewhere_does_not_matter(
    tmp_path: Path, fault: str, header: str, expected: str
) -> None:
    assert _outline(*_at(tmp_path, f"---\n{header}\n---\nBody.\n")) == expected, fault


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("-$0--\nmodel: x\n---\n", "opening fence"),
        ("---\nmodel: x\n--$0-\n", "closing fence"),
        ("---\n$0---\n", "closing fence"),
        ("---\n$0", "key ''"),
        ("---\nmodel: x\n$0", "key ''"),
        ("---\nmodel: x\n--$0\nYou review.\n", "nowhere"),
        ("---\nmodel: x\n\nre$0\n", "key 're'"),
        ("---\nmodel: x\n\nYou are$0 here.\n", "body"),
        ("\ufeff---\nmodel: $0\n---\n", "value model ''"),
        ("---\r\nallow_list:\r\n  - wait\r\n  - ex$0\r\n---\r\n", "item allow_list 'ex'"),
        ("$0", "body"),
        ("---\n---\nText < $0\n", "body"),
        ("---\n---\n<$0\n", "marker whole '<'"),
        ("---\n---\n  <!-- ag$0\n", "marker whole '<!-- ag'"),
        ("---\n---\n<!-- $0-->\n", "marker whole '<!-- -->'"),
        ("---\n---\n<!-- note$0 -->\n", "body"),
        ("---\n---\n<!-- agent_name: st$0rict -->\n", "marker 'strict'"),
        ("---\n---\n<!-- agent_name: $0\n", "marker ''"),
        ("---\n---\n<!-- ag$0ent_name: strict -->\n", "marker inside a text"),
    ],
)
def test_a_place_in_a_file(tmp_path: Path, source: str, expected: str) -> None:
    assert _outline(*_at(tmp_path, source)) == expected
