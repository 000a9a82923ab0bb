"""Checks the `[agents]` of a `config.toml`, and the keys of the session that agents depend on.

Invariants: nothing is said about the rest of the file; of one for which the program does not start
only that is said. A finding about a role depends on the files of its session, and not on trust.
Facts: measured with `@openai/codex` 0.171.0, 2026-11-29.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, finding, shown
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.codex_agents import facts, keys, roles, session
from agent_lsp.dialects.codex_agents.catalog import errors_of_file, problem
from agent_lsp.dialects.codex_agents.checks import refusals
from agent_lsp.dialects.codex_agents.configuration import roles_of
from agent_lsp.dialects.codex_agents.layers import Layer, Table, layers, tables
from agent_lsp.dialects.codex_agents.reading import nickname_errors
from agent_lsp.model.check import Finding, Related, Tag
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading, Value
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.paths import led
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_STOPS = "Codex does not start"
_AGENTS = f"{keys.AGENTS}."
_BOTH = (roles.SHORT_THREADS, roles.THREADS)
Settings = Map[str, Value]
_SETTINGS = tuple(sorted(roles.NAMES))


def values(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each value for which the program does not start."""
    for error in file.reading.errors if file.source.problem is None else ():
        words = f"the runtime says {code(_said(error))}"
        match error.kind:
            case LoadErrorKind.TYPE:
                yield _mistyped(error, words)
            case LoadErrorKind.CHOICE:
                names = tuple(error.expected.split(", "))
                thing = f"{code(error.key)} cannot be {code(error.got)}; the accepted values are "
                message = f"{thing}{', '.join(names)}: {_STOPS}"
                yield finding(
                    "invalid-value", error.span, message, word=error.got, candidates=names
                )
            case LoadErrorKind.SYNTAX:
                continue
            case _:
                message = f"{code(error.key)}: {words}: {_STOPS}"
                yield Finding(error.span, message, code="invalid-value")


def _said(error: LoadError) -> str:
    """What the program prints, without its introduction and the place."""
    return error.message.partition(": ")[2].partition("\nin `")[0]


def _mistyped(error: LoadError, words: str) -> Finding:
    name = error.key.removeprefix(_AGENTS)
    is_role = error.key != name and "." not in name and name not in roles.NAMES
    if not is_role:
        message = f"{code(error.key)} must be {error.expected}; {words}: {_STOPS}"
        return Finding(error.span, message, code="wrong-type")
    near = nearest(name, _SETTINGS)
    what = f"write {code(near)}" if near else "remove it, or make it a table"
    thing = f"`[{keys.AGENTS}]` has no setting {code(name)}, so Codex reads it as an agent"
    words = f"the runtime says {code(_said(error).partition(', ')[2])}"
    message = f"{thing}, which must be a table; {words}: {what}, or {_STOPS}"
    return finding("unknown-key", error.span, message, Severity.ERROR, name, instead=near or "")


def settings(file: TemplateFile) -> Iterator[Finding]:
    """Yields findings on settings for all agents that take agents or their calls away."""
    if not _is_decoded(file):
        return
    held = file.reading.declared.settings
    yield from _both(held)
    found = catalog_of(file)
    is_there = any(found.winner(name) is not None for name in found.names)
    # The roles of a file that is refused are in no catalog yet.
    is_there = is_there or _describes(held.get(keys.AGENTS))
    for name, loss in _SWITCHES.items():
        value = held.get(name)
        second = session.setting(found, "features.multi_agent_v2")
        is_over = second is not None and second.value.value is True
        if value is not None and is_there and not is_over and _is_off(value):
            span = value.key or value.span
            message = f"{code(name)} removes the agent tools {loss}: no agent can be started"
            yield Finding(span, message, Severity.INFORMATION, code="never-spawned")
    yield from _default(held.get(f"{_AGENTS}{roles.DEFAULT_MODEL}"), file)
    yield from _effort(held)


def _describes(agents: Value | None) -> bool:
    """Whether a role has a description of its own, so that the runtime takes it."""
    own = (one.values.get(roles.DESCRIPTION) for one in (agents.records if agents else ()))
    return any(value is not None and value.text.strip() for value in own)


_FIRST = "from sessions whose model has those of the first kind"
_SWITCHES = {
    f"{_AGENTS}{roles.ENABLED}": "from every session",
    f"{_AGENTS}{roles.DEPTH}": _FIRST,
    "features.multi_agent": _FIRST,
}


def _is_off(value: Value) -> bool:
    return isinstance(value.value, int) and value.value <= 0


def _both(held: Settings) -> Iterator[Finding]:
    found = [held[f"{_AGENTS}{name}"] for name in _BOTH if f"{_AGENTS}{name}" in held]
    if len(found) == len(_BOTH):
        second = max(found, key=lambda one: one.span)
        message = (
            f"{code(_BOTH[0])} and {code(_BOTH[1])} are one setting: Codex ignores all agents that "
            f"this file declares, with the warning {code(f'duplicate field `{roles.THREADS}`')}"
        )
        span = second.key or second.span
        yield Finding(span, message, Severity.ERROR, code="duplicate-key")


def _default(value: Value | None, file: TemplateFile) -> Iterator[Finding]:
    if value is None:
        return
    known = [one.name for one in facts.MODELS]
    if value.text in (*known, *file.options.extra(file.dialect.id).models):
        return
    message = (
        f"Codex {keys.MEASURED} does not list {code(value.text)}, and refuses each spawn whose "
        "call "
        "names no model, even if the file names one"
    )
    yield finding("unknown-model", value.span, message, word=value.text, candidates=known)


def _effort(held: Settings) -> Iterator[Finding]:
    model = held.get(f"{_AGENTS}{roles.DEFAULT_MODEL}")
    effort = held.get(f"{_AGENTS}{roles.DEFAULT_EFFORT}")
    if effort is None:
        return
    levels = {level for one in facts.MODELS for level in one.efforts}
    known = facts.family(model.text) if model is not None else None
    if known is not None and effort.text not in known.efforts:
        why = facts.unsupported(effort.text, known)
        message = f"Codex refuses each spawn whose call sets neither a model nor an effort: {why}"
        yield finding(
            "unsupported-effort", effort.span, message, word=effort.text, candidates=known.efforts
        )
    elif effort.text not in levels:
        message = (
            f"no model of Codex {keys.MEASURED} has the effort {code(effort.text)}: Codex "
            "refuses each spawn "
            "whose call sets no effort, even if the file sets one"
        )
        yield finding(
            "unsupported-effort", effort.span, message, word=effort.text, candidates=sorted(levels)
        )


def declared(file: TemplateFile) -> Iterator[Finding]:
    """Yields findings on roles that the runtime ignores, and on what does nothing in a role."""
    if not _is_decoded(file):
        return
    found = catalog_of(file)
    layer = next((one for one in layers(found) if _is_of(one, file)), None)
    if layer is None or layer.config is None:
        return
    entries = {entry.name: entry for entry in roles_of(file.document)}
    for table in tables(found.read(layer.config), layer.config):
        entry = entries.get(table.name)
        if entry is not None:
            yield from _unread(entry)
            lost = tuple(_lost(file, found, layer, table, entry))
            yield from lost
            # A session has no agents of a file that is refused, so none takes the place of another.
            if not lost and not file.reading.errors:
                yield from _idle(file, found, layer, table, entry)


def _is_of(layer: Layer, file: TemplateFile) -> bool:
    return layer.config is not None and layer.config.path == file.path


def _unread(entry: Entry) -> Iterator[Finding]:
    """Keys of a role that the runtime ignores without a word."""
    node = resolve(entry.value)
    known = {key.name for key in roles.ROLE}
    of_file = {key.name for key in (*keys.OWN, *keys.EFFECTIVE, *keys.OTHERS)}
    for one in node.entries if isinstance(node, Mapping) else ():
        name = one.name or ""
        if name in known or not name:
            continue
        message = f"{code(name)} does nothing here: Codex silently ignores it"
        if name in of_file:
            message += f"; it is a key of the file that {code(roles.FILE)} names"
            yield Finding(one.key.span, message, Severity.WARNING, code="no-effect")
        else:
            yield finding("unknown-key", one.key.span, message, word=name, candidates=sorted(known))


def _lost(
    file: TemplateFile, found: Catalog, layer: Layer, table: Table, entry: Entry
) -> Iterator[Finding]:
    """Why the runtime ignores a role, with a warning when it starts."""
    name = code(f"{_AGENTS}{table.name}")
    described, nicknames = (table.settings.get(key) for key in (roles.DESCRIPTION, keys.NICKNAMES))
    loss = f"Codex ignores {name}"
    if described is not None and not described.text.strip():
        message = f"the description is blank: {loss}"
        yield Finding(described.span, message, code="missing-description")
    for value, wrong in nickname_errors(nicknames) if nicknames is not None else ():
        message = f"{code(keys.NICKNAMES)} {wrong}: {loss}"
        yield Finding(value.span, message, code="invalid-value")
    if table.file is not None:
        yield from _of_file(file, found, layer, table, entry)
    # A session finds no agent of a file that is refused, whatever the file says.
    is_refused = bool(file.dialect.format.read(file.document, file.path.stem).errors)
    if is_refused or problem(found, layer, table):
        return
    if not any(one in found.candidates(own) for own, one in _made(found, layer, table)):
        message = (
            f"nothing describes the agent, neither here nor in a file or a lower layer: {loss}, "
            f"and warns `agent role … must define a description`"
        )
        yield Finding(entry.key.span, message, code="missing-description")


def _made(found: Catalog, layer: Layer, table: Table) -> Iterator[tuple[str, Candidate]]:
    """The names that a table may define, each with the definition that it would be."""
    held = _read(found, layer, table.file).declared.settings if table.file is not None else {}
    # It is that of the file, or the table's own.
    names = {table.name, *(held[key].text for key in ("name",) if key in held)}
    for name in sorted(names.intersection(found.names)):
        for one in found.candidates(name):
            is_file = table.file is not None and one.path == table.file
            is_table = one.path == table.config.path and one.name == table.name
            if is_table or (is_file and one.scope == layer.scope):
                yield name, one


def _of_file(
    file: TemplateFile, found: Catalog, layer: Layer, table: Table, entry: Entry
) -> Iterator[Finding]:
    """What is wrong with the file that a role names."""
    node = resolve(entry.value)
    at = node.get(roles.FILE) if isinstance(node, Mapping) else None
    value = resolve(at.value) if at is not None else None
    path, files = table.file, file.workspace.files
    if path is None or "~" in path.parts:
        # Where the home of a session is, is not known here.
        return
    span = value.span if value is not None else entry.key.span
    name, where = code(f"{_AGENTS}{table.name}"), code(shown(file, path))
    if not files.exists(path) and not files.is_open(path):
        meant = _meant(file, path, value)
        how = f", as the path begins at the folder of this file: write {code(meant)}"
        message = f"there is no {where}{how if meant else ''}: Codex ignores {name}"
        yield finding("agent-file", span, message, instead=meant)
    elif files.is_folder(path):
        message = f"{where} is a folder, and must be a file: Codex ignores {name}"
        yield Finding(span, message, code="agent-file")
    else:
        reading = _read(found, layer, path)
        errors = errors_of_file(reading)
        if errors:
            related = (Related(path, errors[0].span, "this is what it refuses"),)
            why = code(refusals.said(errors[0]))
            message = f"Codex refuses {where} with {why}, and so ignores {name}"
            yield Finding(span, message, related=related, code="agent-file")


def _meant(file: TemplateFile, path: Path, value: Node | None) -> str:
    """The path that leads to the file which was meant, if that is plain; else nothing."""
    folder, files = file.path.parent, file.workspace.files
    written = value.value if isinstance(value, Scalar) else ""
    above = led(folder.parent, written) if written else None
    if above is not None and files.exists(above):
        found = above
    else:
        near = nearest(path.name, files.entries(path.parent))
        found = path.parent / (near or path.name)
    # What stands outside of the folder is not worth a guess.
    is_inside = files.exists(found) and folder in found.parents
    return found.relative_to(folder).as_posix() if is_inside else ""


def _read(found: Catalog, layer: Layer, path: Path) -> Reading:
    """As the runtime reads the file that a role names."""
    return found.read(Candidate("", path, layer.scope))


def _idle(
    file: TemplateFile, found: Catalog, layer: Layer, table: Table, entry: Entry
) -> Iterator[Finding]:
    """What a role says and another place says with more weight; and the built-in it replaces."""
    for name, one in _made(found, layer, table):
        if table.file is not None and name != table.name:
            where = code(shown(file, table.file))
            message = (
                f"{where} has the name {code(name)}, which overrides {code(table.name)}: a call "
                f"with `{table.name}` is answered with `{facts.unknown(table.name)}`"
            )
            yield Finding(entry.key.span, message, Severity.WARNING, code="name-mismatch")
        chain = found.candidates(name)
        if chain and chain[0] != one:
            yield _shadowed(file, layer, entry, name, chain)
        elif name == facts.DEFAULT:
            message = (
                "this agent replaces the built-in `default`, and is used for each call "
                "without `agent_type`"
            )
            yield Finding(entry.key.span, message, code="hides-builtin")
        break
    held = _read(found, layer, table.file) if table.file is not None else None
    own = held.declared.settings if held is not None else {}
    for key, value in table.settings.items():
        if key in own:
            message = f"{code(key)} does nothing here: the agent's own file overrides it"
            tags = (Tag.UNNECESSARY,)
            span = value.key or value.span
            yield Finding(span, message, Severity.INFORMATION, tags, code="no-effect")


def _shadowed(
    file: TemplateFile, layer: Layer, entry: Entry, name: str, chain: tuple[Candidate, ...]
) -> Finding:
    winner = chain[0]
    related = (Related(winner.path, winner.span or Span(0, 0), "this one comes first"),)
    where = code(shown(file, winner.path))
    is_same = winner.scope in (layer.scope, layer.config.scope if layer.config else None)
    if is_same:
        message = f"never used: {where} of the same layer defines {code(name)}, too"
        return Finding(entry.key.span, message, Severity.WARNING, related=related, code="shadowed")
    message = (
        f"not used in sessions started in {code(shown(file, file.root))}: {where} defines "
        f"{code(name)}, too, and comes first; the settings that it lacks come from here"
    )
    return Finding(entry.key.span, message, Severity.INFORMATION, related=related, code="shadowed")


def _is_decoded(file: TemplateFile) -> bool:
    """Whether the program gets to the values of the file, even if it then does not start."""
    return file.source.problem is None and file.document.tree.problem is None
