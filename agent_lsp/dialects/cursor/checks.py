"""Checks of `cursor`: what the documents call without effect, and what they do not say.

Invariant: a file in a folder of another program is that program's. There, only a limit that Cursor
does not obey is worth a finding.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, headers
from agent_lsp.analysis.checks.files import misplaced_file
from agent_lsp.analysis.checks.files import shadowed as not_used
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.checks.unknown_key import unknown_key as ignored
from agent_lsp.data_classes import replace
from agent_lsp.dialects.cursor import CLAUDE, CODEX, PLUGIN, reading
from agent_lsp.dialects.cursor.facts import (
    ALIASES,
    BUILT_IN,
    COMMANDS,
    FAST,
    INHERIT,
    KEYS,
    LIMITS,
    UNKNOWN,
)
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding
from agent_lsp.model.schema import KeyRole, Severity, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, Style
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile

_PLAIN = regex(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ID = regex(r"[A-Za-z0-9][\w.:/-]*")
_OPTION = regex(r"[\w-]+=[^=,\[\]\s]+")
_TRUTH = ("true", "false")
# The documents do not say which of these two folders comes first.
_UNORDERED = (CLAUDE, CODEX)


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key without effect.

    In a folder of another program only for limits, and for none in a file that Cursor does not use
    because one of its own has the name: the other file may be a copy, which says what Cursor reads.
    """
    is_borrowed = file.scope.is_borrowed
    if is_borrowed and _has_own(file):
        return
    for found in ignored(file):
        name = found.span.of(file.document.text).strip("\"'")
        if not is_borrowed or name in LIMITS:
            yield found


def _has_own(file: TemplateFile) -> bool:
    """Whether a file in a folder of Cursor's own defines the name, and comes first."""
    chain = candidates(file.workspace, file.dialect, file.root, file.name or "")
    return bool(chain) and not chain[0].scope.is_borrowed


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a model that Cursor does not know, or of which nothing is documented."""
    value = file.reading.declared.settings.get("model")
    if value is None or not header.parses(file) or file.scope.is_borrowed:
        return
    word, mark, rest = value.text.strip().partition("[")
    if word == INHERIT and not mark:
        return
    thing = f"{code(value.text)} is not the id of a model"
    replaced = "Cursor silently replaces it with the parent's model"
    if word in ALIASES:
        message = f"{thing}, but an alias of Claude Code: {replaced}"
        yield Finding(value.span, message, meant=(INHERIT,))
    elif word == FAST:
        message = f"{code(FAST)} is no longer documented: write an id, or {code(INHERIT)}"
        yield Finding(value.span, message, Severity.INFORMATION)
    elif word.lower() == "auto":
        message = f"{code(word)} is not documented for an agent: write an id, or {code(INHERIT)}"
        yield Finding(value.span, message, Severity.INFORMATION)
    elif not _ID.fullmatch(word):
        message = f"{thing}: write the id of the model picker, or {replaced}"
        yield Finding(value.span, message)
    elif mark and not _are_options(rest):
        message = f"the options of {code(value.text)} are not of the form `[id=value,id=value]`"
        yield Finding(value.span, f"{message}: {UNKNOWN}", Severity.INFORMATION)


def _are_options(rest: str) -> bool:
    options = rest.removesuffix("]")
    return rest.endswith("]") and (
        not options or all(_OPTION.fullmatch(one.strip()) for one in options.split(","))
    )


def misplaced(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file in a folder that no document names, or below one that they do."""
    at = file.misplaced
    if at is None or at.is_sure:
        yield from misplaced_file(file)
        return
    above, wanted = code(shown(file, at.belongs)), code(shown(file, at.belongs / file.path.name))
    message = f"whether Cursor reads folders below {above} is not documented"
    yield Finding(
        header.opening(file), f"{message}: move this file to {wanted}", Severity.INFORMATION
    )


def plugin_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file of a plugin that its manifest does not name."""
    if file.misplaced is None and not file.scope.counts(file.path.name):
        message = f"Cursor does not load this agent: {file.scope.lost}"
        yield Finding(header.opening(file), message)


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file without a header, unless its name is that of a note."""
    if file.scope.is_borrowed or reading.is_note_by_name(file.path):
        return
    found = tuple(headers.header_missing(file))
    yield from found
    if not found and reading.is_bare(file.document) and header.is_seen(file):
        message = "no header, and Cursor's documentation does not say whether this file is an agent"
        way = "begin it with `---`, `description: …` and `---`"
        yield Finding(header.first_line(file), f"{message}: {way}", Severity.INFORMATION)


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each value that has not the documented type."""
    if not header.parses(file) or file.scope.is_borrowed:
        return
    for entry, key in header.known_entries(file):
        node = entry.node
        if node is None or header.is_empty(node):
            continue
        is_list = isinstance(node, Mapping | Sequence)
        is_truth = isinstance(node, Scalar) and node.value in _TRUTH and node.style is Style.PLAIN
        if key.kind is ValueKind.BOOL and not is_truth:
            yield Finding(node.span, f"{code(key.name)} must be `true` or `false`: {UNKNOWN}")
        elif key.kind is ValueKind.TEXT and is_list:
            shape = "a mapping" if isinstance(node, Mapping) else "a list"
            yield Finding(node.span, f"{code(key.name)} must be a string, not {shape}: {UNKNOWN}")


def agent_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a name that a prompt cannot call, that Cursor has, or that is missing."""
    key = next(one for one in KEYS if one.role is KeyRole.AGENT)
    value = file.reading.declared.settings.get(key.name)
    if file.name is None or not header.parses(file) or file.scope.is_borrowed:
        return
    where = value.span if value is not None else header.opening(file)
    if file.name in BUILT_IN:
        message = f"Cursor has a built-in agent {code(file.name)}, and {UNKNOWN}"
        yield Finding(where, message)
    elif file.name in COMMANDS:
        message = f"Cursor has a built-in command {code('/' + file.name)}, and {UNKNOWN}"
        yield Finding(where, message)
    elif value is not None and re.search(r"\s", file.name):
        yield Finding(
            where, f"a prompt may not be able to call {code('/' + file.name)}: {_wanted()}"
        )
    elif value is not None and not _PLAIN.fullmatch(file.name):
        yield Finding(
            where, f"{code(file.name)} does not follow Cursor's documentation: {_wanted()}"
        )
    elif value is None and file.scope.label == PLUGIN:
        message = "the reference of plugins asks for a `name`; without one, the agent is called"
        yield Finding(where, f"{message} {code(file.name)}, after its file")


def _wanted() -> str:
    return "write lower-case letters and hyphens"


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on a shadowed file, where the documents say which file precedes."""
    chain = candidates(file.workspace, file.dialect, file.root, file.name or "")
    labels = [one.scope.label for one in chain if one.path == file.path] + [
        one.scope.label for one in chain[:1]
    ]
    is_open = len(set(labels)) > 1 and all(label.startswith(_UNORDERED) for label in labels)
    if not is_open and not file.scope.is_borrowed:
        # One of the files is used in any case.
        yield from (replace(one, severity=None) for one in not_used(file))


REPLACED = (ignored, not_used, headers.header_missing, misplaced_file)
CHECKS: tuple[Check, ...] = (
    Check(("unknown-key",), unknown_key, changes=frozenset({Field.LOADS, Field.KEY})),
    Check(("unknown-model",), unknown_model, changes=frozenset({Field.KEY})),
    Check(("misplaced",), misplaced, basis=Basis.FILE),
    Check(("plugin-agent",), plugin_agent, basis=Basis.FILE),
    Check(("header-missing",), header_missing, changes=ANY_FIELD, basis=Basis.FILE),
    Check(("wrong-type",), wrong_type, changes=frozenset({Field.KEY})),
    Check(("agent-name",), agent_name, changes=frozenset({Field.NAME}), basis=Basis.ABSENCE),
    Check(("shadowed",), shadowed, basis=Basis.FILE),
)
