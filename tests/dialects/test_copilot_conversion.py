"""What becomes of an agent of Copilot elsewhere, by the programs that count."""

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

from agent_lsp.analysis.conversion import Converted, convert, targets
from agent_lsp.analysis.conversion.abilities import abilities, abilities_of
from agent_lsp.data_classes import replace
from agent_lsp.dialects import CONVERTED, SYSTEMS
from agent_lsp.model.conversion import reach
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import KeyRole
from agent_lsp.options import Extras, Options
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.effort import fifth
from tests.fixture import fixture
from tests.systems import dialect_of

OWN, CLAUDE = ".github/agents/a.agent.md", ".claude/agents/a.md"
EVERY = (*SYSTEMS, *CONVERTED)
READERS: dict[str, Options] = {
    "vscode": Options(programs=frozenset({"copilot-vscode"})),
    "cli": Options(programs=frozenset({"copilot-cli"})),
    "both": Options(programs=frozenset({"copilot"})),
    "cli, by its setting": Options(
        programs=frozenset({"copilot"}), extras={"copilot": Extras(readers=("cli",))}
    ),
}
# The tools of Claude Code for an entry in VS Code, in Copilot CLI, and in VS Code for a file in
# `.claude/agents`.
ENTRIES: dict[str, tuple[str, str, str]] = {
    "read": ("Read", "Read", ""),
    "edit": ("Write, Edit", "Write, Edit", ""),
    "execute": ("Read, Glob, Grep, Bash", "Read, Glob, Grep, Bash", ""),
    "search": ("Read, Glob, Grep, LSP", "Glob, Grep", ""),
    "web": ("WebFetch", "WebFetch, WebSearch", ""),
    "agent": ("Agent", "Agent, ListAgents, SendMessage", ""),
    "Grep": ("", "Grep", "Grep"),
    "Bash": ("", "Read, Glob, Grep, Bash", "Read, Glob, Grep, Bash"),
    "WebFetch": ("", "WebFetch", "WebFetch"),
    "read/readFile": ("Read", "Read", ""),
    "search/usages": ("LSP", "", ""),
    "read/skill": ("Skill", "", ""),
    "skill": ("Skill", "Skill", ""),
    "runCommands": ("Read, Glob, Grep, Bash", "Read, Glob, Grep, Bash", ""),
    "fetch": ("WebFetch", "", ""),
    "acme/*": ("mcp__acme__*", "mcp__acme__*", ""),
    "acme/find": ("mcp__acme__find", "mcp__acme__find", ""),
    "mcp__acme__find": ("", "", ""),
    "github/*": ("mcp__github__*", "mcp__github__*", ""),
    "Bash(git:*)": ("", "", ""),
    "nonsense": ("", "", ""),
    "Agent": ("", "Agent, ListAgents, SendMessage", ""),
    "Skill": ("", "Skill", ""),
    "view": ("", "Read", ""),
}


def agent(
    folder: Path, tools: str, options: Options, path: str = OWN, more: str = ""
) -> TemplateFile:
    return next(agents(folder, [tools], options, path, more))


def agents(
    folder: Path, lists: Iterable[str], options: Options, path: str = OWN, more: str = ""
) -> Iterator[TemplateFile]:
    """The agent with one list of tools after the other."""
    made = fixture(folder, f"//- {path}\n", options=options, systems=EVERY)
    for tools in lists:
        lines = f"name: agent\ndescription: Works.\ntools: {tools}\n{more}"
        made.path.write_text(f"---\n{lines}---\nDo the work of an agent.\n", encoding="utf-8")
        made.workspace.files.rewritten(made.path)
        file = template_file(made.workspace, made.path)
        assert file is not None
        assert file.dialect.id == "copilot"
        yield file


def made(file: TemplateFile, target: str) -> Converted:
    dialect = next(one.dialect for one in EVERY if one.id == target)
    answer = convert(file, dialect)
    assert not isinstance(answer, RuntimeRefusal), answer.message
    return answer[0]


def said(file: Converted) -> list[str]:
    return [f"{one.weight.value}: {one.message}" for one in file.losses]


def header(file: Converted) -> str:
    return file.text.split("---\n")[1]


def tools(file: Converted) -> str | None:
    """The list of allowed tools in a file of Claude Code, or None without one."""
    lines = (line for line in header(file).splitlines() if line.startswith("tools: "))
    found = next((line.removeprefix("tools: ") for line in lines), None)
    return "" if found == "[]" else found


def expected(entry: str, readers: str, path: str) -> str:
    """What an entry is in Claude Code; with two programs what it is to the first that knows it."""
    of_vs, of_cli, of_borrowed = ENTRIES[entry]
    of_vs = of_borrowed if path == CLAUDE else of_vs
    return {"vscode": of_vs, "both": of_vs or of_cli}.get(readers, of_cli)


CASES = list(product(READERS, (OWN, CLAUDE)))


@pytest.mark.parametrize(("readers", "path"), CASES)
def test_an_entry_keeps_the_tools_that_it_has_in_the_programs_that_count(
    readers: str, path: str, tmp_path: Path
) -> None:
    found = {}
    lists = (f"[{entry!r}]" for entry in ENTRIES)
    files = agents(tmp_path, lists, READERS[readers], path)
    for entry, file in zip(ENTRIES, files, strict=True):
        one = made(file, "claude")
        found[entry] = tools(one)
        # The old agent may do as much in one of the programs, and nobody knows in which one it is.
        is_of_one = readers == "both" and bool(found[entry])
        is_of_one = is_of_one and not expected(entry, "vscode", path)
        what = f"may do more: `{entry}` allows tools in Copilot CLI, but none in VS Code"
        assert (what in said(one)) == is_of_one, entry
    assert found == {entry: expected(entry, readers, path) for entry in ENTRIES}


TARGETS = {target.id: target for target in targets(EVERY, dialect_of("copilot"))}


@pytest.mark.parametrize(
    ("readers", "path", "target"),
    fifth(product((one for one in READERS if "," not in one), (OWN, CLAUDE), TARGETS)),
)
def test_an_entry_that_is_not_carried_over_is_told(
    readers: str, path: str, target: str, tmp_path: Path
) -> None:
    """Whatever the other system is."""
    claude, there = dialect_of("claude").conversion, TARGETS[target]
    assert claude is not None
    assert there.conversion is not None
    lists = (f"[{', '.join(map(repr, entries))}]" for entries in apart())
    files = agents(tmp_path, lists, READERS[readers], path)
    for entries, file in zip(apart(), files, strict=True):
        answer = convert(file, there)
        if isinstance(answer, RuntimeRefusal):
            assert answer.message.startswith("the other system can give it none of its tools")
            continue
        [one] = answer
        can = reach(abilities_of(written(file, one), there.conversion).can)
        told = {loss.span for loss in one.losses}
        for entry in entries:
            names = expected(entry, readers, path).split(", ")
            gives = abilities(claude, names)
            is_carried = bool(gives) and gives <= can
            # Without lists, each agent there has the servers of its session.
            is_carried |= names[0].startswith("mcp__") and not has_lists(there)
            assert is_carried or place(file, entry) in told, entry


def has_lists(target: Dialect) -> bool:
    rules = target.conversion.rules if target.conversion is not None else None
    return rules is not None or target.schema.by_role.get(KeyRole.ALLOW) is not None


def apart() -> list[list[str]]:
    """All entries, in lists of which no two give the same tool."""
    groups: list[tuple[set[str], list[str]]] = []
    for entry, columns in ENTRIES.items():
        names = {name for column in columns for name in column.split(", ") if name}
        at = next((one for one in groups if names.isdisjoint(one[0])), None)
        if at is None:
            groups.append((names, [entry]))
        else:
            at[0].update(names)
            at[1].append(entry)
    return [entries for _, entries in groups]


def place(file: TemplateFile, entry: str) -> Span:
    start = file.document.text.index(repr(entry))
    return Span(start, start + len(repr(entry)))


def written(file: TemplateFile, made: Converted) -> TemplateFile:
    """The new file as its own system reads it, which counts for once."""
    made.path.parent.mkdir(parents=True, exist_ok=True)
    made.path.write_text(made.text, encoding="utf-8")
    file.workspace.files.refresh()
    every = replace(file.workspace, settings={})
    found = template_file(every, made.path)
    assert found is not None
    made.path.unlink()
    return found


@pytest.mark.parametrize(
    ("readers", "listed", "more"),
    [
        ("vscode", "", []),
        ("cli", None, []),
        ("both", None, ["may do more: `*` allows tools in Copilot CLI, but none in VS Code"]),
    ],
)
def test_a_star_is_every_tool_where_it_is_one(
    readers: str, listed: str | None, more: list[str], tmp_path: Path
) -> None:
    for at, entries in enumerate(("['*']", "'*'", "['*', nonsense]", "[nonsense, '*']")):
        one = made(agent(tmp_path / str(at), entries, READERS[readers]), "claude")
        assert tools(one) == listed
        assert [what for what in said(one) if "Copilot CLI, but" in what] == more


def test_a_set_gives_no_tool_that_most_sessions_lack(tmp_path: Path) -> None:
    one = made(agent(tmp_path, "[read]", READERS["vscode"]), "claude")
    assert tools(one) == "Read"
    assert not any("skill" in what for what in said(one))


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("[read]", "agents: [b]\n"), "lost: `agents`: there is no such key"),
        (
            ("[read, agent]", "agents: [b]\n"),
            "may do more: `agents` is lost: in the other system the agent may call every agent",
        ),
    ],
)
def test_a_limit_on_calls_is_no_loss_for_an_agent_that_calls_none(
    lines: tuple[str, str], told: str, tmp_path: Path
) -> None:
    one = made(agent(tmp_path, lines[0], READERS["both"], more=lines[1]), "claude")
    assert any(what.startswith(told) for what in said(one))


def test_keys_of_a_program_that_does_not_count_are_only_noted(tmp_path: Path) -> None:
    lines = "agents: [b]\nhooks: {}\nskills: [s]\n"
    of_cli = made(agent(tmp_path / "cli", "[agent]", READERS["cli"], more=lines), "claude")
    assert "note: `agents` is not known to Copilot CLI: it is left out" in said(of_cli)
    assert "note: `hooks` is not known to Copilot CLI: it is left out" in said(of_cli)
    of_vs = made(agent(tmp_path / "vs", "[agent, Grep]", READERS["vscode"], more=lines), "claude")
    assert "note: `skills` is not known to VS Code: it is left out" in said(of_vs)
    assert "note: `Grep` is not a known tool of VS Code: it is left out" in said(of_vs)


def test_a_description_that_the_cli_refuses_hides_no_name_of_a_tool(tmp_path: Path) -> None:
    source = "//- .github/agents/a.agent.md\n---\ndescription: a: b\ntools: [Grep]\n---\nWork.\n"
    found = fixture(tmp_path, source)
    file = template_file(found.workspace, found.path)
    assert file is not None
    assert tools(made(file, "claude")) == "Grep"


def test_a_lost_switch_that_hides_the_agent_from_models_is_told_first(tmp_path: Path) -> None:
    wider = "may do more: `infer: false` is lost: models of the other system may call the agent"
    for value in ("false", "true"):
        folder = tmp_path / value
        one = made(agent(folder, "[read]", READERS["both"], more=f"infer: {value}\n"), "claude")
        assert (said(one)[0] == wider) == (value == "false")


@pytest.mark.parametrize(
    ("line", "is_wider"),
    [
        ("infer: False", True),
        ('infer: "no"', False),
        ('disable-model-invocation: "yes"', False),
        ("user-invocable: 0", False),
    ],
)
def test_a_switch_restricts_as_a_program_reads_it(
    line: str, is_wider: bool, tmp_path: Path
) -> None:
    """Copilot CLI takes `False` for false; no program takes a word of YAML 1.1."""
    one = made(agent(tmp_path, "[read]", READERS["both"], more=f"{line}\n"), "claude")
    about = [what for what in said(one) if line.partition(":")[0] in what]
    assert [what.startswith("may do more") for what in about] == [is_wider]
