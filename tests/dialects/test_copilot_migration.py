"""What becomes of a chat mode, which VS Code does not look for any more."""

from pathlib import Path

import pytest

from agent_lsp.analysis.conversion import convert, offers
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import fixture

MODE = """\
//- .github/chatmodes/plan.chatmode.md
---
{lines}---
Plan it.
"""


@pytest.mark.parametrize(
    ("lines", "header", "losses"),
    [
        (
            (
                "description: Plans.\ntools: ['codebase', 'think', 'runCommands', 'acme/x']\n"
                "infer: false\nmode: agent\n"
            ),
            (
                "description: Plans.\ntools: [search/codebase, execute/runInTerminal, "
                "execute/getTerminalOutput, read/terminalSelection, read/terminalLastCommand, "
                "acme/x]\n"
                "disable-model-invocation: true\n"
            ),
            [
                "lost: `think` is no longer a tool",
                "lost: `mode` is not a key of an agent",
                "note: remove `plan.chatmode.md`, which the new file replaces",
                (
                    "note: Copilot CLI does not know `execute/getTerminalOutput`, "
                    "`read/terminalSelection` and `read/terminalLastCommand`"
                ),
            ],
        ),
        (
            "# why\ntools:\n  - fetch\n  - usages\nmodel: GPT-4.1\n",
            "# why\ntools: [web/fetch, search/usages]\nmodel: GPT-4.1\n",
            [
                "note: remove `plan.chatmode.md`, which the new file replaces",
                "note: Copilot CLI refuses the agent until it has a `description`",
                "note: Copilot CLI does not know `search/usages`",
            ],
        ),
        (
            "description: d\ninfer: true\ndisable-model-invocation: true\n",
            "description: d\ndisable-model-invocation: false\n",
            ["note: remove `plan.chatmode.md`, which the new file replaces"],
        ),
    ],
)
def test_a_chat_mode_becomes_an_agent_with_the_losses_named(
    lines: str, header: str, losses: list[str], tmp_path: Path
) -> None:
    found = fixture(tmp_path, MODE.format(lines=lines))
    file = template_file(found.workspace, found.path)
    assert file is not None
    made = convert(file, file.dialect)
    assert not isinstance(made, RuntimeRefusal)
    (one,) = made
    assert one.path == found.path.parent.parent / "agents" / "plan.agent.md"
    assert one.text == f"---\n{header}---\nPlan it.\n"
    assert [f"{loss.weight.value}: {loss.message}" for loss in one.losses] == losses


def test_references_of_the_prompt_are_those_of_today(tmp_path: Path) -> None:
    prompt = (
        "Use #codebase, (#fetch) and #runCommands, not `#fetch`, C#codebase or #think.\n"
        "#usages\nSee #selection, ${input:x} and [it](a.md#fetch). #problems and #problems.\n"
        "Then #codebase.\n"
    )
    lines = "tools: [codebase, web]\ndescription: d\n"
    found = fixture(tmp_path, MODE.format(lines=lines).replace("Plan it.\n", prompt))
    file = template_file(found.workspace, found.path)
    assert file is not None
    made = convert(file, file.dialect)
    assert not isinstance(made, RuntimeRefusal)
    body = made[0].text.rpartition("---\n")[2]
    today = prompt.replace("(#fetch)", "(#tool:web/fetch)")
    today = today.replace(" #codebase.", " #tool:search/codebase .")
    assert body == today.replace(" #codebase,", " #tool:search/codebase,")
    lost = [loss.message for loss in made[0].losses if loss.weight.value == "lost"]
    assert lost == [
        "`#runCommands` is only text in an agent",
        "`#think` is only text in an agent",
        "`#selection` is only text in an agent",
        "`${input:x}` is only text in an agent",
        "`#problems` is only text in the agent, whose `tools` has no such tool",
    ]


def test_an_editor_offers_the_agent_of_today_for_a_chat_mode(tmp_path: Path) -> None:
    found = fixture(tmp_path, MODE.format(lines="description: Plans.\ntools: [think]\n"))
    file = template_file(found.workspace, found.path)
    assert file is not None
    first = next(offers(file))
    assert (first.target, [one.name for one in first.files]) == ("copilot", ["plan"])
    assert "`.github/agents/plan.agent.md` (1 lost)" in first.title


def test_keys_that_only_copilot_cli_reads_are_lost_and_so_is_a_reference(tmp_path: Path) -> None:
    lines = "description: d\ntools: [read]\nskills: [a]\nmcp-servers: {s: {}}\nmode: x\n"
    body = "Use #tool:read/readFile.\n"
    made = fixture(tmp_path, f"//- .github/agents/a.agent.md\n---\n{lines}---\n{body}")
    file = template_file(made.workspace, made.path)
    target = next(one for one in made.workspace.systems if one.id == "claude").dialect
    assert file is not None
    answer = convert(file, target)
    assert not isinstance(answer, RuntimeRefusal)
    said = [f"{one.weight.value}: {one.message}" for one in answer[0].losses]
    assert any(one.startswith("lost: `mcp-servers`") for one in said)
    assert "note: `mode` is not known to Copilot: it is left out" in said
    assert "note: the prompt speaks of `read/readFile`; in the other system it is `Read`" in said


TEXT_OF_CHAT_MODE = (
    "note: `#codebase` is only text in an agent, and stays; `#tool:search/codebase` is the tool"
)
FOLLOWED = "Copilot CLI followed `disable-model-invocation`, which now says what VS Code followed"


def test_an_agent_in_older_words_is_written_in_its_place(tmp_path: Path) -> None:
    cases: tuple[tuple[str, str | None, list[str]], ...] = (
        (
            "tools: [codebase, think, fetch]\ninfer: false\n",
            "tools: [search/codebase, web/fetch]\ndisable-model-invocation: true\n",
            [
                "may do more: the agent gets `web_fetch` in Copilot CLI, as `fetch` did not",
                "lost: `think` is no longer a tool",
                TEXT_OF_CHAT_MODE,
            ],
        ),
        (
            "infer: true\ndisable-model-invocation: true\n",
            "disable-model-invocation: false\n",
            [f"may do more: {FOLLOWED}", TEXT_OF_CHAT_MODE],
        ),
        ("tools: [read, foo]\ndisable-model-invocation: true\nmode: x\n", None, []),
    )
    for at, (lines, today, losses) in enumerate(cases):
        text = "---\ndescription: d\n{}---\nUse #codebase.\n"
        folder = tmp_path / str(at)
        folder.mkdir()
        made = fixture(folder, f"//- .github/agents/a.agent.md\n{text.format(lines)}")
        file = template_file(made.workspace, made.path)
        assert file is not None
        answer = convert(file, file.dialect, "project")
        if today is None:
            assert isinstance(answer, RuntimeRefusal)
            continue
        assert not isinstance(answer, RuntimeRefusal)
        assert (answer[0].path, answer[0].text) == (made.path, text.format(today))
        assert [f"{one.weight.value}: {one.message}" for one in answer[0].losses] == losses


def told(folder: Path, path: str, lines: str, body: str = "Plan it.\n") -> tuple[str, list[str]]:
    """The new text, and what the report says."""
    folder.mkdir()
    made = fixture(folder, f"//- {path}\n---\n{lines}---\n{body}")
    file = template_file(made.workspace, made.path)
    assert file is not None
    answer = convert(file, file.dialect, "project")
    assert not isinstance(answer, RuntimeRefusal)
    said = [f"{one.weight.value}: {one.message}" for one in answer[0].losses]
    return answer[0].text, [one for one in said if not one.startswith("note: remove `")]


CHAT, OWN = ".github/chatmodes/plan.chatmode.md", ".github/agents/plan.agent.md"
REFUSED = "note: Copilot CLI refuses the agent: "
COLON = (
    "failed to parse YAML frontmatter: mapping values are not allowed in this context at line 1 "
    "column 15"
)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "description: a: b\ntools: [codebase]\n",
            [
                f"{REFUSED}{COLON}",
            ],
        ),
        (
            "description: d\ninfer: hidden\ntools: [codebase]\n",
            [
                "note: `infer` is neither `true` nor `false`, does nothing in VS Code, and stays",
                f"{REFUSED}infer: Expected boolean, received string",
            ],
        ),
        (
            "description: d\nname: 7\ntools: [codebase]\nmodel: []\n",
            [
                f"{REFUSED}name: Expected string, received number",
                f"{REFUSED}model: Expected a non-empty list of model names",
            ],
        ),
        (
            "description: d\ntools: [codebase, foo, '*']\n",
            [
                "lost: `foo` names no tool, and stays unchanged",
                "lost: `*` names no tool in VS Code, and stays unchanged",
                "note: `*` is every tool in Copilot CLI, and none in VS Code",
            ],
        ),
        (
            "description: d\ntools: [codebase]\nallowed-tools: [read]\ndisallowedTools: [edit]\n",
            [
                "note: `allowed-tools` does nothing, and stays; `tools` is the key",
                "note: `disallowedTools` does nothing, and stays",
            ],
        ),
    ],
)
def test_what_does_nothing_or_is_refused_in_the_new_file_is_told(
    lines: str, said: list[str], tmp_path: Path
) -> None:
    for at, path in enumerate((CHAT, OWN)):
        text, found = told(tmp_path / str(at), path, lines)
        assert found == said
        assert (
            text
            == f"---\n{lines.replace('[codebase', '[search/codebase')}---\nPlan it.\n".replace(
                "'*'", '"*"'
            )
        )


def test_a_header_that_vs_code_does_not_read_to_its_end_is_told(tmp_path: Path) -> None:
    lines = "description: d\ntools:[codebase]\nmodel: M\n"
    _, found = told(tmp_path / "0", CHAT, lines)
    unread = "note: VS Code does not read the header from here on: "
    assert any(one.startswith(unread) for one in found)
    assert any(one.startswith(REFUSED) for one in found)


def test_an_earlier_spelling_of_a_key_becomes_that_of_today(tmp_path: Path) -> None:
    lines = "description: d\nuser-invokable: false\n"
    said = "note: `user-invokable` becomes `user-invocable`, which both programs read"
    for at, path in enumerate((CHAT, OWN)):
        text, found = told(tmp_path / str(at), path, lines)
        assert text.startswith("---\ndescription: d\nuser-invocable: false\n---\n")
        assert found == [f"{said}: it was without effect"]
    both = f"{lines}user-invocable: true\n"
    text, found = told(tmp_path / "both", CHAT, both)
    assert text.startswith(f"---\n{both}---\n")
    assert found == ["note: `user-invokable` does nothing, and stays; `user-invocable` is the key"]


def test_what_stays_of_a_chat_mode_in_an_agent_is_told(tmp_path: Path) -> None:
    lines = "description: d\ntools: [codebase]\nmode: agent\nagent: x\n"
    body = "Use #codebase, not #think or #selection.\n"
    text, found = told(tmp_path / "0", OWN, lines, body)
    assert text == f"---\n{lines.replace('codebase', 'search/codebase')}---\n{body}"
    assert found == [
        "note: `mode` does nothing in an agent, and stays",
        "note: `agent` does nothing in an agent, and stays",
        (
            "note: `#codebase` is only text in an agent, and stays; "
            "`#tool:search/codebase` is the tool"
        ),
        "note: `#think` is only text in an agent",
        "note: `#selection` is only text in an agent",
    ]


def test_a_value_that_would_lose_the_agent_gets_no_other_key(tmp_path: Path) -> None:
    lines = "description: d\nuser-invokable: maybe\n"
    text, found = told(tmp_path / "0", CHAT, lines)
    assert text.startswith(f"---\n{lines}---\n")
    assert found == ["note: `user-invokable` does nothing, and stays; `user-invocable` is the key"]


def test_the_second_of_two_lists_stays_as_it_is(tmp_path: Path) -> None:
    lines = "description: d\ntools: [codebase]\ntools: [fetch]\n"
    for at, path in enumerate((CHAT, OWN)):
        text, _ = told(tmp_path / str(at), path, lines)
        assert "tools: [search/codebase]\ntools: [fetch]\n" in text


def test_a_header_without_an_end_is_told(tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- {CHAT}\n---\ndescription: d\nUse it.\n")
    file = template_file(made.workspace, made.path)
    assert file is not None
    answer = convert(file, file.dialect)
    assert not isinstance(answer, RuntimeRefusal)
    said = [one.message for one in answer[0].losses]
    assert "the header has no end, so VS Code reads no prompt" in said
