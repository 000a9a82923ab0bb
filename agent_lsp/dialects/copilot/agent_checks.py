"""Checks what an agent's file says of other agents, and whether both programs have its agent.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28. A hand-off and `agents` name an
agent by its name, compared exactly; a hand-off that lacks a label, an agent or a prompt is dropped,
and the button of one to an agent that is not there does nothing. Nothing is said of any of this.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, shown
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.copilot import (
    AGENT,
    CHAT_MODE,
    PLAIN,
    VSCODE,
    id_at,
    is_agent_of_vs,
    readers_at,
    reading,
    sessions,
    stem,
    vs_tools,
)
from agent_lsp.dialects.copilot.cli_tools import EVERY
from agent_lsp.dialects.copilot.facts import ALLOW, BUILT_IN, BUILT_IN_CLI, MODES, MOST_FILES
from agent_lsp.dialects.copilot.reading import name_of
from agent_lsp.dialects.copilot.values import handoff, truth
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.runtime import Candidate, Scope
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import Value
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.programs import readers_in_use
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of


def missing_part(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each hand-off that VS Code drops."""
    for item in _handoffs(file):
        said = {
            entry.name: node.value
            for entry in reversed(item.entries)
            if isinstance(node := resolve(entry.value), Scalar)
        }
        lacking = [name for name in ("label", "agent") if not said.get(name, "").strip()]
        lacking += [] if "prompt" in said else ["prompt"]
        if lacking:
            first = item.entries[0].key.span if item.entries else item.span
            thing = f"the hand-off has no {listed(lacking)}"
            fix = "add it" if len(lacking) == 1 else "add them"
            yield Finding(first, f"{thing}, so VS Code drops it; {fix}")


def handoff_switches(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each switch of a hand-off that is neither `true` nor `false`."""
    for item in _handoffs(file):
        for entry in item.entries:
            usual = _SWITCHES.get(entry.name or "")
            node = resolve(entry.value)
            if usual is None or node is None or not len(node.span):
                continue
            if not isinstance(node, Scalar):
                thing = f"{code(entry.name or '')} must be `true` or `false`"
                yield Finding(node.span, f"{thing}: VS Code reads it as {code(usual)}")
                continue
            if truth(node) is not None:
                if node.style is not Style.PLAIN:
                    message = f"VS Code reads {code(node.value)} in quotes, and marks an error"
                    yield Finding(node.span, message, Severity.INFORMATION, meant=(node.value,))
                continue
            meant = MEANT.get(node.value.lower())
            thing = f"{code(entry.name or '')} cannot be {code(node.value)}"
            effect = f"VS Code reads it as {code(usual)}"
            fix = f"write {code(meant)}" if meant else "write `true` or `false`"
            words = (meant,) if meant else ()
            yield Finding(node.span, f"{thing}: {effect}; {fix}", meant=words)


# The switches of a hand-off, each with what counts without a value.
_SWITCHES = {"send": "false", "showContinueOn": "true"}
MEANT = {
    **dict.fromkeys(("yes", "on", "true", "1"), "true"),
    **dict.fromkeys(("no", "off", "false", "0"), "false"),
}


def _handoffs(file: TemplateFile) -> Iterator[Mapping]:
    entry = reading.entry(file.document, "handoffs") if header.parses(file) else None
    node = resolve(entry.value) if entry is not None else None
    for item in node.items if isinstance(node, Sequence) else ():
        target = resolve(item)
        if isinstance(target, Mapping):
            yield target


def unknown_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each name that no agent has, and on one that a button cannot start."""
    if not header.parses(file):
        return
    agents = file.reading.effective.settings.get("agents")
    goals = [goal for item in _handoffs(file) if (goal := handoff(item).get("agent"))]
    goals = [goal for goal in goals if goal.text.strip()]
    names = [] if agents is None else [one for one in agents.items if one.text != EVERY]
    if not goals and not names:
        return
    found = catalog_of(file)
    known = dict.fromkeys((*sessions.names_in_vs(found), *BUILT_IN))
    for one in goals:
        if one.text in MODES:
            continue
        if one.text not in known:
            yield _unknown(file, one, tuple(known), "the button does nothing")
            continue
        winner = found.winner(one.text)
        held = found.read(winner).effective.settings if winner is not None else {}
        invocable = held.get("user-invocable")
        if invocable is not None and invocable.value is False and winner is not None:
            thing = f"people cannot select {code(one.text)}, so the button does nothing"
            related = (Related(winner.path, invocable.span, "it is set here"),)
            # VS Code does not report this one.
            yield Finding(one.span, thing, related=related, code="out-of-reach", severity=_WARNING)
    for one in names:
        if one.text not in known:
            yield _unknown(file, one, tuple(known), "the agent may not call it")


_WARNING = Severity.WARNING


def _unknown(file: TemplateFile, one: Value, names: tuple[str, ...], effect: str) -> Finding:
    """The finding on an unknown name; the name of an agent's file is often meant for its own."""
    thing = f"no agent is called {code(one.text)}: {effect}"
    meant = _of_file(file, one.text) or nearest(one.text, names)
    if meant is None:
        said = f"{thing}, unless an extension or an organisation has such an agent"
        return Finding(one.span, said, Severity.INFORMATION)
    return Finding(one.span, f"{thing}; did you mean {code(meant)}?", meant=(meant,))


def _of_file(file: TemplateFile, stem: str) -> str | None:
    """The name of the agent in the file that is called `stem`."""
    found = catalog_of(file)
    for name in found.names:
        if any(name_of(one.path.name) == stem for one in found.candidates(name)):
            return name
    return None


def futile_delegation(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on `agents` in a file whose tools do not start any."""
    settings = file.reading.effective.settings
    agents, tools = settings.get("agents"), settings.get(ALLOW)
    if not header.parses(file) or agents is None or tools is None or not agents.items:
        return
    if not any(vs_tools.AGENT in vs_tools.covered(one.text) for one in tools.items):
        thing = f"{code(ALLOW)} has no {code('agent')}, so the agent calls none of {code('agents')}"
        yield Finding(agents.key or agents.span, f"{thing}; add it")


def out_of_reach(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that only one program finds, and on the first of too many."""
    if file.misplaced is not None or file.scope.builtin or file.name is None:
        return
    place = header.opening(file)
    yield from _found_by_one(file, place)

    if sessions.CLI_ID in readers_at(file.scope, file.path):
        folders = definitions.folders(file.workspace.files, file.scope)
        every = [
            one / name
            for one in folders
            for name in file.workspace.files.entries(one)
            if name.endswith(PLAIN) and not name.startswith(".")
        ]
        # This is about all of them, and once is enough.
        if len(every) > MOST_FILES and file.path == min(every):
            thing = f"{sessions.crowded(len(every))}, so some agents are missing"
            yield Finding(place, f"{thing}; remove or merge some")


def _found_by_one(file: TemplateFile, place: Span) -> Iterator[Finding]:
    """The finding on a file that one of the programs in use takes for no agent."""
    used = {one.id for one in readers_in_use(file.dialect, file.options)}
    name, named = file.path.name, code(file.path.name)
    is_meant = name.endswith((AGENT, CHAT_MODE))
    extra = file.options.extra(file.dialect.id).scopes
    if file.path.parent != file.scope.folder and file.path.parent not in extra:
        if "vscode" in used:
            thing = f"VS Code reads {code(shown(file, file.scope.folder))} and no folders below it"
            more = ", as Copilot CLI does" if sessions.CLI_ID in used else ""
            unless = "unless `chat.agentFilesLocations` names this one"
            is_lost = is_meant and sessions.CLI_ID not in used
            yield Finding(place, f"{thing}{more}, {unless}", _WARNING if is_lost else None)
    elif "vscode" in (file.scope.readers or VSCODE) and not is_agent_of_vs(file.path, is_open=True):
        own = Candidate(file.name or "", file.path, file.scope)
        if sessions.CLI_ID in used and not sessions.read_by_cli(catalog_of(file), own).errors:
            more = ", and VS Code does not" if "vscode" in used else ""
            yield Finding(
                place, f"Copilot CLI loads {named} as an agent{more}; give the file another name"
            )
    elif name.startswith(".") and sessions.CLI_ID in used:
        more = ", and VS Code does" if "vscode" in used else ""
        thing = f"Copilot CLI does not load {named} as an agent{more}"
        yield Finding(place, f"{thing}; remove the full stop from the start of the name")


def older_name_of_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a chat mode where agents are, which both programs still read."""
    name = file.path.name
    if file.misplaced is not None or file.scope.builtin or not name.endswith(CHAT_MODE):
        return
    right = f"{name.removesuffix(CHAT_MODE)}{AGENT}"
    thing = f"chat modes are now custom agents, and VS Code expects the file name {code(right)}"
    more = f"in Copilot CLI its name is {code(stem(name))} unless the header has one"
    yield Finding(header.opening(file), f"{thing}; {more}")


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file that Copilot CLI passes over because of another one's name."""
    if file.misplaced is not None or file.scope.builtin or file.name is None:
        return
    found = catalog_of(file)
    if not _has_namesake(file, found.scopes):
        return
    own = Candidate(file.name, file.path, file.scope)
    loaded = sessions.with_id(found, id_at(file.scope, own.path))
    if loaded is None or loaded.path == file.path:
        return
    thing = f"Copilot CLI uses {code(shown(file, loaded.path))}, whose file has the same name"
    related = (Related(loaded.path, loaded.span or Span(0, 0), "this one is used"),)
    has_both = sessions.is_in_vs(found, own) and sessions.is_in_vs(found, loaded)
    more = "; VS Code has both" if has_both else ""
    yield Finding(header.opening(file), f"{thing}{more}", related=related)


def _has_namesake(file: TemplateFile, scopes: tuple[Scope, ...]) -> bool:
    """Whether another file may have the same id; most have none, and ids of all take long."""
    files, below = file.workspace.files, file.path.relative_to(file.scope.folder).parent
    names = [f"{stem(file.path.name)}{end}" for end in (AGENT, PLAIN)]
    paths = (scope.folder / below / name for scope in scopes for name in names)
    return any(one != file.path and (files.exists(one) or files.is_open(one)) for one in paths)


def ambiguous_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a name that another file has as well, or a built-in agent."""
    value = file.reading.effective.settings.get("name")
    if value is None or not header.parses(file) or file.misplaced is not None:
        return
    chain = candidates(file.workspace, file.dialect, file.root, value.text)
    first = next((one for one in chain if not one.scope.builtin), None)
    if first is not None and first.path != file.path:
        thing = f"{code(shown(file, first.path))} has this name, too, and a call gets that one"
        if sessions.CLI_ID in readers_at(file.scope, file.path):
            thing += ", in Copilot CLI perhaps with the tools and the model of this file"
        related = (Related(first.path, first.span or Span(0, 0), "this one is called"),)
        yield Finding(value.span, thing, related=related)
    elif value.text in BUILT_IN_CLI:
        thing = (
            f"Copilot CLI has a built-in agent {code(value.text)}, and a call runs the built-in one"
        )
        yield Finding(value.span, thing)
    elif value.text in MODES:
        yield Finding(
            value.span,
            f"a hand-off to {code(value.text)} starts the one that is built into VS Code",
        )


CHECKS: tuple[Check, ...] = (
    Check(("missing-part",), missing_part, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE),
    Check(("unknown-agent", "out-of-reach"), unknown_agent, changes=frozenset({Field.KEY})),
    Check(("futile-delegation",), futile_delegation, changes=frozenset(), basis=Basis.ABSENCE),
)
# These say what each program does, and are the same for both.
OF_PLACES: tuple[Check, ...] = (
    Check(("out-of-reach",), out_of_reach, changes=frozenset(), basis=Basis.FILE),
    Check(("older-name",), older_name_of_file, changes=frozenset(), basis=Basis.FILE),
    Check(("shadowed",), shadowed, changes=frozenset(), basis=Basis.FILE),
    Check(("ambiguous-name",), ambiguous_name, changes=frozenset({Field.NAME}), basis=Basis.FILE),
)
