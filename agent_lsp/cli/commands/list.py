"""`list`: shows the agents that a session finds, and the file that defines each of them.

Invariants: `--json` prints what the runtime's own call returns, and nothing else. What the command
prints about an agent is the runtime's answer.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis.preview import commands, programs
from agent_lsp.analysis.preview.call_arguments import Arguments
from agent_lsp.analysis.preview.programs import confirmation, taken
from agent_lsp.cli.arguments import add_session, examples
from agent_lsp.cli.resolve import (
    Chosen,
    chosen,
    current_folder,
    request_for,
    session,
    session_place,
    shown,
    tell,
    tell_uncounted,
)
from agent_lsp.cli.terminal import Look, as_json, look, quoted, visible, wrapped
from agent_lsp.data_classes import dataclass
from agent_lsp.model import runtime
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal
from agent_lsp.model.schema import Parameter
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.snapshot import Workspace, root_for

_REFUSED = 1
_INDENT = 2
_EXPANDED = "expanded"


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `list`."""
    command.description = (
        "Shows the agents that a session started here would find, and which file\n"
        "defines each of them."
    )
    command.epilog = examples("list", "list --agent-type reviewer", "list --json")
    add_session(command)
    command.add_argument("--agent-type", metavar="NAME", help="show only this agent")
    command.add_argument(
        f"--{_EXPANDED}",
        action="store_true",
        help="also show models, efforts and prompts, if the system's own list has them",
    )


def run(arguments: Namespace) -> int:
    """Prints the agents, or why the runtime refuses to list them; a refusal gives exit code 1."""
    here = current_folder()
    workspace, start = session(arguments.root, here, getattr(arguments, "for"))
    taken = chosen(workspace, arguments.dialect, start)
    if arguments.dialect is not None:
        tell_uncounted(workspace, taken.dialect, start)
    answering = _answering(workspace, taken, arguments, start)
    # JSON is one answer, and cannot say whose it is.
    if arguments.json or not taken.is_sure:
        tell(taken)
    codes = []
    for number, dialect in enumerate(answering):
        if number:
            print()
        codes.append(_answer(workspace, dialect, arguments, start, here))
    return max(codes)


def _answering(
    workspace: Workspace, taken: Chosen, arguments: Namespace, start: Path | None
) -> tuple[Dialect, ...]:
    """The dialects that answer: all that were found; those that know the agent, if one is named.

    The most widely used one comes first, as in the summary of `check`.
    """
    if arguments.json or not taken.others:
        return (taken.dialect,)
    ranked = tuple(
        sorted(taken.every, key=lambda one: (-one.system.repositories, one.system.program))
    )
    if arguments.agent_type is None:
        return ranked
    knowing = (
        one
        for one in ranked
        if arguments.agent_type
        in catalog(workspace, one, root_for(workspace, one.system, start)).names
    )
    return tuple(knowing) or (taken.dialect,)


def _answer(
    workspace: Workspace, dialect: Dialect, arguments: Namespace, start: Path | None, here: Path
) -> int:
    """Prints the answer of one system, and returns the exit code."""
    can_expand = any(one.name == _EXPANDED for one in dialect.calls.list_parameters)
    if arguments.expanded and not can_expand:
        said = f"`--{_EXPANDED}` adds nothing for {dialect.system.heading}"
        print(f"note: {said}; `preview NAME` shows the model and the prompt", file=sys.stderr)
    given = {
        "dialect": dialect.id,
        runtime.filter_of(dialect): arguments.agent_type,
        _EXPANDED: (arguments.expanded and can_expand) or None,
    }
    argument = {key: value for key, value in given.items() if value is not None}
    asked = request_for(workspace, argument, start, _call)
    found = catalog(workspace, asked.dialect, asked.root)
    answer = commands.list_agents(workspace, argument, start)
    error = answer["error"]
    if arguments.json and error is None:
        print(as_json(answer["result"], sys.stdout))
    # One broken template makes the runtime's whole call fail. People still want to see the other
    # agents, unless the runtime loads none of them.
    elif not arguments.json and (
        error is None or (arguments.agent_type is None and asked.dialect.names.failure is None)
    ):
        _print(_Page(workspace, asked, found, here, look(sys.stdout)))
    if error is None:
        return 0
    print(f"error: {visible(str(error))}", file=sys.stderr)
    is_about_all = arguments.agent_type is None or asked.dialect.names.failure is not None
    broken = runtime.culprit(asked.dialect, found) if is_about_all else None
    if broken is not None:
        where = f"{shown(broken.path, here)} ({broken.scope.label})"
        print(f"  the cause is {where}", file=sys.stderr)
    return _REFUSED


def _call(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.calls.list_call, dialect.calls.list_parameters


@dataclass(frozen=True, slots=True)
class _Page:
    """The options of the command, the runtime's answer, and the layout."""

    workspace: Workspace
    asked: Arguments
    found: Catalog
    here: Path
    look: Look


def _print(page: _Page) -> None:
    dialect, call = page.asked.dialect, page.asked.call
    one = runtime.filter_of(dialect)
    # The runtime does not know a name that only unreadable files define.
    names = [name for name in page.found.names if page.found.winner(name)]
    answered = runtime.agents(dialect.calls.list_agents(page.found, call)) or []
    # A runtime may have agents that no file defines.
    first = [str(next(iter(row.values()))) for row in answered if row]
    names += (name for name in first if name not in names)
    if one in call.arguments:
        names = [str(call.arguments[one])]
    many = "1 agent" if len(names) == 1 else f"{len(names)} agents"
    # A runtime may list all files of a name.
    rows = Counter(name for name in first if name in names)
    more = rows.total() - len(rows)
    hidden = f", and {more} that {'is' if more == 1 else 'are'} overridden" if more > 0 else ""
    missing = sum(_is_missing(page, page.found.candidates(name)) for name in names)
    but = f", {missing} of which it does not have now" if missing else ""
    place = session_place(page.found.root, page.here)
    print(f"{many} of {dialect.system.heading} for a session in {place}{hidden}{but}")
    if dialect.calls.budget is not None and one not in call.arguments:
        print(wrapped(str(dialect.calls.budget(page.found)), 0, page.look.width))
    if one not in call.arguments:
        for note in page.found.notes():
            print(wrapped(note, 0, page.look.width))
    for name in names:
        alone = Call({**call.arguments, one: name}, call.parent, call.tools)
        print()
        for line in _entry(page, name, dialect.calls.list_agents(page.found, alone)):
            print(line)
    for candidate, why in page.found.skipped():
        if one not in call.arguments:
            said = f"skipped by the runtime: {why}"
            print("", _place(page, candidate), sep="\n")
            print(page.look.paint(wrapped(said, _INDENT, page.look.width), "error"))
    over = page.found.passed_over
    if over is not None and one not in call.arguments:
        print("", _place(page, over), wrapped("not read here", _INDENT, 80), sep="\n")


def _entry(page: _Page, name: str, answer: object) -> Iterator[str]:
    dialect, call = page.asked.dialect, page.asked.call
    agents = runtime.agents(answer)
    if agents is None:
        message = answer.message if isinstance(answer, RuntimeRefusal) else str(answer)
        ours = isinstance(answer, RuntimeRefusal) and answer.ours
        said = message if ours else f"`{runtime.call_of(dialect, call)}` refuses it: {message}"
        yield from _heading(page, name)
        yield page.look.paint(wrapped(said, _INDENT, page.look.width), "error")
        return
    seen = Counter[str]()
    for agent in agents:
        own, *members = agent.items()
        # A runtime may list all files of a name, in the order of precedence.
        yield from _heading(page, str(own[1]), _nth(page, agent, seen[str(own[1])]))
        seen[str(own[1])] += 1
        # Only the call for one agent returns prompts; the call for all agents does not.
        if (
            dialect.calls.describe_call is not None
            and runtime.filter_of(dialect) not in call.arguments
        ):
            members = [member for member in members if member[0] not in dialect.calls.prompts]
        yield from _members(dialect, members, _INDENT, page.look.width)


def _nth(page: _Page, row: Mapping[str, object], seen: int) -> int:
    """The place of a row's file among those of its name; `seen` rows of the name came before."""
    candidates = page.found.candidates(str(next(iter(row.values()))))
    paths = (at for at, one in enumerate(candidates) if str(one.path) == row.get("path"))
    return next(paths, seen)


def _is_missing(page: _Page, candidates: tuple[Candidate, ...]) -> bool:
    """Whether a session does not have the agent: nobody has confirmed it, or it is switched off."""
    first = next(iter(candidates), None)
    if first is None:
        return False
    standing = confirmation(page.workspace, page.asked.dialect, page.found.root, first)
    return standing is not None and not standing.is_open


def _heading(page: _Page, name: str, at: int = 0) -> Iterator[str]:
    """The name with its scope and file, and the files that it overrides.

    `at` is the place of the file among those of the name.
    """
    bold = page.look.paint(visible(name), "bold")
    candidates = page.found.candidates(name)[at:]
    if not candidates:
        yield bold
        return
    stand_in = ", shown as a stand-in" if candidates[0].scope.builtin else ""
    yield f"{bold}  {_place(page, candidates[0])}{stand_in}"
    if at and candidates[0] not in page.found.parts(name):
        yield f"  overridden by {_place(page, page.found.candidates(name)[0])}"
        return
    standing = confirmation(page.workspace, page.asked.dialect, page.found.root, candidates[0])
    if standing is not None and not standing.is_open:
        said = f"not {standing.word}: {standing.reason}"
        yield page.look.paint(wrapped(said, _INDENT, page.look.width), "warning")
        instead = next((one for one in candidates[1:] if not _is_missing(page, (one,))), None)
        if instead is not None:
            yield f"  until then the session has {_place(page, instead)}"
            return
    said = taken(page.asked.dialect, page.found, candidates[0])
    if said:
        yield wrapped(said, _INDENT, page.look.width)
    read = programs.of_path(page.workspace, candidates[0].path)
    for said in programs.lines(tuple(one for one in read if one.dialect != page.asked.dialect.id)):
        yield wrapped(f"also read by {said}", _INDENT, page.look.width)
    parts = page.found.parts(name)
    merged = [other for other in candidates[1:] if other in parts]
    replaced = [other for other in candidates[1:] if other not in parts]
    for how, others in (("merged with", merged), ("instead of", replaced)):
        if others:
            yield f"  {how} {', '.join(_place(page, other) for other in others)}"


def _place(page: _Page, candidate: Candidate) -> str:
    label = candidate.scope.label
    # The runtime has no such file, since its built-in agents are part of the program.
    return label if candidate.scope.builtin else f"{shown(candidate.path, page.here)} ({label})"


def _members(
    dialect: Dialect, members: list[tuple[str, object]], indent: int, width: int
) -> Iterator[str]:
    """The members that are set: the description as a paragraph, and prompts line by line."""
    for key, value in members:
        if key == "description":
            yield wrapped(str(value), indent, width, hang=0)
        elif key in dialect.calls.prompts:
            yield f"{' ' * indent}{key}:"
            yield from quoted(str(value), indent + _INDENT)
        elif isinstance(value, bool):
            yield f"{' ' * indent}{key}: {'yes' if value else 'no'}"
        elif isinstance(value, str):
            yield wrapped(f"{key}: {value}", indent, width)
        elif isinstance(value, int):
            yield f"{' ' * indent}{key}: {value}"
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            yield wrapped(f"{key}: {', '.join(value) or 'none'}", indent, width)
        elif isinstance(value, list):
            yield f"{' ' * indent}{key}:"
            for item in value:
                own, *others = item.items()
                yield f"{' ' * (indent + _INDENT)}{visible(str(own[1]))}"
                yield from _members(dialect, others, indent + 2 * _INDENT, width)
