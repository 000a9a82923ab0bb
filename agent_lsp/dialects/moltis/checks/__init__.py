"""The checks of a configuration of Moltis, of its `[agents]` and of the file as a whole."""

from collections.abc import Iterator
from functools import partial

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, shown
from agent_lsp.dialects.moltis import reading
from agent_lsp.dialects.moltis.catalog import has_definitions
from agent_lsp.dialects.moltis.checks.config import (
    agents,
    dropped,
    refused_today,
    settings,
    stand_ins,
)
from agent_lsp.dialects.moltis.checks.presets import keys, tools
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    candidates,
    catalog_of,
    hidden_by,
    hiding_config,
)


def config_hidden(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the file that a session reads, and one on a file that it does not."""
    first = header.first_line(file)
    used = hiding_config(file)
    if used is None:
        return
    if used != file.path:
        there = (Related(used, Span(0, 0), "the configuration that is read"),)
        where, what = code(shown(file, file.root)), code(shown(file, used))
        message = f"sessions that start in {where} read {what} and nothing of this file"
        yield Finding(first, message, related=there)
        return
    for path, names in hidden_by(file):
        lost = f", not even its {listed(names, 'and')}" if names else ""
        message = f"sessions that start here read nothing of {code(shown(file, path))}{lost}"
        yield Finding(first, message, related=(Related(path, Span(0, 0), "not read here"),))


def other_generation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # Another check reports the keys of the other generation in a configuration.
    if file.dialect.variants.forms is None or file.dialect.schema.is_tables or file.name is None:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    used = catalog_of(file).candidates(file.name)
    if file.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(file, file.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is for "
            "an older runtime, which does not support such files"
        )
        yield Finding(header.first_line(file), message)


def presets(file: TemplateFile, generation: Generation | None = None) -> Iterator[Finding]:
    """The findings on all presets of a file, and on what concerns them all."""
    if file.source.problem is not None:
        return
    found = catalog_of(file)
    if generation is None and has_definitions(found):
        generation = reading.config_of(file.document).generation or Generation.TODAY
    for one in _presets(file.document, generation):
        # The default may be defined elsewhere, in a file of another form.
        if one.code != "unknown-default" or not _is_defined(file, one.word):
            yield one


def _is_defined(file: TemplateFile, name: str) -> bool:
    return bool(catalog_of(file).candidates(name))


def _presets(document: Document, generation: Generation | None) -> Iterator[Finding]:
    found = reading.config_of(document, generation)
    lost = (*dropped(document, generation), *refused_today(document, generation))
    yield from lost
    if document.tree.problem is not None:
        return
    said = {one.span for one in lost}
    yield from (one for one in stand_ins(document) if one.span not in said)
    yield from keys(found)
    yield from agents(found, document)
    for preset in found.presets:
        yield from settings(found, preset)
        yield from tools(found, preset)


_OF_PRESETS = (
    "config-dropped",
    "unknown-default",
    "no-effect",
    "renamed-tool",
    "sessions-without-list",
    "preset-conflict",
    "hides-builtin",
    "main-session-unprotected",
    "other-generation",
    "unknown-key",
    "unknown-tool",
    "redundant-entry",
    "no-tools",
)
_OF_KEY = frozenset({Field.KEY})
_CHANGES = {
    **dict.fromkeys(_OF_PRESETS, _OF_KEY),
    "config-dropped": frozenset({Field.LOADS, Field.KEY}),
    "renamed-tool": frozenset({Field.TOOLS}),
    "unknown-tool": frozenset({Field.TOOLS}),
    "no-effect": frozenset[Field](),
    "redundant-entry": frozenset[Field](),
    "no-tools": frozenset({Field.TOOLS}),
}
_BASIS = {
    **dict.fromkeys(("unknown-default", "no-effect", "no-tools"), Basis.ABSENCE),
    **dict.fromkeys(("main-session-unprotected", "other-generation"), Basis.ABSENCE),
    "hides-builtin": Basis.FILE,
}
_FILES = (
    Check(("config-hidden",), config_hidden, basis=Basis.FILE),
    Check(
        ("other-generation",),
        other_generation,
        changes=frozenset({Field.KEY}),
        basis=Basis.FILE,
    ),
)


def of_presets(generation: Generation | None = None) -> tuple[Check, ...]:
    """The checks of a configuration, for one generation, or for any."""
    run = partial(presets, generation=generation)
    return (*_FILES, Check(_OF_PRESETS, run, changes=_CHANGES, basis=_BASIS))
