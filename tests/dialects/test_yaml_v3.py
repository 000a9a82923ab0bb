"""Headers decode as yaml.v3 decodes them into a record."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.decoders.yaml_v3 import Decoded, decode
from agent_lsp.dialects.kodacode.facts import RECORD
from agent_lsp.model.template import LoadErrorKind, Record, Value
from agent_lsp.syntax import yaml


def decoded(text: str) -> Decoded:
    """`text` as the header of an agent."""
    return decode(yaml.parse(text), RECORD, text, 0)


def plain(value: object) -> Any:
    """A decoded value without its places."""
    match value:
        case Value():
            return plain(value.value)
        case Record():
            return {name: plain(one) for name, one in value.values.items()}
        case tuple():
            return [plain(one) for one in value]
        case _:
            return value


def values(text: str) -> dict[str, Any]:
    """The decoded keys of `text`, which has to be sound."""
    found = decoded(text)
    assert found.errors == ()
    return {name: plain(value) for name, value in found.values.items()}


def error(text: str) -> str:
    """The library's error, without its common head."""
    return decoded(text).errors[0].message.removeprefix("yaml: unmarshal errors:\n  ")


@pytest.mark.parametrize("word", ["true", "True", "yes", "On", "y", '"yes"', "!!str on", "! true"])
def test_words_of_yaml_1_1_are_true(word: str) -> None:
    """Quotes do not keep `yes` from being true, only `true` itself."""
    assert values(f"hidden: {word}") == {"hidden": True}


@pytest.mark.parametrize("word", ['"true"', "1", "t", "!!str true", "[true]", "yep"])
def test_other_words_are_no_truth_value(word: str) -> None:
    """Nothing else is converted."""
    assert decoded(f"hidden: {word}").errors[0].kind is LoadErrorKind.TYPE


@pytest.mark.parametrize(
    ("word", "text"),
    [("08", "08"), ("1_0", "1_0"), (".inf", ".inf"), ("no", "no"), ("2024-01-01", "2024-01-01")],
)
def test_every_scalar_is_a_text_as_it_is_written(word: str, text: str) -> None:
    """Numbers, dates and truth values keep their spelling."""
    assert values(f"description: {word}\nAllowTools: [{word}]") == {
        "description": text,
        "AllowTools": [text],
    }


def test_null_items_are_dropped_and_leave_an_empty_list() -> None:
    """A list of nulls is a list, a null is none."""
    assert values("AllowTools: [~, a, null]\nDisallowedTools: ~") == {"AllowTools": ["a"]}
    assert values("AllowTools: [~]") == {"AllowTools": []}


def test_a_merged_mapping_gives_the_keys_that_are_missing() -> None:
    """What is set beside `<<` wins, wherever it stands, and then the first source."""
    text = "<<: [{mode: all, model: a/b}, {mode: primary, hidden: y}]\nmodel: c/d"
    assert values(text) == {"mode": "all", "hidden": True, "model": "c/d"}
    assert error("<<: 1") == "yaml: map merge requires map or sequence of maps as the value"


def test_numbers_are_read_in_every_base() -> None:
    """A fraction is cut off."""
    text = "handoff:\n  consumes: [{max_sources: 0x10}, {max_sources: 0b11}, {max_sources: 2.9}]"
    found = values(text)["handoff"]["consumes"]
    assert [one["max_sources"] for one in found] == [16, 3, 2]


def test_all_faults_of_one_reading_are_told_at_once() -> None:
    """Each fault has its place and the whole text."""
    found = decoded("AllowTools: read, write\nhidden: 2\nmode: {x: y}").errors
    assert [fault.span.start for fault in found] == [12, 32, 40]
    assert found[0].message == (
        "yaml: unmarshal errors:\n"
        "  line 1: cannot unmarshal !!str `read, w...` into []string\n"
        "  line 2: cannot unmarshal !!int `2` into bool\n"
        "  line 3: cannot unmarshal !!map into string"
    )


def test_a_duplicate_of_an_unknown_key_is_a_fault_too() -> None:
    """The first reading takes all keys; what the second one would find comes after it."""
    found = decoded("x: 1\nx: 2\nhidden: 2").errors
    assert [fault.kind for fault in found] == [LoadErrorKind.DUPLICATE, LoadErrorKind.TYPE]
    assert error("a: {b: 1, b: 2}") == 'line 1: mapping key "b" already defined at line 1'


def test_a_placeholder_in_braces_is_an_invalid_key() -> None:
    """The message prints the key as Go does."""
    assert error("description: {{name}}") == (
        'yaml: invalid map key: map[string]interface {}{"name":interface {}(nil)}'
    )


def test_what_follows_the_first_document_is_not_read() -> None:
    """Only two tokens of it are scanned."""
    assert values("mode: all\n...\ngarbage ][ {") == {"mode": "all"}
    assert values("mode: all\n---\nmode: [") == {"mode": "all"}
    assert error("mode: all\n--- x\n y: z: a").startswith("yaml: line")


def test_an_alias_into_itself_and_too_many_aliases_are_faults() -> None:
    """Neither keeps the reader busy."""
    assert error("x: &a [*a]") == "yaml: anchor 'a' value contains itself"
    rows = [f"a{at}: &a{at} [{','.join([f'*a{at - 1}'] * 9)}]" for at in range(1, 30)]
    text = "\n".join(("a0: &a0 [x]", *rows))
    assert error(text) == "yaml: document contains excessive aliasing"


def test_a_refused_header_still_tells_what_is_meant() -> None:
    """Hover and completion need the rest of the keys."""
    found = decoded("mode: all\nAllowTools: [read\nhidden: yes")
    assert {name: plain(value) for name, value in found.values.items()}["mode"] == "all"
    found = decoded("mode: all\nmode: primary\nAllowTools: [a, [b]]")
    assert plain(found.values["mode"]) == "all"
    assert plain(found.values["AllowTools"]) == ["a"]


PIECES = ["a: b\n", "hidden: ", "AllowTools:\n", "  - x\n", "<<: *a\n", "&a ", "*a", "{", "}", "["]
PIECES += [
    "]",
    "!!int ",
    "!x ",
    "? ",
    ": ",
    '"',
    "'",
    "\t",
    "\r\n",
    "...\n",
    "--- ",
    "| \n",
    "\u2028",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_nothing_raises_and_faults_stay_in_bounds(pieces: list[str]) -> None:
    """Any text gets an answer."""
    text = "".join(pieces)
    found = decoded(text)
    for fault in found.errors:
        assert 0 <= fault.span.start <= fault.span.end <= len(text)
        assert fault.message.startswith("yaml: ")
