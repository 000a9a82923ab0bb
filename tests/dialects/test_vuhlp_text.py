"""What is said about the `[template]` block and the `tool_call` lines of a role template."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_lsp.analysis.hover import hover
from agent_lsp.dialects import vuhlp
from agent_lsp.dialects.vuhlp.checks import call_checks, declared, findings
from agent_lsp.dialects.vuhlp.facts import SEVERITIES
from agent_lsp.dialects.vuhlp.preamble import has_block, name_of, preamble, read, split
from agent_lsp.dialects.vuhlp.tools import TOOL_SCHEMAS, tool, tool_calls
from agent_lsp.installed import installed
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.syntax import document, toml
from agent_lsp.syntax.document import Document
from tests.fixture import fixture

BLOCK = """\
[template]
name = "helper"
version = "1"
capabilities = ["edit_code", "delegate"]
constraints = ["log_decisions"]

# Helper

You are a helper. Always report what you did, and never hide an error.
"""
SHIPPED = {role: installed(f"templates/vuhlp/builtin/{role}.md") for role in vuhlp.ROLES}


def parse(text: str) -> Document:
    return document.parse(text, split, read=toml.parse)


def said(text: str, name: str = "helper") -> list[tuple[str, str]]:
    """The codes of the remarks about a text, each with the text that it stands at."""
    return [(found.code, found.span.of(text)) for found in said_of(text, name)]


def said_of(text: str, name: str = "helper") -> list[Finding]:
    return list(findings(parse(text), name, lambda: frozenset(vuhlp.ROLES)))


def calls(text: str, role: str = "helper", *, manages: bool = True) -> list[Finding]:
    return list(call_checks(text, role, lambda: frozenset(vuhlp.ROLES), manages_edges=manages))


def test_the_block_is_read_with_its_places() -> None:
    found = preamble(parse(BLOCK))
    assert found is not None
    assert found.span.of(BLOCK) == BLOCK.split("\n\n", 1)[0]
    assert [item.text for item in declared(found, "capabilities")] == ["edit_code", "delegate"]
    assert [item.span.of(BLOCK) for item in declared(found, "constraints")] == ['"log_decisions"']
    assert found.settings["name"].text == "helper"


def test_the_whole_file_is_the_prompt() -> None:
    """The block is sent as well: nothing takes it out."""
    assert read(parse(BLOCK), "helper").effective.default.text == BLOCK
    assert read(parse(BLOCK), "helper").errors == ()


@pytest.mark.parametrize("text", ["", "# Title\n", "```\n[template]\nname = 'x'\n```\n"])
def test_a_file_without_a_block_has_none(text: str) -> None:
    assert preamble(parse(text)) is None
    assert not has_block(text)


def test_a_role_is_called_after_its_file() -> None:
    """Only `.md` in small letters is an extension."""
    assert [name_of(name) for name in ("a.md", "a.MD", ".md", "a.b.md")] == ["a", None, None, "a.b"]


ODD = {
    "another name": ('"helper"', '"help"', "name-mismatch", '"help"'),
    "an unknown key": ("version", "verson", "unknown-key", "verson"),
    "a number": ('"1"', "1", "wrong-type", "1"),
    "a text for a list": ('["log_decisions"]', '"log"', "wrong-type", '"log"'),
    "a number in a list": ('"delegate"]', "7]", "wrong-type", "7"),
    "an unknown capability": ('"delegate"', '"delegat"', "unknown-capability", "delegat"),
    "an unknown constraint": ('"log_decisions"', '"x"', "unknown-constraint", "x"),
    "a contradiction": ('"log_decisions"', '"no_code_edits"', "contradiction", '"no_code_edits"'),
    "an older name": ('"delegate"', '"spawn_nodes"', "older-name", "spawn_nodes"),
    "no TOML": ('"1"', "one", "preamble-syntax", "one"),
    "not on top": ("[template]", "Hello\n[template]", "preamble-place", "[template]"),
    "no parts": ("You are a helper. Always report what you did, and", "x", "missing-part", None),
}


@pytest.mark.parametrize(("old", "new", "code", "place"), ODD.values(), ids=ODD)
def test_one_oddity_is_said_once(old: str, new: str, code: str, place: str | None) -> None:
    assert said(BLOCK) == []
    text = BLOCK.replace(old, new, 1)
    assert said(text) == [(code, place or "[template]")]


def test_a_list_goes_on_behind_a_blank_line() -> None:
    """As TOML has it; one that is not closed does not swallow the prompt."""
    list_ = '[\n\n  "edit_code",  # "[" \n\n  "delegate",\n\n]'
    text = BLOCK.replace('["edit_code", "delegate"]', list_)
    assert said(text) == []
    assert [item.text for item in declared(preamble(parse(text)), "constraints")]
    broken = BLOCK.replace('"log_decisions"]', '"log_decisions"')
    found = preamble(parse(broken))
    assert found is not None
    assert found.span.of(broken).endswith('"log_decisions"')


def test_a_prompt_that_no_blank_line_separates_is_told_once() -> None:
    text = BLOCK.replace('["log_decisions"]\n\n# Helper\n\n', '["log_decisions"]\n')
    assert [code for code, _ in said(text)] == ["preamble-syntax"]


def test_a_half_typed_block_keeps_its_other_keys() -> None:
    text = BLOCK.replace('["edit_code", "delegate"]', '["edit_code", "del')
    found = preamble(parse(text))
    assert [item.text for item in declared(found, "capabilities")] == ["edit_code", "del"]
    assert [item.text for item in declared(found, "constraints")] == ["log_decisions"]


@pytest.mark.parametrize("role", vuhlp.ROLES)
def test_a_shipped_role_declares_what_vuhlp_has_in_its_own(role: str) -> None:
    text = SHIPPED[role].read_text(encoding="utf-8")
    older = [("older-name", "spawn_nodes")] if role == vuhlp.ORCHESTRATOR else []
    assert said(text, role) == older
    assert calls(text, role) == []


SPAWN = '{"tool_call":{"id":"t","name":"spawn_node","args":{"label":"L","roleTemplate":"planner"}}}'
EDGE = '{"tool_call":{"name":"create_edge","args":{"from":"a","to":"b","type":"handoff"}}}'
SEND = (
    '{"tool_call":{"name":"send_handoff","args":{"to":"a","message":"m",'
    '"artifacts":[{"type":"t","ref":"r"}],"status":{"ok":true},'
    '"response":{"expectation":"optional"}}}}'
)


@pytest.mark.parametrize("line", [SPAWN, EDGE, SEND, SPAWN.replace("tool_call", "toolCall")])
def test_a_sound_call_is_left_alone(line: str) -> None:
    assert calls(f"Do:\n  {line}\nThen stop.\n") == []


WRONG = {
    "no JSON": (SPAWN.replace('"L",', '"L"'), "tool-call-json", None),
    "not closed": (SPAWN[:-1], "tool-call-json", None),
    "other quotes": (SPAWN.replace('"', "'"), "tool-call-json", None),
    "no quotes": (SPAWN.replace('"', ""), "tool-call-json", None),
    "two of them": (f"{SEND} {SEND}", "tool-call-json", f"{SEND} {SEND}"),
    "text beside it": (f"- {SPAWN}", "tool-call-not-alone", SPAWN),
    "printed": (f"echo '{SPAWN}'", "tool-call-echoed", SPAWN),
    "an unknown tool": (SPAWN.replace("spawn_node", "spawn"), "tool-call-name", "spawn"),
    "no tool": (SPAWN.replace('"name"', '"nam"'), "tool-call-name", None),
    "params": (SPAWN.replace("args", "params"), "tool-call-params", "params"),
    "a missing argument": (SPAWN.replace('"label":"L",', ""), "tool-call-argument", None),
    "an unknown argument": (SPAWN.replace('"label"', '"x":1,"label"'), "tool-call-argument", "x"),
    "a number": (SPAWN.replace('"L"', "1"), "tool-call-argument", "1"),
    "a text for truth": (SEND.replace("true", '"yes"'), "tool-call-argument", '"yes"'),
    "another word": (EDGE.replace("handoff", "hand"), "tool-call-argument", "hand"),
    "a word inside": (SEND.replace("optional", "x"), "tool-call-argument", "x"),
    "an item": (SEND.replace('"ref":"r"', '"re":"r"'), "tool-call-argument", None),
    "no such role": (SPAWN.replace("planner", "plan"), "role-not-found", "plan"),
    "a native tool": (
        '{"tool_call":{"name":"read_file","args":{"path":"p"}}}',
        "tool-call-native",
        '"read_file"',
    ),
}


@pytest.mark.parametrize(("line", "code", "place"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_found(line: str, code: str, place: str | None) -> None:
    text = f"Do:\n{line}\n"
    found = calls(text)
    assert {remark.code for remark in found} == {code}
    assert place is None or found[0].span.of(text) == place


@pytest.mark.parametrize(
    "line",
    [
        f"Emit a line such as `{SPAWN}` for each.",
        'Tools are called with `{"tool_call": …}` and nothing else.',
        f"Never run echo '{SPAWN}'.",
    ],
)
def test_a_call_that_is_only_spoken_of_is_none(line: str) -> None:
    assert calls(line) == []


NO_LABEL = SPAWN.replace('"label":"L",', "")


@pytest.mark.parametrize(
    "text",
    [
        f"Bad:\n{NO_LABEL}\n",
        f"**Wrong (no label):**\n\n{NO_LABEL}\n",
        f"## Never\n\n```sh\necho '{SPAWN}'\n```\n",
        f"Do not wrap it in a fence:\n\n```json\n{SPAWN}\n```\n",
        f"What not to do:\n{NO_LABEL}\n{NO_LABEL}\n",
        f"Don\u2019t add words:\nHere: {SPAWN}\n",
        f"❌ {NO_LABEL}\n",
        f"- ❌ no label\n{NO_LABEL}\n",
        f"Incorrect: {NO_LABEL}\n",
    ],
)
def test_an_example_of_what_not_to_do_is_no_call(text: str) -> None:
    assert calls(text) == []


@pytest.mark.parametrize(
    "above",
    [
        "Bad: no label.\n\nGood:",
        "Never use a shell. Emit the line yourself:",
        "Do not wrap it but emit:",
        "Never:\n- Spawn nodes without permission.",
        "Never spawn more than one.",
        "Notes:",
    ],
)
def test_a_call_behind_other_words_is_one(above: str) -> None:
    assert [found.code for found in calls(f"{above}\n{NO_LABEL}\n")] == ["tool-call-argument"]


@pytest.mark.parametrize("stand_in", ["<role>", "{{role}}", "${ROLE}", "{role}", "…", "..."])
def test_what_stands_for_something_else_is_not_judged(stand_in: str) -> None:
    assert calls(SPAWN.replace('"planner"', f'"{stand_in}"')) == []
    assert calls(EDGE.replace('"handoff"', f'"{stand_in}"')) == []
    assert calls(EDGE.replace("create_edge", stand_in)) == []
    assert calls(f"{SPAWN}\n{SPAWN}".replace('"t"', f'"{stand_in}"')) == []


def test_a_role_with_its_own_prompt_needs_no_file() -> None:
    """The prompt of the call stands in the place of the file; an empty one counts as none."""
    poet = SPAWN.replace("planner", "poet")
    assert calls(poet.replace('"label"', '"customSystemPrompt":"Rhyme.","label"')) == []
    (found,) = calls(poet.replace('"label"', '"customSystemPrompt":"","label"'))
    assert found.code == "role-not-found"


@pytest.mark.parametrize("tool", ["list_files", "send_handoff"])
def test_a_call_without_args_is_not_run(tool: str) -> None:
    """Not even one that takes no argument."""
    found = calls(f'{{"tool_call":{{"name":"{tool}"}}}}')
    assert "tool-call-argument" in {remark.code for remark in found}


BARE = '{"id":"t","name":"spawn_node","args":{"label":"L","roleTemplate":"planner"}}'


@pytest.mark.parametrize("old", ["", "name", "args"])
def test_a_call_without_its_wrapper_is_told(old: str) -> None:
    """The code runs it, with a warning in its log, and so the rest of it is looked at as well."""
    line = BARE.replace(old, {"name": "tool", "args": "params"}[old]) if old else BARE
    found = calls(line)
    assert (found[0].code, found[0].span.of(line)) == ("tool-call-wrapper", line)
    assert SEVERITIES["tool-call-wrapper"] is Severity.INFORMATION
    wrong = {one.code for one in calls(line.replace("planner", "poet"), manages=False)}
    assert wrong >= {"tool-call-wrapper", "tool-call-edges", "role-not-found"}


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{BARE}\n```",
        BARE.replace("spawn_node", "spawn"),
        BARE.replace('"args":{"label":"L","roleTemplate":"planner"}', '"args":1'),
        f"Say {BARE}",
        '{"file":"a","checks":[{"name":"command"}],"args":{}}',
        BARE[:-1],
    ],
)
def test_other_json_is_no_call(text: str) -> None:
    assert calls(text) == []


def test_a_member_beside_the_call_hides_nothing() -> None:
    assert calls('{"note":{"a":1},' + SPAWN[1:]) == []


GOOD = {
    "another way to say who": "Act as a meticulous engineer. Run the suite. Do not edit code. "
    "End with a table of results.",
    "short": "You write docs. Keep the README in step. You may not touch code. Plain prose.",
    "Chinese": "# 调查员\n\n你是调查员。职责:快速浏览仓库。限制:不要修改代码。输出:要点列表。 🚀",
    "German": "# Prüfer\n\nDu bist ein Prüfer. Deine Aufgabe ist es, Änderungen zu lesen. Du "
    "darfst keinen Code ändern. Antworte als Liste.",
    "French": "Vous êtes relecteur. Votre tâche: relire les changements. Ne modifiez jamais le "
    "code. Répondez par une liste.",
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_a_good_prompt_misses_nothing(body: str) -> None:
    assert said(f"[template]\n\n{body}\n") == []


def test_a_prompt_that_says_little_is_told_what_is_missing() -> None:
    (found,) = said_of("[template]\n\nYou are a poet and love the moon.\n")
    assert found.message.endswith("its responsibilities, constraints, output style")


@pytest.mark.parametrize("text", ['{\n  "tool_call": {\n', '{"tool_call": {\n"name": "x"}}\n'])
def test_a_call_over_several_lines_is_no_call(text: str) -> None:
    assert {found.code for found in calls(text)} == {"tool-call-json"}


def test_a_call_with_a_placeholder_is_a_hint() -> None:
    (found,) = calls('{"tool_call":{"name":"spawn_node","args":{...}}}')
    assert (found.code, found.severity) == ("tool-call-json", Severity.HINT)


def test_a_role_that_declares_no_edges_cannot_spawn() -> None:
    found = calls(SPAWN, manages=False)
    assert [remark.code for remark in found] == ["tool-call-edges"]
    assert calls(SPAWN, "Orchestrator", manages=False) == []
    assert calls(SEND, manages=False) == []


def test_ids_and_aliases_are_used_once() -> None:
    aliased = SPAWN.replace('"label"', '"alias":"x","label"')
    found = calls(f"{aliased}\n{aliased}\n")
    assert [remark.message for remark in found] == [
        "`t` is the id of another call",
        "`x` is the alias of another call",
    ]


def test_a_call_in_a_fence_is_an_example() -> None:
    found = calls(f"```\n{SPAWN}\n```\n")
    assert [remark.code for remark in found] == ["tool-call-fenced"]
    assert SEVERITIES["tool-call-fenced"] is Severity.HINT


@pytest.mark.parametrize("mark", ["", "- ", "* "])
def test_a_call_in_backticks_is_an_example_as_well(mark: str) -> None:
    (found,) = calls(f"Use one of:\n{mark}`{SPAWN}`\n")
    assert (found.code, "backticks" in found.message) == ("tool-call-fenced", True)


def test_the_role_that_does_not_resolve_is_told_in_the_runtimes_words() -> None:
    (found,) = calls(SPAWN.replace("planner", "poet"))
    assert (found.message, found.meant) == ("Role template not found: poet", ())
    (near,) = calls(SPAWN.replace("planner", "planer"))
    assert near.message == "Role template not found: planer; did you mean `planner`?"
    assert near.meant == ("planner",)


_PIECES = st.sampled_from(
    [*BLOCK.splitlines(), SPAWN, EDGE, SEND, "```", "", "[template]", "{", '"']
)


@given(st.lists(_PIECES, max_size=8).map("\n".join), st.integers(0, 400))
def test_nothing_is_ever_an_error_and_nothing_raises(text: str, end: int) -> None:
    cut_short = text[:end]
    every = said_of(cut_short)
    assert all(found.code in SEVERITIES for found in every)
    assert all(found.severity is not Severity.ERROR for found in every)
    assert Severity.ERROR not in SEVERITIES.values()
    assert all(0 <= found.span.start <= found.span.end <= len(cut_short) for found in every)
    assert all(call.span.end <= len(cut_short) for call in tool_calls(cut_short))


def test_shipped_files_exist() -> None:
    assert all(Path(path).is_file() for path in SHIPPED.values())


@pytest.mark.parametrize("name", [one.name for one in TOOL_SCHEMAS])
def test_the_hover_of_a_tool_names_its_arguments(name: str, tmp_path: Path) -> None:
    call = f'{{"tool_call":{{"name":"$0{name}","args":{{}}}}}}'
    made = fixture(tmp_path, f'//- docs/templates/a.md\n[template]\nname = "a"\n\n# A\n\n{call}\n')
    found = hover(made.workspace, made.path, made.offset)
    schema = tool(name)

    assert found is not None
    assert schema is not None
    assert all(f"`{one.name}`" in found.markdown for one in schema.arguments)
