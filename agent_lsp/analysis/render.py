"""Renders the answers of a runtime as Markdown, in which nothing of a template is read as markup.

Invariants: the first line of an answer is what was asked. The output has no HTML, and no links
except to files. Foreign text is escaped, or stands between backticks or fences that are longer than
any inside of it. A stand-in is marked at its place.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model import runtime, template
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import (
    Candidate,
    Catalog,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Spawn,
    Toolset,
    Verdict,
)
from agent_lsp.model.schema import KeyRole, RefusedFile
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import Workspace

_LINE_END = regex(r"\s*[\r\n]+\s*")
# Editors make links of bare addresses, too: after `://`, after `www.`, and around an `@`. A `~` at
# the start of a path ends no deleted text, and a `_` inside of a word no emphasis.
_SPECIAL = regex(
    r"[\\`*<>\[\]|&$]|(?<=\S)~|~(?!/)|(?<![^\W_])_|_(?![^\W_])"
    r"|:(?=//)|(?<=[wW]{3})\.|(?<=[\w.+-])@(?=[\w-])"
)
# The beginnings of a line that make it a list item, a heading, a quote or a rule.
_LEADING = regex(r"(?:[#+=>-]|\d+(?=[.)]))")
_TICKS = regex(r"`+")
# The markup that this package writes: blocks, code, escaped characters, emphasis and links. What
# stands in a block or in code is text.
_MARKUP = regex(
    r"(?m)^(?P<fence>`{3,})[^\n`]*\n(?P<block>(?:.*\n)*?)(?P=fence)$\n?"
    r"|(?P<ticks>`+(?!`))(?P<code>[^\n]*?[^`\n])(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|\*\*"
    r"|\[(?P<label>(?:\\.|[^\]\\\n])*)\]\([^)\n]*\)"
)


def inline(text: str) -> str:
    """`text` on one line, with Markdown's special characters escaped."""
    escaped = _SPECIAL.sub(r"\\\g<0>", _one_line(text))
    leading = _LEADING.match(escaped)
    if leading is None:
        return escaped
    at = leading.end() if leading[0].isdigit() else leading.start()
    return f"{escaped[:at]}\\{escaped[at:]}"


def code(text: str) -> str:
    """`text` as code on one line."""
    row = _one_line(text)
    if not row:
        return "(empty)"
    ticks = "`" * (_longest_run(row) + 1)
    pad = " " if row.startswith("`") or row.endswith("`") else ""
    return f"{ticks}{pad}{row}{pad}{ticks}"


def codes(texts: tuple[str, ...] | list[str]) -> str:
    """Each text as code, separated by commas."""
    return ", ".join(code(text) for text in texts)


def words(text: str) -> str:
    """Text of this product, in which pairs of backticks mark code; quoted text is escaped."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        pieces[-2:] = ["`".join(pieces[-2:])]
    return "".join(
        code(piece) if at % 2 else _SPECIAL.sub(r"\\\g<0>", piece)
        for at, piece in enumerate(pieces)
        if piece
    )


def fence(text: str, language: str = "text") -> str:
    """`text` as a block, line for line."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    end = "" if not text or text.endswith("\n") else "\n"
    return f"{ticks}{language}\n{text}{end}{ticks}"


def plain(markdown: str) -> str:
    """The text that `markdown` of this package shows, without emphasis, links and escapes.

    Foreign text is as its author wrote it. It stays between its backticks or fences: they tell it
    from the words around it, and some clients render plain text as Markdown.
    """
    return _MARKUP.sub(_unmarked, markdown)


def _unmarked(found: re.Match[str]) -> str:
    if found["fence"] is not None:
        ticks = found["fence"]
        return f"{ticks}\n{found['block']}{ticks}\n"
    if found["code"] is not None:
        return found[0]
    if found["label"] is not None:
        return plain(found["label"])
    return found["escaped"] or ""


def line_of(workspace: Workspace, path: Path, span: Span) -> int:
    """The line, counted from 1, on which `span` begins in the file at `path`."""
    return workspace.files.lines(path).line_of(span.start) + 1


def link(workspace: Workspace, path: Path, span: Span | None = None) -> str:
    """A link to `path`, at the line of `span` if there is one."""
    line = None if span is None else line_of(workspace, path, span)
    label = inline(shown(workspace, path) + ("" if line is None else f":{line}"))
    if not path.is_absolute():
        return label
    return f"[{label}]({path.as_uri()}{'' if line is None else f'#L{line}'})"


def shown(workspace: Workspace, path: Path) -> str:
    """`path` as a person would write it: from the workspace folder, from the home, or in full."""
    holding = [root for root in workspace.roots if root in path.parents]
    if holding:
        return path.relative_to(max(holding, key=lambda root: len(root.parts))).as_posix()
    home, templates = workspace.host_paths.home, workspace.host_paths.templates
    if templates in path.parents:
        return path.relative_to(templates.parent).as_posix()
    if home is not None and home in path.parents:
        return f"~/{path.relative_to(home).as_posix()}"
    return str(path)


def _one_line(text: str) -> str:
    return _LINE_END.sub(" ", text).strip()


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)


STAND_IN = "**stand-in** for the runtime's own text"
# A longer value is not repeated in its chain.
_LONGEST = 60
# The settings in the first line, with their usual names.
_HEADLINE = {"model": "model", "reasoning_effort": "effort", "sandbox": "sandbox"}


@dataclass(frozen=True, slots=True)
class ListNotes:
    """The files that need more than a listing, each with the reason.

    For `unread` files, the runtime's answer is unknown here. It says nothing about `skipped` ones.
    """

    unread: tuple[tuple[Candidate, str], ...] = ()
    skipped: tuple[tuple[Candidate, str], ...] = ()


def spawned(
    workspace: Workspace,
    dialect: Dialect,
    catalog: Catalog,
    spawn: Spawn,
    programs: Iterable[str] = (),
) -> str:
    """The result of a spawn call, as Markdown; `programs` says what others make of its file."""
    name = code(spawn.name) + (f", persona {code(spawn.persona)}" if spawn.persona else "")
    settings = {setting.name: setting for setting in spawn.settings}
    values = [
        f"{word} {code(value)}"
        if (value := settings[key].value) is not None
        else f"{word} inherited"
        for key, word in _HEADLINE.items()
        if key in settings
    ]
    source, path = "Without a template", None
    but = ""
    if spawn.template is not None:
        path, scope = spawn.template.path, spawn.template.scope
        but = exceptions(dialect, catalog.read(spawn.template))
        source = f"From {link(workspace, spawn.template.path)} ({words(scope.label)})"
    root = code(place(workspace, catalog.root))
    blocks = [
        f"**{name}**: {', '.join((*values, count(spawn.toolset)))}",
        f"{source}, for a session in {root}, at depth {spawn.depth}",
        *(f"**Warning**: {words(said)}" for said in spawn.lost),
        *(f"Read by {words(said)}" for said in programs),
        "### Settings",
        "\n".join(line for setting in spawn.settings for line in chain(workspace, setting)),
        "### Tools",
        "\n".join(toolset(workspace, path, spawn.toolset, but)),
        "### Prompt",
        *(block for part in spawn.prompt for block in _part(workspace, part)),
    ]
    for artifact in spawn.artifacts:
        shown_as = fence(json.dumps(artifact.value, indent=2, ensure_ascii=False), "json")
        blocks += [f"### {artifact.name.capitalize()}", words(artifact.title), shown_as]
    if spawn.notes:
        blocks += ["### Notes", "\n".join(f"- {words(note)}" for note in spawn.notes)]
    return "\n\n".join(blocks) + "\n"


def listed(
    workspace: Workspace,
    dialect: Dialect,
    catalog: Catalog,
    call: str,
    answer: object,
    notes: ListNotes,
) -> str:
    """The runtime's list of agents, with the origin of each."""
    agents = runtime.agents(answer)
    if agents is None:
        return f"`{call}` returns\n\n{fence(json.dumps(answer, indent=2), 'json')}\n"
    many = "1 agent" if len(agents) == 1 else f"{len(agents)} agents"
    root = code(place(workspace, catalog.root))
    blocks = [f"**{many}** in `{call}`, for a session in {root}"]
    if dialect.calls.budget is not None and len(agents) > 1:
        blocks.append(str(dialect.calls.budget(catalog)))
    for agent in agents:
        blocks += _agent(workspace, dialect, catalog, agent)
    blocks += _beside(workspace, dialect, call, notes)
    looked = (
        f"{i}. {link(workspace, s.folder)} ({s.label})" for i, s in enumerate(catalog.scopes, 1)
    )
    blocks += ["### Where it looked", "\n".join(looked) or "Nowhere: none of its folders exists."]
    return "\n\n".join(blocks) + "\n"


def refused(
    workspace: Workspace, call: str, refusal: RuntimeRefusal, culprit: Candidate | None = None
) -> str:
    """The refusal of a call, with the file that caused it."""
    does = "is not answered here" if refusal.ours else "fails"
    blocks = [f"**`{call}` {does}**", fence(refusal.message)]
    if culprit is not None:
        blocks.append(
            f"The template is {link(workspace, culprit.path)} ({words(culprit.scope.label)})."
        )
    return "\n\n".join(blocks) + "\n"


def chain(workspace: Workspace, setting: ResolvedSetting) -> Iterator[str]:
    """A setting as a list item, with its steps below it."""
    value = "inherited" if setting.value is None else code(setting.value)
    yield f"- {code(setting.name)}: {value}"
    yield from (f"  {step}" for step in steps(workspace, setting))


def steps(workspace: Workspace, setting: ResolvedSetting) -> Iterator[str]:
    """Every possible source of a setting, in order, with the deciding one in bold."""
    for at, step in enumerate(setting.chain, 1):
        said = words(step.said or "not set") if step.value is None else code(step.value)
        if step.value is None and at == len(setting.chain):
            said = "not known here"
        brief = step.wins and len(said) > _LONGEST
        row = words(step.origin.label) + ("" if brief else f": {said}")
        path, span = step.origin.path, step.origin.span
        where = f" ({link(workspace, path, span)})" if path is not None and span is not None else ""
        yield f"{at}. " + (f"**{row}**" if step.wins else row) + where


def toolset(
    workspace: Workspace, path: Path | None, toolset: Toolset, but: str = ""
) -> Iterator[str]:
    """The kept tools, and a reason for each removed one; `but` are the `exceptions`."""
    kept = codes([verdict.tool for verdict in toolset.kept])
    yield f"Keeps {count(toolset)}{':' if toolset.kept else '.'} {kept}".rstrip()
    if toolset.open_patterns:
        yield f"\nAlso any MCP tool that matches {codes(toolset.open_patterns)}{but}."
    removed = [verdict for verdict in toolset.removed if verdict.certain]
    if removed:
        yield "\nRemoved:\n"
        yield from _reasons(workspace, path, removed)
    doubted = [verdict for verdict in toolset.removed if not verdict.certain]
    if doubted:
        yield "\nKept or removed:\n"
        yield from _reasons(workspace, path, doubted)


def count(toolset: Toolset) -> str:
    """The number of kept tools."""
    return f"{len(toolset.kept)} of the {len(toolset.verdicts)} tools known here"


def size(text: str) -> str:
    """The length of a prompt."""
    lines = text.count("\n") + 1 if text else 0
    letters = "1 character" if len(text) == 1 else f"{len(text)} characters"
    return f"{lines} {'line' if lines == 1 else 'lines'}, {letters}"


def exceptions(dialect: Dialect, reading: Reading) -> str:
    """A clause about deny entries that may remove tools which are unknown here."""
    key = dialect.schema.by_role.get(KeyRole.DENY)
    denied = reading.effective.settings.get(key.name) if key else None
    items = [
        item for item in (denied.items if denied else ()) if dialect.tools.cannot_tell(item.text)
    ]
    sure = [item.text for item in items if not item.stands_for]
    clauses = [f"none that matches {codes(sure)}"] if sure else []
    clauses += [
        f"perhaps not one that matches {code(item.text)}, "
        f"a **stand-in** for {words(item.stands_for)}"
        for item in items
        if item.stands_for
    ]
    return f", but {', and '.join(clauses)}" if clauses else ""


def place(workspace: Workspace, folder: Path) -> str:
    """A session root as a person would write it."""
    return f"{folder.name}/" if folder in workspace.roots else f"{shown(workspace, folder)}/"


def _reasons(workspace: Workspace, path: Path | None, said: list[Verdict]) -> Iterator[str]:
    by_reason = sorted(said, key=lambda verdict: verdict.reason)
    for reason, verdicts in groupby(by_reason, key=lambda verdict: verdict.reason):
        group = list(verdicts)
        entry, at = group[0].entry, group[0].path or path
        where = f" ({link(workspace, at, entry)})" if at is not None and entry is not None else ""
        yield f"- {words(reason)}{where}: {codes([verdict.tool for verdict in group])}"


def _beside(workspace: Workspace, dialect: Dialect, call: str, notes: ListNotes) -> Iterator[str]:
    if notes.skipped:
        yield "### Skipped by the runtime"
        yield _files(workspace, notes.skipped)
    if notes.unread:
        yield "### Not read here"
        yield _files(workspace, notes.unread)
        is_skipping = dialect.format.consequence.file is RefusedFile.SKIPPED
        does = "is skipped" if is_skipping else f"fails {code(call)}"
        yield f"The runtime reads them, and one that it refuses {does}."


def _files(workspace: Workspace, skipped: Iterable[tuple[Candidate, str]]) -> str:
    return "\n".join(
        f"- {link(workspace, file.path)} ({words(file.scope.label)}): {words(why)}"
        for file, why in skipped
    )


def _part(workspace: Workspace, part: PromptPart) -> Iterator[str]:
    kind = "verbatim" if part.verbatim else STAND_IN
    where = f" ({link(workspace, part.origin.path, part.origin.span)})" if part.origin.path else ""
    yield f"{words(part.title)}, {words(part.origin.label)}{where}: {size(part.text)}, {kind}"
    yield fence(part.text)


def _agent(
    workspace: Workspace, dialect: Dialect, catalog: Catalog, agent: Mapping[str, object]
) -> Iterator[str]:
    name, *others = agent.items()
    winner = catalog.winner(str(name[1]))
    yield f"### {code(str(name[1]))}"
    rows = []
    if winner is not None:
        mark = f", {STAND_IN}" if winner.scope.builtin else ""
        rows.append(f"- from {link(workspace, winner.path)} ({winner.scope.label}){mark}")
    fences: list[str] = []
    rows += _members(dialect, others, "", fences)
    marked = (
        template.shipped_stand_ins(catalog.read(winner).effective.settings)
        if winner is not None
        else ()
    )
    rows += (
        f"- {code(entry.text)} in {code(key)}: **stand-in** for {words(entry.stands_for)}"
        for key, entry in marked
    )
    yield "\n".join(rows)
    yield from fences


def _members(
    dialect: Dialect, members: Iterable[tuple[str, object]], title: str, fences: list[str]
) -> Iterator[str]:
    """The members as list items; prompts are long, so they are added to `fences`."""
    for key, value in members:
        if key in dialect.calls.prompts:
            fences.append(f"{code(f'{title}{key}')}:\n\n{fence(str(value))}")
        elif value is None:
            yield f"- {code(key)}: not set"
        elif isinstance(value, bool):
            yield f"- {code(key)}: {'yes' if value else 'no'}"
        elif isinstance(value, int):
            yield f"- {code(key)}: {code(str(value))}"
        elif isinstance(value, str):
            yield f"- {code(key)}: {inline(value) if key == 'description' else code(value)}"
        elif all(isinstance(item, str) for item in _items(value)):
            yield f"- {code(key)}: {codes([str(item) for item in _items(value)]) or 'none'}"
        else:
            yield f"- {code(key)}:"
            for item in _items(value):
                first, *others = dict(item).items() if isinstance(item, Mapping) else [("", item)]
                yield f"  - {code(str(first[1]))}"
                inner = _members(dialect, others, f"{first[1]} ", fences)
                yield from (f"    {row}" for row in inner)


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]
