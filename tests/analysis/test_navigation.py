"""Where a name leads, and all the places that mean the same."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_lsp.analysis.navigation import definition as lookup
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.analysis.navigation.references import Reference
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture

REVIEWER = """\
//- .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: Strict
    description: Lets nothing pass.
---
<!-- agent_name: strict -->
Be strict.
"""
LEAD = """\
//- .codex/.agents/lead.md
---
description: Leads.
---
"""


def _ask(
    folder: Path, source: str, ask: Callable[[TemplateFile, int], tuple[Reference, ...]]
) -> list[str]:
    """The places in the answer, as `path:text` or `path` for a whole file."""
    at = fixture(folder, source)
    template = template_file(at.workspace, at.path)
    assert template is not None
    found = []
    for place in ask(template, at.offset):
        file = at.workspace.files.read(place.path)
        assert file is not None
        base = at.root if at.root in place.path.parents else at.root.parent
        name = place.path.relative_to(base).as_posix()
        line = file.text[: place.span.start].count("\n") + 1
        found.append(f"{name}:{line}:{place.span.of(file.text)}".removesuffix(":1:"))
    return found


@pytest.mark.parametrize(
    "prompt",
    [
        "Delegate to `rev$0iewer`.",
        "Hand the diff over to the rev$0iewer.",
        "Ask the rev$0iewer subagent.",
        'Call spawn_agent with `agent_type: "rev$0iewer"`.',
        '{"agent_type": "$0Reviewer", "message": "…"}',
        'spawn_agent("reviewer$0")',
    ],
)
def test_an_agent_that_a_prompt_names_leads_to_its_file(tmp_path: Path, prompt: str) -> None:
    source = f"{LEAD}{prompt}\n{REVIEWER}"
    assert _ask(tmp_path, source, lookup.definition) == [".codex/.agents/reviewer.md"]


@pytest.mark.parametrize(
    "prompt",
    [
        "The rev$0iewer is a person.",
        "Delegate to `nob$0ody`.",
        "Delegate to the us$0er.",
        "Call `exec_$0command`.",
        '{"agent_type": "def$0ault"}',
    ],
)
def test_other_words_lead_nowhere(tmp_path: Path, prompt: str) -> None:
    assert _ask(tmp_path, f"{LEAD}{prompt}\n{REVIEWER}", lookup.definition) == []


def test_a_tool_in_backticks_stays_a_tool_where_an_agent_has_its_name(tmp_path: Path) -> None:
    agent = "//- .codex/.agents/wait.md\n---\ndescription: Waits.\n---\nWait.\n"
    for number, (prompt, found) in enumerate(
        [("Call `wa$0it`.", []), ('agent_type: "wa$0it"', [".codex/.agents/wait.md"])]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert _ask(folder, f"{LEAD}{prompt}\n{agent}", lookup.definition) == found


def test_a_call_may_write_a_dash_for_an_underscore(tmp_path: Path) -> None:
    agent = "//- .codex/.agents/code_reader.md\n---\ndescription: Reads.\n---\nRead.\n"
    source = f'{LEAD}agent_type: "code-$0reader"\n{agent}'
    assert _ask(tmp_path, source, lookup.definition) == [".codex/.agents/code_reader.md"]


def test_a_persona_leads_to_its_prompt_and_back(tmp_path: Path) -> None:
    for number, (source, found) in enumerate(
        [
            (REVIEWER.replace("Strict", "Str$0ict"), [".codex/.agents/reviewer.md:7:strict"]),
            (REVIEWER.replace(": strict", ": str$0ict"), [".codex/.agents/reviewer.md:4:Strict"]),
            (
                f'{LEAD}agent_type: "reviewer", agent_name: "str$0ict"\n{REVIEWER}',
                [".codex/.agents/reviewer.md:4:Strict"],
            ),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert _ask(folder, source, lookup.definition) == found


USER = "//- ~/.codex/.agents/reviewer.md\n-$0--\ndescription: Mine.\n---\nReview.\n"


def test_a_shadowed_file_leads_to_the_one_that_counts(tmp_path: Path) -> None:
    source = f"{REVIEWER}{USER}"
    assert _ask(tmp_path, source, lookup.definition) == [".codex/.agents/reviewer.md"]


def test_all_files_of_a_name_are_its_implementations(tmp_path: Path) -> None:
    inner = "//- web/.codex/.agents/reviewer.md\n---\ndescription: Web.\n---\nReview.\n"
    source = f"{LEAD}Ask `rev$0iewer`.\n{REVIEWER}{inner}{USER.replace('$0', '')}"
    assert _ask(tmp_path, source, lookup.implementation) == [
        ".codex/.agents/reviewer.md",
        "home/.codex/.agents/reviewer.md",
        "web/.codex/.agents/reviewer.md",
    ]


def test_references_are_all_places_from_which_the_runtime_finds_the_same_file(
    tmp_path: Path,
) -> None:
    """The inner project has a `reviewer` of its own, so its prompts mean another one."""
    inner = (
        "//- web/.codex/.agents/reviewer.md\n---\ndescription: Web.\n---\nReview.\n"
        "//- web/.codex/.agents/web-lead.md\n---\ndescription: Web.\n---\nAsk `reviewer`.\n"
        "//- api/.codex/.agents/api-lead.md\n---\ndescription: Api.\n---\nAsk `reviewer`.\n"
    )
    source = f"{LEAD}Ask `rev$0iewer`, the reviewer agent.\n{REVIEWER}{inner}"
    assert sorted(_ask(tmp_path, source, _with_declaration)) == [
        ".codex/.agents/lead.md:4:reviewer",
        ".codex/.agents/lead.md:4:reviewer",
        ".codex/.agents/reviewer.md",
        "api/.codex/.agents/api-lead.md:4:reviewer",
    ]


def test_references_of_a_persona_are_declaration_marker_and_calls(tmp_path: Path) -> None:
    call = f'{LEAD}agent_type: "reviewer", agent_name: "strict"\n'
    source = f"{REVIEWER.replace('Strict', '$0Strict')}{call}"
    expected = [
        ".codex/.agents/lead.md:4:strict",
        ".codex/.agents/reviewer.md:4:Strict",
        ".codex/.agents/reviewer.md:7:strict",
    ]
    assert sorted(_ask(tmp_path, source, _with_declaration)) == expected


def test_references_can_leave_the_declaration_out(tmp_path: Path) -> None:
    source = REVIEWER.replace("Strict", "$0Strict")
    found = _ask(
        tmp_path, source, lambda file, at: lookup.references_at(file, at, declaration=False)
    )
    assert found == [".codex/.agents/reviewer.md:7:strict"]


def test_a_name_that_the_runtime_does_not_use_is_not_renamed_along(tmp_path: Path) -> None:
    """A sub-agent's `name` counts as one of its places only while it is the agent's name."""
    for number, (name, found) in enumerate([("checker", 1), ("another", 0)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = f"""
        //- .codex/agents/checker.md
        --$0-
        name: {name}
        description: Checks.
        ---
        Check.
        """
        places = _ask(folder, source, _with_declaration)
        assert len([place for place in places if place.count(":")]) == found


def test_highlights_stay_in_the_file(tmp_path: Path) -> None:
    source = f"{LEAD}Ask `rev$0iewer`, the reviewer agent, not `worker`.\n{REVIEWER}"
    assert _ask(tmp_path, source, lookup.highlights) == [".codex/.agents/lead.md:4:reviewer"] * 2


def test_paths_of_existing_files_are_links(tmp_path: Path) -> None:
    source = f"""{LEAD}
Read docs/style.md, `./notes.txt`, `top.md` and ~/rules.md.
Not docs/none.md, docs/, and/or, 1/2 or https://example.org/docs/style.md.
//- docs/style.md
Style.
//- .codex/.agents/notes.txt
Notes.
//- top.md
Top.
//- ~/rules.md
Rules.
"""
    at = fixture(tmp_path, source)
    file = template_file(at.workspace, at.path)
    assert file is not None
    assert [(link.span.of(at.text), link.target.name) for link in document_links(file)] == [
        ("docs/style.md", "style.md"),
        ("./notes.txt", "notes.txt"),
        ("top.md", "top.md"),
        ("~/rules.md", "rules.md"),
    ]


def _with_declaration(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    return lookup.references_at(file, offset, declaration=True)
