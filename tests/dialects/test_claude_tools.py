"""The tools that an agent of Claude Code has, and what is said of lists that are read otherwise.

What the program does was measured with 2.1.332, 2026-11-28; `tests/conformance/claude-tools.jsonl`
has the headers with their tools, as far as they are YAML. `claude-tags.jsonl` has values with tags,
`claude-tabs.jsonl` headers with tabs and brackets at the start of a line, `claude-colons.jsonl`
headers with anchors, tags and colons, and how the program lists the agents, run 2026-11-30.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.decorations import inlay_hints
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Spawn
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance" / "claude-tools.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
LISTED = [
    json.loads(line)
    for name in ("claude-tags.jsonl", "claude-tabs.jsonl", "claude-colons.jsonl")
    for line in DATA.with_name(name).read_text(encoding="utf-8").splitlines()
]
# The session from which the agents were spawned; without `Bash` it searches with these.
SESSION = tuple(CASES[0]["session"])
SEARCH = ("Glob", "Grep")
EMPTY = "the runtime reads it as an empty list, and the agent has no tools"


def made(folder: Path, lines: str) -> Fixture:
    header = f"---\nname: a\ndescription: d\n{lines}\n---\nYou help.\n"
    return fixture(folder, f"//- .claude/agents/a.md\n{header}")


def spawned(fixture: Fixture) -> Spawn | RuntimeRefusal:
    call = Call({"subagent_type": "a", "prompt": "Go."}, Parent(tools=(*SESSION, *SEARCH)))
    return DIALECT.calls.spawn(catalog(fixture.workspace, DIALECT, fixture.root), call)


def row(fixture: Fixture) -> object:
    listed = DIALECT.calls.list_agents(
        catalog(fixture.workspace, DIALECT, fixture.root), Call({"name": "a"})
    )
    assert isinstance(listed, dict)
    [found] = listed["agents"]
    return found["tools"]


def told(fixture: Fixture) -> list[str]:
    found = diagnostics(fixture.workspace, fixture.path)
    return [f"{one.severity.name.lower()}[{one.code}] {one.span.of(fixture.text)}" for one in found]


def said(fixture: Fixture) -> str:
    [found] = diagnostics(fixture.workspace, fixture.path)
    return found.message


def shown(fixture: Fixture, offset: int) -> str:
    found = hover(fixture.workspace, fixture.path, offset)
    assert found is not None
    return found.markdown


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    """A workspace for one text after the other."""
    return fixture(tmp_path_factory.mktemp("written"), "//- .claude/agents/a.md\nx\n")


@each(CASES[1:])
def test_an_agent_has_the_tools_that_the_program_gives_it(
    case: dict[str, object], written: Fixture
) -> None:
    header = f"---\nname: a\ndescription: d\n{case['lines']}\n---\nYou help.\n"
    written.workspace.files.open(written.path, header)
    answer = spawned(written)

    if case["refusal"] is not None:
        assert answer == RuntimeRefusal(str(case["refusal"]))
        return
    assert isinstance(answer, Spawn)
    kept = {verdict.tool for verdict in answer.toolset.kept}
    # Builds with a search of their own give these only to agents without `Bash`.
    hidden = set(SEARCH) if "Bash" in kept or len(kept) > len(SESSION) / 2 else set()
    assert isinstance(case["tools"], list)
    assert kept - hidden == set(case["tools"]) - hidden


@pytest.mark.parametrize(
    ("lines", "expected", "message"),
    [
        ("tools:", "warning[no-tools] tools", "`tools` has no value: the agent has no tools;"),
        ("tools: ~", "warning[no-tools] tools", "`tools` has no entries: the agent has no tools;"),
        ("tools: ''", "warning[no-tools] tools", "has no entries: the agent has no tools;"),
        ("tools: |", "warning[no-tools] tools", "has no entries: the agent has no tools;"),
        ("tools: ','", "warning[no-tools] tools", "has no entries: the agent has no tools;"),
        ("tools: [~, '']", "warning[no-tools] tools", "blank entries only"),
        ("tools: 5", "warning[wrong-type] 5", EMPTY),
        ("tools: 0x1F", "warning[wrong-type] 0x1F", EMPTY),
        ("tools: true", "warning[wrong-type] true", EMPTY),
        ("tools: False", "warning[wrong-type] False", EMPTY),
        ("tools: {Read: true}", "warning[wrong-type] {Read: true}", EMPTY),
        ("tools: [5]", "warning[wrong-type] 5", "leaves it out, and the agent has no tools"),
        ("tools: [{Read: x}]", "warning[wrong-type] {Read: x}", "and the agent has no tools"),
    ],
)
def test_a_list_that_is_blank_in_any_way_means_no_tools_everywhere(
    tmp_path: Path, lines: str, expected: str, message: str
) -> None:
    file = made(tmp_path, lines)

    assert told(file) == [expected]
    assert message in said(file)
    assert row(file) == []
    answer = spawned(file)
    assert isinstance(answer, Spawn)
    assert answer.toolset.kept == ()
    assert answer.toolset.open_patterns == ()
    assert "Keeps 0 of" in shown(file, file.text.index("tools"))


def test_memory_gives_its_tools_also_to_an_agent_without_any(tmp_path: Path) -> None:
    blank = made(tmp_path / "1", "tools:\nmemory: user")
    number = made(tmp_path / "2", "tools: 5\nmemory: user")

    assert "the agent has no tools but `Read`, `Write`, `Edit`" in said(blank)
    assert said(number).endswith("except those that `memory` turns on")


def test_an_empty_list_says_what_it_does(tmp_path: Path) -> None:
    file = made(tmp_path, "tools: []")
    found = template_file(file.workspace, file.path)

    assert found is not None
    assert told(file) == []
    assert row(file) == []
    assert "no tools" in [hint.label for hint in inlay_hints(found, Span(0, len(file.text)))]


@pytest.mark.parametrize("lines", ["'*'", '["*"]', "Bash, *", "[Bash, '*', Edit]", "'* Bash'"])
def test_a_star_takes_the_effect_of_all_that_is_denied(tmp_path: Path, lines: str) -> None:
    file = made(tmp_path, f"disallowedTools: {lines}")

    assert [one.split()[0] for one in told(file)] == ["warning[unknown-tool]"]
    assert "`*` denies nothing in `disallowedTools`" in said(file)
    answer = spawned(file)
    assert isinstance(answer, Spawn)
    assert "Bash" in [verdict.tool for verdict in answer.toolset.kept]
    assert "**No effect**: `*` denies nothing" in shown(file, file.text.index("*"))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("tools: mcp__*", ["error[unknown-tool] mcp__*"]),
        ("tools: Read, mcp__*, mcp__a", ["warning[unknown-tool] mcp__*"]),
        ("tools: mcp__a__get_*", ["error[unknown-tool] mcp__a__get_*"]),
        ("disallowedTools: mcp__a__get_*", ["warning[unknown-tool] mcp__a__get_*"]),
        ("disallowedTools: mcp__a__", ["warning[unknown-tool] mcp__a__"]),
        ("disallowedTools: mcp__*", []),
        ("tools: Read)", ["error[unknown-tool] Read)"]),
        ("tools: Read, *(x)", ["warning[unknown-tool] *(x)"]),
        ("tools: KillShell", []),
        ("tools: |\n  Read\n  Grep", ["error[unknown-tool] Read\n  Grep"]),
        ("disallowedTools: {Bash: x}", ["warning[wrong-type] {Bash: x}"]),
        ("x: &x {tools: Read}\n<<: *x", []),
        (
            "tools: Read\ndisallowedTools: Read(x)",
            ["error[no-tools] tools", "warning[whole-tool] Read(x)"],
        ),
    ],
)
def test_entries_that_cover_nothing_are_told(
    tmp_path: Path, lines: str, expected: list[str]
) -> None:
    assert told(made(tmp_path, lines)) == expected


@each(LISTED)
def test_an_agent_is_listed_as_the_program_lists_it(case: dict[str, Any], tmp_path: Path) -> None:
    made = fixture(tmp_path, f"//- .claude/agents/{case['id']}.md\n")
    made.path.write_bytes(case["text"].encode())
    known = catalog(made.workspace, DIALECT, made.root)
    winner, listed = known.winner(case["id"]), case["listed"]
    read = known.read(winner) if winner is not None else None
    assert (read is not None and not read.errors) is (listed is not None)
    if read is not None and listed is not None:
        assert read.effective.settings["description"].text == listed["description"]
        tools = read.effective.settings.get("tools")
        names = [one.text for one in tools.items] if tools is not None else []
        everything = names in ([], ["*"])
        assert listed["tools"] == ("All tools" if everything else ", ".join(names))
