"""What a change does to the agents, as text, as Markdown for a pull request, and as JSON.

Invariants: foreign text is on one line on a terminal, and in code or a block in Markdown. All three
say the same.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from agent_lsp.analysis.agents_diff import (
    INHERITED,
    AgentChange,
    AgentKey,
    AgentsDiff,
    AgentState,
    FileChange,
    ValueChange,
)
from agent_lsp.analysis.render import code, codes, fence, words
from agent_lsp.cli.terminal import Look, visible, wrapped
from agent_lsp.data_classes import dataclass

# A pull request has room for so many lines of a prompt; the rest is counted.
_MOST_LINES = 60
_MOST_TEXT = 120
_KINDS = (("appears", "appear"), ("vanishes", "vanish"), ("changes", "change"))
_NONE, _EVERY = "no agent changes", "all of its session"


@dataclass(frozen=True, slots=True)
class Report:
    """The changes, the names of both states for people, and the function that shows a path.

    `start` and `end` are commits; None stands for the files as they are now.
    """

    found: AgentsDiff
    between: str
    start: str
    end: str | None
    shown: Callable[[Path], str]
    place: Callable[[Path], str]


def summary(found: AgentsDiff) -> str:
    """The numbers of changes in one line, such as `1 agent appears, 2 change`."""
    kinds = [one.kind for one in found.agents]
    said = [
        f"{kinds.count(one)} {one if kinds.count(one) == 1 else many}"
        for one, many in _KINDS
        if one in kinds
    ]
    shadowed = sum(one.is_shadowed for one in found.files)
    lost = len(found.files) - shadowed
    said += [f"{shadowed} shadowed"] if shadowed else []
    said += [f"{lost} not loaded"] if lost else []
    return f"agents: {', '.join(said)}" if said else _NONE


def text(report: Report, look: Look) -> Iterator[str]:
    """The lines for a terminal."""
    yield f"{summary(report.found)}, {report.between}"
    for head, agents, files in _sections(report):
        yield from ("", look.paint(head, "bold"))
        for one in agents:
            sign, colour = _SIGNS[one.kind]
            about = f"{sign} {_named(one.key)} {one.kind}"
            told = _about(report, one)
            yield f"  {look.paint(visible(about), colour)}{f'  {visible(told)}' if told else ''}"
            yield from (wrapped(visible(row), 6, look.width) for row in _rows(one))
            for line in one.prompt:
                painted = _PAINTED.get(line[:1])
                shown = f"      | {visible(line)}".rstrip()
                yield look.paint(shown, painted) if painted else shown
        for file in files:
            yield f"  {visible(_file(report, file))}"


_SIGNS = {"appears": ("+", "information"), "vanishes": ("-", "error"), "changes": ("~", "warning")}
_PAINTED = {"+": "information", "-": "error", "@": "dim"}


def _sections(report: Report) -> Iterator[tuple[str, list[AgentChange], list[FileChange]]]:
    """The changes of each session, with its title."""

    def session(key: AgentKey) -> tuple[str, str]:
        return key.dialect, str(key.root)

    agents = {k: list(v) for k, v in groupby(report.found.agents, lambda one: session(one.key))}
    files = {k: list(v) for k, v in groupby(report.found.files, lambda one: session(one.key))}
    for dialect, root in sorted({*agents, *files}):
        head = f"{dialect}, for a session in {report.place(Path(root))}"
        yield head, agents.get((dialect, root), []), files.get((dialect, root), [])


def _named(key: AgentKey) -> str:
    return f"{key.name}, persona {key.persona}" if key.persona else key.name


def _about(report: Report, change: AgentChange) -> str:
    """The file of an agent and the reason for its change, in words."""
    return ", ".join(filter(None, (*_files(report, change), change.reason)))


def _files(report: Report, change: AgentChange) -> Iterator[str]:
    """The file of an agent, and that which defined it before if it is another one."""
    before, after = change.before, change.after
    if after is not None:
        yield _path(report, after)
    if before is not None and (after is None or before.path != after.path):
        yield _path(report, before) if after is None else f"not {_path(report, before)}"


def _path(report: Report, state: AgentState) -> str:
    if state.is_builtin:
        return "the built-in agent"
    return f"{report.shown(state.path)} ({state.label})"


def _rows(change: AgentChange) -> Iterator[str]:
    """What an agent has, if it is new, or what is different about it."""
    if change.before is None and change.after is not None:
        for name, value in _own(change.after):
            yield f"{name}: {_short(value)}"
        yield f"tools: {', '.join(change.after.tools) if change.after.is_restricted else _EVERY}"
        if change.after.refusal:
            yield f"a spawn is refused: {change.after.refusal}"
        return
    for one in change.values:
        yield f"{one.name}: {_side(one.before)} -> {_side(one.after)}"
    for how, tools in (("gained", change.gained), ("lost", change.lost)):
        if tools:
            yield f"tools {how}: {', '.join(tools)}"
    if change.prompt:
        yield f"prompt: {_lines(change.prompt)}"


def _own(state: AgentState) -> Iterator[tuple[str, str]]:
    """The settings that an agent does not inherit."""
    return ((name, value) for name, value in state.values.items() if value != INHERITED)


def _side(value: str | None) -> str:
    return "none" if value is None else _short(value)


def _short(value: str) -> str:
    row = " ".join(value.split())
    return row if len(row) <= _MOST_TEXT else f"{row[:_MOST_TEXT]}..."


def _lines(prompt: tuple[str, ...]) -> str:
    more, less = (sum(line.startswith(sign) for line in prompt) for sign in "+-")
    said = [f"{n} {'line' if n == 1 else 'lines'} {how}" for n, how in _counted(more, less) if n]
    return ", ".join(said)


def _counted(more: int, less: int) -> tuple[tuple[int, str], ...]:
    return ((more, "added"), (less, "removed"))


def _file(report: Report, change: FileChange) -> str:
    where = f"! {report.shown(change.path)} defines {change.key.name}"
    if change.winner is not None:
        return f"{where}, which is shadowed by {report.shown(change.winner)}"
    return f"{where}, which does not load: {change.reason}"


def markdown(report: Report) -> Iterator[str]:
    """The blocks for a pull request."""
    yield "### What this change does to the agents"
    said = summary(report.found)
    yield f"{said[0].upper()}{said[1:]}, {_said(report.between)}."
    for head, agents, files in _sections(report):
        yield f"#### {_said(head)}"
        for one in agents:
            yield "\n".join(_item(report, one))
            if one.prompt:
                shown = "\n".join(one.prompt[:_MOST_LINES])
                yield fence(shown, "diff")
                if len(one.prompt) > _MOST_LINES:
                    yield f"and {len(one.prompt) - _MOST_LINES} more lines"
        for file in files:
            yield f"- {_file_in_markdown(report, file)}"


def _item(report: Report, change: AgentChange) -> Iterator[str]:
    about = ", ".join(map(code, _files(report, change)))
    about = ", ".join(filter(None, (about, _said(change.reason))))
    name = code(change.key.name)
    name += f", persona {code(change.key.persona)}," if change.key.persona else ""
    yield f"- **{name} {change.kind}**{f': {about}' if about else ''}"
    if change.before is None and change.after is not None:
        yield from (f"  - {code(k)}: {code(_short(v))}" for k, v in _own(change.after))
        if change.after.is_restricted:
            yield f"  - tools: {codes(list(change.after.tools)) or 'none'}"
        else:
            yield f"  - tools: {_EVERY}"
    for value in change.values:
        yield f"  - {_value(value)}"
    yield from _tools("tools gained", change.gained)
    yield from _tools("tools lost", change.lost)
    if change.prompt:
        yield f"  - prompt: {_lines(change.prompt)}"


def _said(text: str) -> str:
    """Our words, and what they quote; as code if GitHub would make a link of it, or call somebody.

    It does so for `@name`, `#1` and an e-mail address, even if they are escaped.
    """
    return words(text) if set("@#").isdisjoint(text) else code(text)


def _tools(title: str, tools: tuple[str, ...]) -> Iterator[str]:
    if tools:
        yield f"  - {title}: {codes(list(tools))}"


def _value(change: ValueChange) -> str:
    sides = ("none" if one is None else code(_short(one)) for one in (change.before, change.after))
    return f"{code(change.name)}: {' → '.join(sides)}"


def _file_in_markdown(report: Report, change: FileChange) -> str:
    where = f"{code(report.shown(change.path))} defines {code(change.key.name)}"
    if change.winner is not None:
        return f"{where}, which is shadowed by {code(report.shown(change.winner))}"
    return f"{where}, which does not load: {code(change.reason)}"


def data(report: Report, name: Callable[[Path], str]) -> dict[str, object]:
    """The changes as JSON; `name` gives a path's text for a program."""
    return {
        "from": report.start,
        "to": report.end,
        "agents": [_agent(one, name) for one in report.found.agents],
        "files": [
            {
                **_key(one.key, name),
                "file": name(one.path),
                "shadowed_by": name(one.winner) if one.winner is not None else None,
                "not_loaded": one.reason or None,
            }
            for one in report.found.files
        ],
    }


def _agent(change: AgentChange, name: Callable[[Path], str]) -> dict[str, object]:
    return {
        "change": change.kind,
        **_key(change.key, name),
        "persona": change.key.persona or None,
        "reason": change.reason or None,
        "before": _state(change.before, name),
        "after": _state(change.after, name),
        "settings": [
            {"name": one.name, "before": one.before, "after": one.after} for one in change.values
        ],
        "tools": {"gained": list(change.gained), "lost": list(change.lost)},
        "prompt": list(change.prompt),
    }


def _key(key: AgentKey, name: Callable[[Path], str]) -> dict[str, object]:
    return {"dialect": key.dialect, "session": name(key.root), "agent": key.name}


def _state(state: AgentState | None, name: Callable[[Path], str]) -> dict[str, object] | None:
    if state is None:
        return None
    return {
        "file": None if state.is_builtin else name(state.path),
        "scope": state.label,
        "settings": dict(state.values),
        "tools": list(state.tools),
        "refused": state.refusal or None,
    }
