"""The checks that several systems share, in the order in which a reader meets their subjects.

A dialect names the shared checks of its system in addition to its own. Its severities decide which
findings are reported, and how severe they are.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agent_lsp.analysis.checks import (
    delegation,
    files,
    header_invalid,
    headers,
    hidden_text,
    missing_file,
    suppressions,
    tool_entries,
    unknown_key,
    unknown_names,
    unquoted_text,
    values,
)
from agent_lsp.model.check import Check, Need, Trait
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import IfWrong, Key, KeyRole, every
from agent_lsp.model.system import System
from agent_lsp.patterns import regex
from agent_lsp.syntax.characters import ASCII_CONTROLS
from agent_lsp.syntax.nodes import Mapping, Node
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# The signs of a tag, an anchor, a comment, or the end of a document or of a mapping in braces.
_CUTTING = regex(r"[#!&{]|^(?:\.\.\.|---)", re.MULTILINE)
# What limits an entry of a tool list or widens it, or begins a sign that is written as an escape.
_NOTATION = regex(r"[(*\\]")
# What stands between a server and a tool in some system, or begins a key for servers.
_OF_SERVER = regex(r"[_/]|mcp")
_BLANKS = regex(r"\s*")
_GAP = regex(r"^[^\S\n]*(?:#|$)", re.MULTILINE)
_KEY = regex(r"[\"']?[\w-]+[\"']?[ \t]*:(?:\s|$)", re.MULTILINE)

# Checks for files of every form.
OF_FILES: tuple[Check, ...] = (
    files.FILE_NAME,
    files.UNREADABLE,
)
# Checks for YAML headers.
OF_HEADERS: tuple[Check, ...] = (
    files.MISPLACED,
    files.OTHER_SYSTEM,
    files.SHADOWED,
    headers.HEADER_MISSING,
    headers.HEADER_UNCLOSED,
    headers.HEADER_CUT_SHORT,
    headers.HEADER_BOM,
    unquoted_text.CHECK,
    header_invalid.CHECK,
    values.WRONG_TYPE,
    values.INVALID_VALUE,
    values.DUPLICATE_KEY,
    values.NO_EFFECT,
    values.MISSING_KEY,
    unknown_key.CHECK,
    unquoted_text.SWALLOWED_KEY,
    unquoted_text.LOST_TEXT,
    unknown_names.UNKNOWN_MODEL,
    values.MISSING_DESCRIPTION,
    values.MISSING_DEFAULT_PROMPT,
    tool_entries.UNKNOWN_TOOL,
    tool_entries.UNAVAILABLE_TOOL,
    unknown_names.UNKNOWN_SERVER,
    tool_entries.REDUNDANT_ENTRY,
    tool_entries.ALLOWED_AND_DENIED,
    tool_entries.NO_TOOLS,
    delegation.FUTILE_DELEGATION,
    missing_file.CHECK,
    delegation.UNKNOWN_AGENT,
)
# Checks for files of all systems, which no dialect has to name.
ALWAYS: tuple[Check, ...] = (
    hidden_text.CHECK,
    suppressions.CHECK,
)


def codes(systems: Iterable[System]) -> tuple[str, ...]:
    """The codes of all checks: the shared ones first, then those of one system after another."""
    own = (check for system in systems for check in system.dialect.findings.checks)
    every = (*OF_FILES, *OF_HEADERS, *own, *ALWAYS)
    return tuple(dict.fromkeys(code for check in every for code in check.codes))


@lru_cache(maxsize=64)
def checks_of(dialect: Dialect) -> tuple[tuple[Check, frozenset[Need]], ...]:
    """The checks that may report something in files of a dialect, each with what it needs there."""
    findings = dialect.findings
    return tuple(
        (check, frozenset(_needs(check, dialect)))
        for check in (*findings.checks, *ALWAYS)
        if check.severity is not None or not findings.severities.keys().isdisjoint(check.codes)
    )


def _needs(check: Check, dialect: Dialect) -> Iterator[Need]:
    """What `check` needs, with the names of the keys; nothing if any file may have it."""
    of_keys = [one for one in check.needs if isinstance(one, str | KeyRole | IfWrong)]
    # Each template in a file of tables has its own keys.
    if of_keys and dialect.schema.is_tables:
        return
    yield from check.needs
    outer = {key.name for key in dialect.schema.keys if _is_meant(dialect, key, of_keys)}
    yield from outer
    inner = (key for key in every(dialect.schema.keys) if key.name not in outer)
    if any(_is_meant(dialect, key, of_keys) for key in inner):
        yield Trait.MORE_KEYS


def _is_meant(dialect: Dialect, key: Key, needs: Iterable[Need]) -> bool:
    return any(one in (key.name, key.role, dialect.schema.consequence(key)) for one in needs)


def present(file: TemplateFile) -> frozenset[Need]:
    """What the file has of that which some check needs."""
    reading, top = file.reading, file.document.tree.top
    names = {*reading.declared.settings, *reading.effective.settings}
    if isinstance(top, Mapping):
        names.update([entry.name or "" for entry in top.entries])
    found: set[Need] = {file.document.frontmatter.fence, *names}
    for persona in reading.declared.personas:
        found.update(persona.settings)
    found.update([error.kind for error in (*reading.errors, *reading.possible_errors)])
    found.update([trait for trait, is_there in _traits(file, names) if is_there])
    return frozenset(found)


def _traits(file: TemplateFile, names: set[str]) -> tuple[tuple[Trait, object], ...]:
    """Each trait, and something true if a file with the keys `names` has it."""
    document, source, text = file.document, file.source, file.document.text
    inner, agent = document.frontmatter.inner, file.dialect.calls.by_role.get(KeyRole.AGENT)
    is_bytes = source.problem is not None or source.replaced or source.as_utf_16
    # Most texts are plain ASCII. To look for characters takes ten times as long.
    is_plain = text.isascii() and len(text.encode().translate(None, ASCII_CONTROLS)) == len(text)
    is_about_agents = "agent" in text or "elegat" in text or (agent is not None and agent in text)
    return (
        (Trait.MISPLACED, file.misplaced is not None),
        (Trait.UNREADABLE, is_bytes or "\0" in text),
        (Trait.NAMELESS, not file.name),
        (Trait.IN_PLUGIN, file.scope.prefix),
        (Trait.BROKEN, document.tree.problem is not None),
        (Trait.MORE_KEYS, not names <= file.dialect.schema.plain),
        (Trait.GAPS, _GAP.search(text, inner.start, inner.end)),
        (Trait.MORE_LINES, _has_more_lines(text, inner, document.tree.top)),
        (Trait.CUT, _CUTTING.search(text, inner.start, inner.end)),
        (Trait.MORE_BESIDE, _has_more_beside(text, document.frontmatter.close)),
        (Trait.MORE_BELOW, _is_like_a_header(text, document.frontmatter.body.start)),
        (Trait.NOTATION, _NOTATION.search(text, 0, document.frontmatter.body.start)),
        (Trait.SERVERS, _OF_SERVER.search(text, 0, document.frontmatter.body.start)),
        (Trait.UNPRINTED, not is_plain),
        (Trait.AGENTS, is_about_agents),
        (Trait.COMMENTS, "<!" in text or "<--" in text),
        (Trait.PATHS, "@" in text or "](" in text),
        (Trait.SUPPRESSIONS, suppressions.NAME in text),
    )


def _has_more_lines(text: str, header: Span, top: Node | None) -> bool:
    """Whether `header` has more lines than its mapping `top` has keys, or that is in brackets."""
    if not isinstance(top, Mapping) or top.flow:
        return True
    return text.count("\n", header.start, header.end) >= len(top.entries)


def _has_more_beside(text: str, close: Span | None) -> bool:
    """Whether more than three dashes is on the line where the closing fence begins."""
    if close is None:
        return False
    end = text.find("\n", close.start)
    line = text[text.rfind("\n", 0, close.start) + 1 : end if end >= 0 else len(text)]
    return line.strip() != "---"


def _is_like_a_header(text: str, start: int) -> bool:
    """Whether the first line from `start` is indented, or has a key, or the one below it has."""
    first = _text_from(text, start)
    if first > start and text[first - 1] in " \t":
        return True
    second = text.find("\n", first) + 1
    lines = (first, _text_from(text, second)) if second else (first,)
    return any(_KEY.match(text, line) for line in lines)


def _text_from(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return found.end() if found is not None else start
