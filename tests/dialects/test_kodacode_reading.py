"""KodaCode's agent files are cut, decoded and checked as its runtime does it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.decoders.yaml_v3 import Plain, Slice, Struct, decode
from agent_lsp.dialects.kodacode import reading
from agent_lsp.dialects.kodacode.facts import RECORD
from agent_lsp.dialects.kodacode.runtime import list_agents
from agent_lsp.model.runtime import Call, RuntimeRefusal
from agent_lsp.model.template import LoadErrorKind, Record, Value
from agent_lsp.syntax import document, yaml
from agent_lsp.syntax.frontmatter import FenceKind
from tests.dialects.kodacode import catalog, read
from tests.recorded import each

CONFORMANCE = Path(__file__).parents[1] / "conformance" / "kodacode.jsonl"
ALL_CASES = [json.loads(line) for line in CONFORMANCE.read_text(encoding="utf-8").splitlines()]
SOUND = [case for case in ALL_CASES if case["ok"]]
ZERO: dict[Any, object] = {Plain.STRING: "", Plain.BOOL: False, Plain.INT: 0}


def filled(target: Any, value: object) -> object:
    """A decoded value as a Go record holds it: with the zero of each key that is not set."""
    value = value.value if isinstance(value, Value) else value
    if isinstance(target, Struct):
        values = value.values if isinstance(value, Record) else {}
        return {field.key: filled(field.type, values.get(field.key)) for field in target.fields}
    if isinstance(target, Slice) and isinstance(value, tuple):
        return [filled(target.element, item) for item in value]
    return ZERO.get(target) if value is None else value


@each(ALL_CASES)
def test_header_loads_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict and same text of the error."""
    end = "" if case["text"].endswith("\n") else "\n"
    answer = list_agents(catalog({"agent.md": f"---\n{case['text']}{end}---\nbody\n"}), Call({}))
    found = answer.message if isinstance(answer, RuntimeRefusal) else None
    assert found == case["error"]


@each(SOUND)
def test_header_decodes_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same values, before they are trimmed."""
    text = case["text"].replace("\r\n", "\n").strip()
    decoded = decode(yaml.parse(text), RECORD, text, 0)
    assert {
        field.key: filled(field.type, decoded.values.get(field.key)) for field in RECORD.fields
    } == case["value"]


def cut(text: str, *, bom: bool = False) -> tuple[FenceKind, str, str]:
    """The fence, the header and the body."""
    found = reading.split(text, bom)
    return found.fence, found.inner.of(text), found.body.of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nmode: all\n---\nbody", (FenceKind.CLOSED, "mode: all", "body")),
        ("\n \n---\r\nmode: all\r\n---\r\nbody", (FenceKind.CLOSED, "mode: all", "body")),
        ("---\nmode: all\n---  \n\n", (FenceKind.CLOSED, "mode: all", "\n")),
        ("---\nmode: all\n--- \n---\nbody", (FenceKind.CLOSED, "mode: all\n--- ", "body")),
        ("---\n\n---\nbody", (FenceKind.CLOSED, "", "body")),
        ("---\n---\nbody\n---\nmore", (FenceKind.CLOSED, "---\nbody", "more")),
        ("---\n  mode: all\n---\n", (FenceKind.CLOSED, "mode: all", "")),
        ("---\nmode: all\n\t\n---\n", (FenceKind.CLOSED, "mode: all", "")),
        ("---\nmode: all\n\n---\n", (FenceKind.CLOSED, "mode: all\n", "")),
        ("---\n---\nbody", (FenceKind.UNCLOSED, "", "body")),
        ("---\nmode: all\n\nbody", (FenceKind.UNCLOSED, "mode: all", "\nbody")),
        ("--- \nmode: all\n---\n", (FenceKind.ABSENT, "", "--- \nmode: all\n---\n")),
        ("----\nmode: all\n---\n", (FenceKind.ABSENT, "", "----\nmode: all\n---\n")),
        ("---\n\n", (FenceKind.ABSENT, "", "---\n\n")),
        ("", (FenceKind.ABSENT, "", "")),
        ("\ufeff---\nmode: all\n---\nbody", (FenceKind.HIDDEN, "mode: all", "body")),
    ],
)
def test_fences_are_exact(text: str, expected: tuple[FenceKind, str, str]) -> None:
    """White space counts, but not around the file, and the first line does not close the header."""
    assert cut(text) == expected


def test_a_header_that_is_not_closed_is_refused() -> None:
    """An empty one is not closed either."""
    for text in ("---\nmode: all\nbody", "---\n---\nbody"):
        fault = read(text).errors[0]
        message = "front matter is missing closing delimiter"
        assert (fault.kind, fault.message) == (LoadErrorKind.UNSEEN, message)


def test_a_header_that_is_not_seen_is_prompt() -> None:
    """Its settings are written, but not held."""
    found = read("--- \nmode: all\n---\nbody\n")
    assert (dict(found.effective.settings), found.effective.default.text) == (
        {},
        "--- \nmode: all\n---\nbody",
    )
    marked = read("\ufeff---\nmode: all\n---\nbody")
    assert marked.declared.settings["mode"].text == "all"
    assert dict(marked.effective.settings) == {}
    assert marked.errors == ()


def test_settings_are_held_as_the_runtime_uses_them() -> None:
    """Trimmed, the mode in lower case, blank ones unset, and an empty list kept."""
    names = 'mode: " ALL "\nmodel: " a / b/c "\ndescription: " "'
    held = read(f'---\n{names}\nAllowTools: [" read ", ""]\n---\n').effective
    assert (held.settings["mode"].text, held.settings["model"].text) == ("all", "a/b/c")
    assert [item.text for item in held.settings["AllowTools"].items] == ["read"]
    assert "description" not in held.settings
    empty = read("---\nAllowTools: []\n---\n").effective.settings
    assert "AllowTools" in empty
    assert "AllowTools" not in read("---\nAllowTools:\n---\n").effective.settings


def test_an_unsupported_key_is_refused_in_any_form() -> None:
    """A null or a merged mapping sets it, too."""
    for text in ("fallback_models:", "<<: {fallback_models: [a/b]}", "fallback_models: {}"):
        fault = read(f"---\n{text}\n---\n").errors[0]
        assert fault.kind is LoadErrorKind.FORBIDDEN
        assert fault.message == "agent fallback models are not supported"


def test_the_prompt_has_the_line_ends_of_the_runtime() -> None:
    """It is trimmed, and its place is where its text stands."""
    text = "---\r\nmode: all\r\n---\r\n\r\nOne.\r\nTwo.\r\n"
    found = read(text).effective.default
    assert found.text == "One.\nTwo."
    assert found.span.of(text) == "One.\r\nTwo."


@given(st.text("-\n\r \tab:\ufeff[", max_size=40))
def test_every_text_is_cut_and_read(text: str) -> None:
    """The parts stay in bounds and in order."""
    found = reading.split(text, False)
    assert 0 <= found.inner.start <= found.inner.end <= found.body.end == len(text)
    assert document.parse(text, reading.split).frontmatter == found
    assert read(text).effective.blocks
