"""Role templates of vuhlp in a repository: findings, offers, names, listings and previews."""

from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import definition, references_at
from agent_lsp.analysis.navigation.rename import Renaming, rename
from agent_lsp.analysis.navigation.workspace_symbols import workspace_symbols
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.installed import installed
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import Fixture, fixture

BODY = "You are a helper. Always report what you did, and never hide an error.\n"
HEAD = '[template]\nname = "helper"\ncapabilities = ["edge_management_all"]\n\n'
SPAWN = '{"tool_call":{"name":"spawn_node","args":{"label":"L","roleTemplate":"poet"}}}\n'
POET = f'[template]\nname = "poet"\n\n{BODY}'
FOLDER = "docs/templates"


def made(folder: Path, text: str, **others: str) -> Fixture:
    """A repository with the role `helper`, in whose text the cursor may stand, and `others`."""
    source = f"//- {FOLDER}/helper.md\n{text}"
    source += "".join(f"//- {FOLDER}/{name}.md\n{other}" for name, other in others.items())
    return fixture(folder, source)


def of(written: Fixture) -> TemplateFile:
    found = template_file(written.workspace, written.path)
    assert found is not None
    return found


def codes(written: Fixture) -> list[str]:
    return [one.code for one in diagnostics(written.workspace, written.path)]


def test_a_sound_role_is_left_alone(tmp_path: Path) -> None:
    assert codes(made(tmp_path, f"{HEAD}{BODY}\n{SPAWN}", poet=POET)) == []


@pytest.mark.parametrize("role", ["planner", "../elsewhere"])
def test_a_role_that_vuhlp_may_find_is_no_finding(role: str, tmp_path: Path) -> None:
    assert codes(made(tmp_path, f"{HEAD}{BODY}\n{SPAWN.replace('poet', role)}")) == []


def test_a_role_without_a_file_is_told(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}\n{SPAWN}")

    [found] = diagnostics(written.workspace, written.path)
    assert (found.code, found.span.of(written.text)) == ("role-not-found", "poet")


def test_a_file_that_the_runtime_does_not_list_is_told(tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- {FOLDER}/Poet.MD\n{POET}//- {FOLDER}/a.md\n{POET}")

    assert codes(written) == ["file-name"]


def test_a_link_is_found_by_its_name_and_not_listed(tmp_path: Path) -> None:
    """The listing takes plain files only; the prompt is read from whatever has the name."""
    written = made(tmp_path, f"{HEAD}{BODY}\n{SPAWN.replace('poet', 'linked')}")
    folder = written.path.parent
    (tmp_path / "shared.md").write_text("You are shared.", encoding="utf-8")
    for name in ("linked", "planner"):
        (folder / f"{name}.md").symlink_to(tmp_path / "shared.md")
    written.workspace.files.refresh()

    assert codes(written) == []
    listed: Any = list_agents(written.workspace, {"dialect": "vuhlp"}, written.root)
    sources = {one["name"]: one["source"] for one in listed["result"]["templates"]}
    assert "linked" not in sources
    assert (sources["helper"], sources["planner"]) == ("repo", "system")
    named: Any = list_agents(
        written.workspace, {"dialect": "vuhlp", "name": "linked"}, written.root
    )
    assert named["result"]["source"] == "repo"
    asked = {"dialect": "vuhlp", "roleTemplate": "linked"}
    shown = preview_spawn(written.workspace, asked, written.root)
    assert "You are shared." in str(shown)


OFFERED = {
    "a call": (
        "[template]\n\n{$0}\n",
        '{"tool_call":{"name":"create_edge"',
        '[template]\n\n{"tool_call":{"name":"create_edge","args":{"from":"","to":""}}}\n',
    ),
    "a key": (f"[template]\nv$0\n\n{BODY}", "version", f'[template]\nversion = ""\n\n{BODY}'),
    "a key on the next line": (
        f'[template]\nname = "helper"\n$0\n\n{BODY}',
        "constraints",
        f'[template]\nname = "helper"\nconstraints = [""]\n\n{BODY}',
    ),
    "an item": (
        f'[template]\ncapabilities = ["edit_code", $0]\n\n{BODY}',
        "delegate",
        f'[template]\ncapabilities = ["edit_code", "delegate"]\n\n{BODY}',
    ),
    "an item in quotes": (
        f'[template]\nconstraints = ["no$0"]\n\n{BODY}',
        "no_code_edits",
        f'[template]\nconstraints = ["no_code_edits"]\n\n{BODY}',
    ),
    "a tool": (
        '[template]\n\n{"tool_call":{"name":"sp$0"}}\n',
        "spawn_node",
        '[template]\n\n{"tool_call":{"name":"spawn_node"}}\n',
    ),
    "a role": (
        '[template]\n\n{"tool_call":{"name":"spawn_node","args":{"roleTemplate":"$0"}}}\n',
        "reviewer",
        '[template]\n\n{"tool_call":{"name":"spawn_node","args":{"roleTemplate":"reviewer"}}}\n',
    ),
    "an argument": (
        '[template]\n\n{"tool_call":{"name":"create_edge","args":{"from":"a", $0}}}\n',
        "to",
        '[template]\n\n{"tool_call":{"name":"create_edge","args":{"from":"a", "to":""}}}\n',
    ),
    "a word of a few": (
        '[template]\n\n{"tool_call":{"name":"create_edge","args":{"type":"$0"}}}\n',
        "report",
        '[template]\n\n{"tool_call":{"name":"create_edge","args":{"type":"report"}}}\n',
    ),
}


@pytest.mark.parametrize(("text", "label", "expected"), OFFERED.values(), ids=OFFERED)
def test_what_is_offered_fits_where_it_is_put(
    text: str, label: str, expected: str, tmp_path: Path
) -> None:
    written = made(tmp_path, text)
    offers = complete(written.workspace, written.path, written.offset)

    [chosen] = [one for one in offers if one.label == label]
    assert apply(written.text, (chosen.edit,)) == expected


def test_a_call_that_is_offered_lacks_nothing(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}\n{{$0\n")
    for one in complete(written.workspace, written.path, written.offset):
        text = apply(written.text, (one.edit,))
        filled = text.replace('"roleTemplate":""', '"roleTemplate":"planner"')
        written.workspace.files.open(written.path, filled)
        assert codes(written) == []


def test_what_is_there_is_not_offered_again(tmp_path: Path) -> None:
    written = made(tmp_path, f'[template]\ncapabilities = ["delegate", "$0"]\n\n{BODY}')
    offers = complete(written.workspace, written.path, written.offset)

    assert "delegate" not in [one.label for one in offers]


def test_nothing_is_offered_in_words(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}You are $0 a helper.\n")

    assert complete(written.workspace, written.path, written.offset) == ()


HOVERS = {
    "a capability": ('capabilities = ["edit$0_code"]', "change code"),
    "a key": ("na$0me = 'helper'", "the file name is used"),
    "an unknown word": ('capabilities = ["edit$0_cod"]', "did you mean `edit_code`?"),
    "the top": ("$0name = 'helper'", "the name in the template"),
}


@pytest.mark.parametrize(("line", "said"), HOVERS.values(), ids=HOVERS)
def test_hover_explains_a_word(line: str, said: str, tmp_path: Path) -> None:
    written = made(tmp_path, f"[template]\n{line}\n\n{BODY}")
    found = hover(written.workspace, written.path, written.offset)

    assert found is not None
    assert said in found.markdown.replace("\\", "")


def test_hover_says_what_a_declaration_is_worth(tmp_path: Path) -> None:
    """Document and code differ, and both are told."""
    written = made(tmp_path, f'[template]\ncapabilities = ["del$0egate"]\n\n{BODY}')
    found = hover(written.workspace, written.path, written.offset)

    assert found is not None
    for word in ("grants nothing", "approved by the user", "role name `orchestrator`"):
        assert word in found.markdown.replace("\\", "")


@pytest.mark.parametrize("text", [f"[temp$0late]\n\n{BODY}", f"You $0 are here.\n{HEAD}"])
def test_the_top_says_which_file_is_used(text: str, tmp_path: Path) -> None:
    written = made(tmp_path, text, poet=POET)
    found = hover(written.workspace, written.path, written.offset)

    assert (found is not None) is ("[temp$" in text)
    assert found is None or found.markdown.startswith("**This file is `helper`**")


def test_hover_on_a_role_says_whose_it_is(tmp_path: Path) -> None:
    text = f"{HEAD}{BODY}\n{SPAWN}".replace('"poet"', '"po$0et"')
    written = made(tmp_path, text, poet=POET)
    found = hover(written.workspace, written.path, written.offset)

    assert found is not None
    assert found.markdown.startswith("**`poet`** is [docs/templates/poet.md]")


@pytest.mark.parametrize(
    ("role", "target"),
    [
        ("poet", f"{FOLDER}/poet.md"),
        ("planner", str(installed("templates/vuhlp/builtin/planner.md"))),
    ],
)
def test_a_role_leads_to_its_file(role: str, target: str, tmp_path: Path) -> None:
    text = f"{HEAD}{BODY}\n{SPAWN}".replace('"poet"', f'"$0{role}"')
    written = made(tmp_path, text, poet=POET)

    [found] = definition(of(written), written.offset)
    assert found.path == written.root / target


def test_a_role_is_renamed_wherever_it_is_named(tmp_path: Path) -> None:
    """The file, its block and the calls, and each place once."""
    call = f"{HEAD}{BODY}\n{SPAWN}Then ask `poet`.\n"
    written = made(tmp_path, call.replace('"poet"', '"$0poet"'), poet=POET)
    poet = written.root / FOLDER / "poet.md"

    places = references_at(of(written), written.offset, declaration=True)
    assert len(places) == len({(one.path, one.span) for one in places})
    done = rename(of(written), written.offset, "bard")
    assert isinstance(done, Renaming)
    assert done.moved == (poet, poet.with_name("bard.md"))
    assert apply(POET, done.edits[poet]) == POET.replace('"poet"', '"bard"')
    assert apply(call, done.edits[written.path]) == call.replace("poet", "bard")


def test_a_note_beside_templates_needs_no_parts(tmp_path: Path) -> None:
    assert (
        codes(fixture(tmp_path, f"//- {FOLDER}/README.md\n# Roles\n//- {FOLDER}/a.md\n{POET}"))
        == []
    )


def test_a_search_by_name_finds_roles_where_there_are_some(tmp_path: Path) -> None:
    written = made(tmp_path, "# Dear customer\n", letter="# Dear customer\n")
    workspace = written.workspace
    assert workspace_symbols(workspace, "lett") == ()
    workspace.files.open(written.path, POET)
    assert [one.name for one in workspace_symbols(workspace, "lett")] == ["letter"]
    workspace.files.open(written.path, "# Dear customer\n")
    assert workspace_symbols(workspace, "lett") == ()


def test_a_role_of_the_repository_hides_the_shipped_one(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}", planner=POET, note="# A note\n")
    answer: Any = list_agents(written.workspace, {"dialect": "vuhlp"}, written.root)

    listed = {entry["name"]: entry for entry in answer["result"]["templates"]}
    assert listed["planner"]["source"] == "repo"
    assert listed["planner"]["overrides"].endswith("builtin/planner.md")
    assert listed["reviewer"]["source"] == "system"
    # The runtime does not ask what a file says.
    assert listed["note"]["path"] == str(written.root / FOLDER / "note.md")


def test_one_role_is_described_by_its_name(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}")

    def asked(name: str) -> Any:
        return list_agents(written.workspace, {"dialect": "vuhlp", "name": name}, written.root)

    assert asked(" helper ")["result"]["source"] == "repo"
    assert asked("poet")["error"] == "template not found: poet"
    assert asked("a b")["error"] == "invalid template name"
    assert asked(" ")["error"] == "template name is required"


def test_a_repository_with_roles_is_asked_for_them_unnamed(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}")
    answer: Any = list_agents(written.workspace, {}, written.root)

    assert "templates" in answer["result"]


def test_a_common_folder_of_somebody_else_decides_nothing(tmp_path: Path) -> None:
    written = made(tmp_path, "# Dear customer\n")
    answer: Any = list_agents(written.workspace, {}, written.root)

    assert "agents" in answer["result"]


def test_a_spawn_takes_all_that_the_command_has(tmp_path: Path) -> None:
    written = made(tmp_path, f"{HEAD}{BODY}")
    argument = {
        "dialect": "vuhlp",
        "roleTemplate": "helper",
        "label": "Help",
        "alias": "help",
        "instructions": "Be kind.",
        "input": {"definitionOfDone": "All is well."},
        "provider": "claude",
        "capabilities": {"edgeManagement": "self"},
        "permissions": {"cliPermissionsMode": "gated"},
        "mode": "IMPLEMENTATION",
        "task": "Help.",
        "user_override": "Quickly.",
    }
    answer: Any = preview_spawn(written.workspace, argument, written.root)

    result = answer["result"]
    assert [part["title"] for part in result["prompt"]] == [
        "system",
        "role",
        "mode",
        "task",
        "override",
    ]
    assert result["edgeManagement"]["value"] == "self"
    assert result["blocks"]["role"]["text"] == f"{HEAD}{BODY}"
    assert set(result["blocks"]["role"]) == {"text", "verbatim", "sha256"}
    shown = preview_spawn(written.workspace, {**argument, "format": "markdown"}, written.root)
    assert "stand-in" in str(shown["markdown"])
