"""Checks for headers that are run, absent, lost, or read only once.

Facts: OpenCode 1.18.33, measured 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, header_invalid, headers
from agent_lsp.analysis.checks import unquoted_text as shared_text
from agent_lsp.analysis.checks.messages import code, some
from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import header_text, reading
from agent_lsp.dialects.opencode.facts import LOST, SECOND, STOPS
from agent_lsp.dialects.opencode.generations import foreign_keys
from agent_lsp.dialects.opencode.reading import Fate, fate
from agent_lsp.dialects.opencode.second import DROPPED
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import Severity
from agent_lsp.syntax import frontmatter, nodes
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import resolve
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_FENCE = "---"
# A message names at most this many keys.
_MOST_NAMED = 4


def executed_header(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a header that the program runs as JavaScript when it starts.

    It is yielded also for a file that is too large to be checked otherwise.
    """
    if _is_run(file):
        message = (
            "THIS HEADER IS A PROGRAM: OpenCode runs it as JavaScript as soon as it starts in this "
            "project, with the rights of the user; do not start it here before you know what the "
            "code does"
        )
        yield Finding(file.document.frontmatter.open, message)


def _is_run(file: TemplateFile) -> bool:
    if not file.source.too_large:
        return header.is_seen(file) and fate(file.document) is Fate.RUN
    is_read = file.misplaced is None and file.dialect.names.name_of(file.path.name) is not None
    return is_read and reading.is_script(file.source.first_line)


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that was meant to have a header, or that is a note."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.ABSENT:
        return
    found = tuple(headers.header_missing(file))
    if found:
        yield from found
        return
    if not file.document.text.strip():
        return
    name = code(file.name or "")
    message = (
        f"to OpenCode this file is the agent {name}, with every tool, and the whole file is "
        "its prompt"
    )
    if header.is_note(file):
        message += "; move it out of the folder of agents if it is a note"
    yield Finding(header.first_line(file), message, Severity.INFORMATION)


def header_unclosed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a header that is no YAML because it continues into the prompt.

    A header without an end that is YAML is read to the end of the file, and has no finding.
    """
    if not header.is_seen(file) or fate(file.document) is not Fate.LOST or any(unreadable(file)):
        return
    cut = file.document.frontmatter
    if cut.close is None:
        message = f"the header is not closed: write a line `---` below the last setting, or {LOST}"
        # OpenCode takes the rest of the file as the header; its author means less.
        meant = frontmatter.split(file.document.text, lambda row: row.rstrip() == _FENCE)
        yield Finding(cut.open, message, related=tuple(headers.seeming_end(file, meant)))
        return
    for one in headers.header_unclosed(file):
        yield replace(one, message=one.message.replace(STOPS, LOST))


def unreadable(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a header that the program cannot read."""
    if not header.is_seen(file):
        return
    if fate(file.document) not in (Fate.LOST, Fate.SKIPPED):
        yield from _no_mapping(file)
        return
    fault = reading.outcome(file.document).fault
    word = reading.language(file.document)
    loss = next(iter(file.reading.possible_errors)).message
    opening = file.document.frontmatter.open
    if word not in ("", "yaml", "yml", "json"):
        thing = f"{code(opening.of(file.document.text))} names a language that OpenCode cannot read"
        yield Finding(opening, f"{thing}: write `---` alone, or {loss}", meant=(_FENCE,))
    elif fault is not None and fault.twice is not None:
        thing = f"{code(fault.twice.name or '')} is set twice"
        message = f"{thing}: remove one of the two, or {loss}"
        yield Finding(fault.span, message, code="duplicate-key")
    elif fault is not None and file.document.tree.problem is None:
        yield Finding(fault.span, f"{fault.reason}: {loss}")
    elif file.document.bom and any(_values(file)):
        thing = "with a byte-order mark in front, a value with `: ` and no quotes is not read"
        yield Finding(next(_values(file))[1], f"{thing}: put it in quotes, or {loss}")
    elif shared_text.is_said(file) and file.document.frontmatter.close is not None:
        for one in shared_text.unquoted_text(file):
            yield replace(one, severity=Severity.ERROR, code="unquoted-text")
    else:
        yield from header_invalid.header_invalid(file)


def _no_mapping(file: TemplateFile) -> Iterator[Finding]:
    """The finding on a header that is read, and that is a list or a text."""
    root = resolve(reading.outcome(file.document).root)
    if root is not None and not isinstance(root, nodes.Mapping) and reading.options(file.document):
        message = (
            "the header has no keys, so that it sets nothing, and each of its items or letters is "
            "sent to the model as an option; write `key: value`"
        )
        yield Finding(root.span, message, Severity.WARNING)


def unquoted_text(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each value that only the second try reads."""
    if not header.is_seen(file) or fate(file.document) is not Fate.MENDED:
        return
    for name, span in _values(file):
        source = span.of(file.document.text)
        message = (
            f"{code(name)} has a colon and no quotes: OpenCode reads the header in a second try, "
            f"and only once in each process; after a reload {LOST}; put it in quotes"
        )
        yield Finding(span, message, meant=(quote(source),))


def dropped(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first value for which the second generation drops the file."""
    if header.is_seen(file) and file.reading.generation == SECOND:
        for one in file.reading.possible_errors:
            if one.message == DROPPED:
                source = code(one.span.of(file.document.text))
                yield Finding(one.span, f"{source} has a wrong type or value: {DROPPED}")


def other_generation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a header that the second generation reads as one of the first."""
    is_second = header.is_seen(file) and file.reading.generation == SECOND
    top = reading.root(file.document) if is_second else None
    foreign = foreign_keys(top) if top is not None else ()
    if top is None or not foreign or file.reading.possible_errors:
        return
    names = some([entry.name or "" for entry in foreign], _MOST_NAMED, "and")
    are = "is not a key" if len(foreign) == 1 else "are not keys"
    thing = f"{names} {are} of OpenCode 2, so it reads the whole header like OpenCode 1"
    own = top.get("permissions")
    if own is not None:
        message = f"`permissions` limits nothing: {thing}, where the key is `permission`"
        yield Finding(own.key.span, message, Severity.WARNING)
        return
    lost = " and ignores `name`" if top.get("name") is not None else ""
    message = f"{thing}{lost}; its own keys are `permissions`, `request` and `disabled`"
    yield Finding(foreign[0].key.span, message)


def _values(file: TemplateFile) -> Iterator[tuple[str, Span]]:
    inner, text = file.document.frontmatter.inner, file.document.text
    for span in header_text.mended_lines(inner.of(text), inner.start):
        line = text.rfind("\n", 0, span.start) + 1
        name = text[line : span.start].partition(":")[0].strip()
        if not _is_sound(span.of(text)):
            yield name, span


def _is_sound(source: str) -> bool:
    """Whether a value with a colon is one that YAML reads without quotes."""
    tree = header_text.parse(f"key: {source}")
    return tree.problem is None
