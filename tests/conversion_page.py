"""The text of `docs/conversion.md`, from conversions of one file with every key of its system."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from agent_lsp.analysis.conversion import Loss, LossSeverity, convert, is_written, merged
from agent_lsp.analysis.conversion.agent import Value, written_file
from agent_lsp.dialects import CONVERTED, SYSTEMS
from agent_lsp.model.conversion import Ability, Conversion
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.syntax.nodes import Mapping, Node
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture
from tests.systems import DIALECTS

PAGE = Path(__file__).parents[1] / "docs/conversion.md"
_PROMPT = "You review the change, and report what would break.\n"
_EVERY = (*DIALECTS, *(one.dialect for one in CONVERTED))
# Tables, in one line of their format. The personas of an agent are more than one agent.
_TABLES = {
    ("codex-agents", "features"): "{ web_search_request = true }",
    ("codex-agents", "skills"): '{ config = [{ path = "/skills/review", enabled = true }] }',
    ("codex-agents", "mcp_servers"): '{ tracker = { command = "tracker" } }',
    ("codex-agents", "tools"): "{ view_image = true }",
    ("kodacode", "handoff"): "{targets: [tester]}",
    ("claude", "mcpServers"): "{tracker: {type: stdio, command: tracker}}",
    ("claude", "hooks"): (
        "{PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ./check}]}]}"
    ),
    ("copilot", "handoffs"): "[{label: Test, agent: tester, prompt: Test it.}]",
    ("copilot", "hooks"): "{SessionStart: [{type: command, command: ./begin}]}",
    ("copilot", "github"): "{permissions: {contents: read}}",
    ("gemini", "mcp_servers"): "{tracker: {command: tracker}}",
    ("qwen", "mcpServers"): "{tracker: {command: tracker}}",
    ("qwen", "hooks"): (
        "{PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ./check}]}]}"
    ),
    ("qwen", "runConfig"): "{max_turns: 5}",
    ("qwen", "modelConfig"): "{temperature: 0.5}",
    ("opencode", "permission"): '{"*": deny, read: allow, grep: allow}',
    ("opencode", "tools"): "{write: false}",
    ("opencode", "options"): "{reasoningEffort: high}",
}
# Rules that limit the tools, as lists do in other systems.
_RULES = {("opencode", "permission"), ("opencode", "tools")}
# What every system has a tool for.
_COMMON = frozenset({Ability.READ, Ability.SEARCH, Ability.RUN})
_LISTS = (KeyRole.ALLOW, KeyRole.DENY)
_WEIGHTS = tuple(LossSeverity)
_INTRO = """\
# What a conversion keeps

`agent-template-lsp convert` writes an agent of one system as a file of another one, and reports
what that system cannot express. This page shows the result for each pair of systems. Each result is
the conversion of a file that has every key of its system, and `python -m tests.write_conversion`
makes the page. The files have no personas of `codex-templates` (`agent_names`), because each
persona becomes a file of its own.

- **kept**: the other system has the same key with the same meaning.
- **changed**: the other system expresses it with another key, or with other words.
- **lost**: the other system cannot express it. The agent can do no more without it.
- **may do more**: it limits the agent in this system, and the other one cannot limit it. `convert`
  exits with 1.
  *Every tool* stands for a file without a list of tools, whose agent gets more tools there.
- **tools**: how many tools have a counterpart. A tool is kept only if the agent could already do
  everything that the counterpart does.

A preset of `moltis.toml` is converted like a file of `moltis-agents`, and an agent of
`opencode.json` like a file of `opencode`. `convert` does not write presets or agents into these two
files.
"""


def page() -> str:
    """The text of the page."""
    sources = [one for one in _EVERY if one.conversion is not None and not one.schema.is_tables]
    return "\n".join((_INTRO, *(line for one in sources for line in _section(one)))).rstrip() + "\n"


def _section(source: Dialect) -> Iterator[str]:
    yield f"## From {source.id}"
    yield ""
    with TemporaryDirectory() as folder:
        file, keys = _complete(source, Path(folder))
        yield f"Keys: {_codes(keys)}."
        yield ""
        yield "| to | kept | changed | lost | may do more | tools |"
        yield "|---|---|---|---|---|---|"
        for target in _EVERY:
            if target.id != source.id and is_written(target):
                yield _row(file, keys, target)
    yield ""


def _complete(source: Dialect, folder: Path) -> tuple[TemplateFile, tuple[str, ...]]:
    """A file with as many keys as the runtime takes together, and these keys."""
    values: dict[KeyRole, Value] = {
        KeyRole.AGENT: "reviewer",
        KeyRole.DESCRIPTION: "Reviews a change. Use it before each commit.",
    }
    more: dict[str, Value] = {}
    tables: dict[str, str] = {}
    file = _file(source, values, more, tables, folder / "0")
    assert file is not None
    for number, key in enumerate(source.schema.keys, start=1):
        value, table = _value(source, key), _TABLES.get((source.id, key.name))
        if key.role in (*values, KeyRole.PROMPT) or (value is None and table is None):
            continue
        others = more if table is not None or value is None else more | {key.name: value}
        held = tables if table is None else tables | {key.name: table}
        tried = _file(source, values, others, held, folder / str(number))
        if tried is not None:
            more, tables, file = others, held, tried
    top = file.document.tree.top
    entries = top.entries if isinstance(top, Mapping) else ()
    prompt = source.schema.by_role.get(KeyRole.PROMPT)
    names = (one.name for one in entries if one.name)
    return file, tuple(one for one in names if prompt is None or one != prompt.name)


def _file(
    source: Dialect,
    values: dict[KeyRole, Value],
    more: dict[str, Value],
    tables: dict[str, str],
    folder: Path,
) -> TemplateFile | None:
    """The file with these values, if the runtime takes all of them."""
    rule = next(one for one in source.system.scopes if one.kind == "project")
    name = source.system.file_name("reviewer")
    text = _with_tables(source, written_file(source, values, _PROMPT, more, {}), tables)
    source_text = f"//- {rule.folders[0]}/{name}\n{text}"
    made = fixture(folder, source_text, systems=(*SYSTEMS, *CONVERTED))
    file = template_file(made.workspace, made.path)
    if file is None or file.dialect.id != source.id or file.reading.errors:
        return None
    is_whole = file.reading.effective.settings.keys() == file.reading.declared.settings.keys()
    unfit = source.conversion.unfit if source.conversion is not None else None
    return file if is_whole and not (unfit and unfit(file.reading)) else None


def _with_tables(source: Dialect, text: str, tables: dict[str, str]) -> str:
    if source.is_toml:
        return "".join((*(f"{name} = {table}\n" for name, table in tables.items()), text))
    lines = "".join(f"{name}: {table}\n" for name, table in tables.items())
    header, end, prompt = text.partition("\n---\n")
    return f"{header}\n{lines.rstrip()}{end}{prompt}" if lines else text


def _value(source: Dialect, key: Key) -> Value | None:
    """A value that means something else than no value."""
    conversion = source.conversion
    assert conversion is not None
    if key.role in _LISTS:
        named = sorted(
            (tool.name for tool in source.tools.listed if tool.name in conversion.tools),
            key=lambda name: conversion.tools[name].gives.isdisjoint(_COMMON),
        )
        return tuple(named[:2]) if key.role is KeyRole.ALLOW else tuple(named[2:3])
    hold = conversion.holds.get(key.name)
    plain = conversion.unset.get(key.name, frozenset()) | (hold.harmless if hold else frozenset())
    match key.kind:
        case ValueKind.BOOL:
            return "true" not in plain
        case ValueKind.NUMBER:
            return 5
        case ValueKind.CHOICE:
            return next((one.name for one in key.choices if one.name not in plain), None)
        case ValueKind.TEXT:
            words = (
                (*(one.name for one in source.models.listed),) if key.role is KeyRole.MODEL else ()
            )
            words = (*words, key.example, "blue")
            return next((one for one in words if one and one not in plain), None)
        case ValueKind.LIST:
            return (key.example or "review",)
    return None


def _row(file: TemplateFile, keys: tuple[str, ...], target: Dialect) -> str:
    made = convert(file, target)
    if isinstance(made, RuntimeRefusal):
        return f"| `{target.id}` | not converted: {made.message} | | | | |"
    losses = merged(made)
    spans = {name: _span(file, name) for name in keys}
    found: dict[str, Loss] = {}
    for loss in losses:
        name = next((n for n, (start, end) in spans.items() if start <= loss.span.start < end), "")
        found.setdefault(name, loss)
    text = made[0].text
    there = _names(target, text)
    listed = [spans[one] for one in keys if _is_list(file.dialect, one)]
    # About the whole agent, at the first line or at its name, or about its tools.
    places = (*listed, (0, 1), *(spans[one] for one in keys if _is_name(file.dialect, one)))
    is_loose = any(
        loss.weight is LossSeverity.WIDER and any(a <= loss.span.start < b for a, b in places)
        for loss in losses
    )
    columns: dict[str, list[str]] = {"kept": [], "changed": [], "lost": [], "more": []}
    for name in keys:
        is_name, is_list = _is_name(file.dialect, name), _is_list(file.dialect, name)
        own = found.get(name)
        weight = own.weight if own is not None else None
        other = _sandbox(target, own) or _counterpart(file.dialect, target, name, there)
        if is_name and other is None:
            columns["changed"].append(f"`{name}` → the file's name")
        elif is_name:
            columns["kept" if other == name else "changed"].append(f"`{name}`")
        elif weight is LossSeverity.WIDER or (is_list and is_loose):
            columns["more"].append(f"`{name}`")
        elif other == name and weight is None:
            columns["kept"].append(f"`{name}`")
        elif other is not None:
            columns["changed"].append(f"`{name}`" if other == name else f"`{name}` → `{other}`")
        else:
            columns["lost"].append(f"`{name}`")
    if is_loose and not listed:
        columns["more"].append("every tool")
    cells = [", ".join(columns[one]) or "–" for one in ("kept", "changed", "lost", "more")]
    return f"| `{target.id}` | {' | '.join(cells)} | {_tools(file.dialect, target)} |"


def _sandbox(target: Dialect, loss: Loss | None) -> str | None:
    """The key of `target` that forbids what the lost one forbade, or None."""
    key = target.schema.by_role.get(KeyRole.SANDBOX)
    is_same = key is not None and loss is not None and f"`{key.name}` forbids" in loss.message
    return key.name if key is not None and is_same else None


def _is_list(source: Dialect, name: str) -> bool:
    key = source.key(name)
    is_rule = (source.id, name) in _RULES
    return is_rule or (key is not None and key.role in _LISTS)


def _is_name(source: Dialect, name: str) -> bool:
    key = source.key(name)
    return key is not None and key.role is KeyRole.AGENT


def _span(file: TemplateFile, name: str) -> tuple[int, int]:
    top = file.document.tree.top
    entry = top.get(name) if isinstance(top, Mapping) else None
    return (entry.span.start, max(entry.span.end, _end(entry.value))) if entry else (-1, -1)


def _end(node: Node | None) -> int:
    return node.span.end if node is not None else 0


def _names(target: Dialect, text: str) -> frozenset[str]:
    """The keys of a new file."""
    top = target.parse(text).tree.top
    entries = top.entries if isinstance(top, Mapping) else ()
    return frozenset(one.name for one in entries if one.name is not None)


def _counterpart(source: Dialect, target: Dialect, name: str, there: frozenset[str]) -> str | None:
    """The key of the new file that has the meaning of `name`, or None."""
    key = source.key(name)
    role = key.role if key is not None else None
    role = KeyRole.ALLOW if _is_list(source, name) and role not in _LISTS else role
    other = target.schema.by_role.get(role) if role is not None else None
    if other is not None and (other.name in there or role not in _LISTS):
        return other.name if other.name in there else None
    # A list of denied tools may become the rest, as a list of allowed ones, or rules.
    if role in _LISTS:
        lists = [one.name for one in map(target.schema.by_role.get, _LISTS) if one is not None]
        said = sorted(target.conversion.said) if target.conversion is not None else []
        return next((one for one in (*lists, *said) if one in there), None)
    return name if name in there else None


def _tools(source: Dialect, target: Dialect) -> str:
    """How many tools of the source have a counterpart."""
    before, after = source.conversion, target.conversion
    assert before is not None
    assert after is not None
    listed = [tool.name for tool in source.tools.listed]
    kept = sum(_has_counterpart(before, after, name) for name in listed)
    return f"{kept} of {len(listed)}"


def _has_counterpart(before: Conversion, after: Conversion, name: str) -> bool:
    does = before.tools.get(name)
    gives = does.gives if does is not None else frozenset()
    return bool(gives) and any(
        other.gives and other.gives <= gives for other in after.tools.values()
    )


def _codes(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
