"""What can be completed, explained and followed in a role template."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp.preamble import split
from agent_lsp.dialects.vuhlp.words import word_at
from agent_lsp.model.schema import WordAt
from agent_lsp.syntax import document, toml

ROLES = frozenset(vuhlp.ROLES)
HEAD = "[template]\n"
CALL = '{"tool_call":{"name":"send_handoff","args":{'

PLACES = {
    "a key": (f"{HEAD}na$0me = 'x'", "key", "name", "version"),
    "half a key": (f"{HEAD}cap$0", "key", "cap", "capabilities"),
    "a capability": (
        f'{HEAD}capabilities = ["edit$0_code"]',
        "capability",
        "edit_code",
        "delegate",
    ),
    "half a capability": (f'{HEAD}capabilities = ["a", "ed$0', "capability", "ed", "edit_code"),
    "an empty list": (f"{HEAD}capabilities = [$0]", "capability", "", "edit_code"),
    "a constraint": (f'{HEAD}constraints = ["$0"]', "constraint", "", "no_code_edits"),
    "a tool": ('{"tool_call":{"name":"sp$0"}}', "tool", "sp", "spawn_node"),
    "half a tool": ('{"tool_call":{"name":"sp$0', "tool", "sp", "spawn_node"),
    "an argument": (f'{CALL}"mes$0":"m"}}}}}}', "argument", "mes", "message"),
    "half an argument": (f'{CALL}"to":"a","mes$0', "argument", "mes", "message"),
    "an inner argument": (
        f'{CALL}"response":{{"exp$0":"none"}}}}}}}}',
        "argument",
        "exp",
        "replyTo",
    ),
    "an argument of an item": (
        f'{CALL}"artifacts":[{{"re$0":"r"}}]}}}}}}',
        "argument",
        "re",
        "ref",
    ),
    "a value": (f'{CALL}"response":{{"expectation":"n$0"}}}}}}}}', "value", "n", "none"),
    "a member that has not begun": ('{"tool_call":{$0', "argument", "", "name"),
    "an argument that has not begun": (f"{CALL}$0", "argument", "", "to"),
    "the next argument": (f'{CALL}"to":"a", $0', "argument", "", "message"),
    "an item that has not begun": (f'{CALL}"artifacts":[{{$0', "argument", "", "ref"),
    "a tool that has not begun": ('{"tool_call":{"name":$0', "tool", "", "spawn_node"),
    "a value that has not begun": (f'{CALL}"response":{{"expectation": $0}}', "value", "", "none"),
    "a role": (
        '{"tool_call":{"name":"spawn_node","args":{"roleTemplate":"plan$0ner"}}}',
        "role",
        "planner",
        "reviewer",
    ),
}


def at(marked: str) -> WordAt | None:
    offset = marked.index("$0")
    text = marked.replace("$0", "")
    return word_at(document.parse(text, split, read=toml.parse), offset, lambda: ROLES)


@pytest.mark.parametrize(("marked", "sort", "word", "offered"), PLACES.values(), ids=PLACES)
def test_a_place_says_what_may_stand_there(marked: str, sort: str, word: str, offered: str) -> None:
    found = at(marked)
    assert found is not None
    assert (found.title, found.word) == (sort, word)
    assert offered in [choice.name for choice in found.offers]
    assert found.span.of(marked.replace("$0", "")) == word


def test_a_value_that_has_not_begun_is_offered_in_quotes() -> None:
    found = at('{"tool_call":{"name":$0')
    assert found is not None
    assert found.shapes["create_edge"] == '"create_edge"'


def test_a_known_word_has_a_meaning() -> None:
    found = at(f'{HEAD}capabilities = ["edit$0_code"]')
    assert found is not None
    assert found.meaning == "change code"


@pytest.mark.parametrize(
    "marked", ["$0You are", f"{HEAD}name = 'x$0'", f"{HEAD}\nna$0me", "{x: $0}"]
)
def test_elsewhere_there_is_nothing(marked: str) -> None:
    assert at(marked) is None


@given(st.sampled_from([marked for marked, *_ in PLACES.values()]), st.data())
def test_no_beginning_and_no_place_is_too_odd(marked: str, data: st.DataObject) -> None:
    whole = marked.replace("$0", "")
    text = whole[: data.draw(st.integers(0, len(whole)))]
    offset = data.draw(st.integers(0, len(text)))
    found = word_at(document.parse(text, split, read=toml.parse), offset, lambda: ROLES)
    assert found is None or found.span.covers(offset)
