"""Markdown definitions of agents, as the current Moltis reads them."""

import pytest

from agent_lsp.dialects.moltis import definitions
from agent_lsp.model.template import Reading
from agent_lsp.syntax import document


def read(text: str) -> Reading:
    """The reading of a definition, under the keys of a preset."""
    return definitions.as_preset(definitions.read(document.parse(text, definitions.split)))


def test_lists_are_texts_with_commas_and_blank_ones_set_nothing() -> None:
    found = read("---\nname: scout\ntools: exec, Read ,\ndeny_tools: ' '\n---\nLook.\n")

    assert [item.text for item in found.effective.settings["tools.allow"].items] == ["exec", "Read"]
    assert "tools.deny" not in found.effective.settings


def test_a_list_of_yaml_is_refused() -> None:
    found = read("---\nname: scout\ntools: [exec]\n---\n")

    assert found.errors[0].message.startswith("tools: invalid type: sequence, expected a string")
    assert found.effective.settings == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: a\n", definitions.UNOPENED),
        ("\ufeff---\nname: a\n---\n", definitions.UNOPENED),
        ("---\nname: a\n", definitions.UNCLOSED),
        ("---\ntheme: a\n---\n", definitions.UNNAMED),
        ("---\nname: a\nreasoning_effort: huge\n---\n", "unknown reasoning effort: huge"),
        ("---\nname: a\nsandbox_mode: 'on'\n---\n", "unknown sandbox mode: on"),
        ("---\nname: a\nmcp_allow_servers: b\nmcp_deny_servers: c\n---\n", definitions.BOTH),
    ],
)
def test_a_refused_definition_has_the_words_of_the_runtime(text: str, message: str) -> None:
    found = read(text)

    assert [fault.message for fault in found.errors] == [message]


def test_the_name_is_shown_and_the_body_is_the_suffix() -> None:
    found = read("\n---\nname: scout\ntheme: calm\n---\n\nLook around.\n")

    assert found.effective.settings["identity.name"].text == "scout"
    assert found.effective.settings["identity.theme"].text == "calm"
    assert found.effective.settings["system_prompt_suffix"].text == "Look around."


def test_the_rest_of_the_closing_line_belongs_to_the_body() -> None:
    found = read("---\nname: a\n--- and more\n")

    assert found.effective.default.text == "and more"
