"""Checks for missing keys, descriptions and default prompts."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, unknown_key
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# What to write where a key has no text.
_WRITE = {"description": "say what the agent is for"}


def missing_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each mapping that the parser refuses because a key is missing."""
    for error in header.errors(file, LoadErrorKind.MISSING):
        list_name, _, name = error.key.rpartition(".")
        if not list_name and unknown_key.stands_below(file, name):
            continue
        if not list_name and name in header.supplied(file):
            continue
        place = f"this item of {code(list_name.partition('[')[0])}" if list_name else "the header"
        level = header.level_at(file, error.span)
        misspelt = unknown_key.misspelt(file, level, name) if level is not None else None
        if misspelt is not None:
            thing = f"{place} has {code(misspelt.name or '')} and lacks {code(name)}"
            message = refused(file, thing, f"write {code(name)}")
            yield Finding(misspelt.key.span, message, meant=(name,))
            continue
        blank = level.mapping.get(name) if level is not None else None
        if blank is not None:
            thing = f"{code(name)} is {_blank(file, blank)}"
            yield Finding(blank.key.span, refused(file, thing, _WRITE.get(name, "write one")))
            continue
        thing = f"{place} has no {code(name)}"
        where = _place(file, level, error.span) if list_name else header.opening(file)
        is_bare = bool(list_name) and (level is None or not level.mapping.entries)
        yield Finding(where, refused(file, thing, "remove it" if is_bare else "add it"))


def _place(file: TemplateFile, level: header.Level | None, span: Span) -> Span:
    """The first key of the mapping, or the dash of an item without keys."""
    if level is not None:
        return level.mapping.entries[0].key.span if level.mapping.entries else span
    text = file.document.text
    dash = text.rfind("-", file.document.frontmatter.inner.start, span.start)
    is_before = dash >= 0 and not text[dash + 1 : span.start].strip()
    return Span(dash, dash + 1) if is_before else span


MISSING_KEY = Check(
    ("missing-key",), missing_key, changes=frozenset({Field.LOADS, Field.KEY}), basis=Basis.ABSENCE
)


def missing_description(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a template and for each persona that has no description."""
    for error in header.errors(file, LoadErrorKind.BLANK):
        yield from _refused(file, error)
    if not header.parses(file) or header.is_no_mapping(file):
        return
    held = header.held(file)
    key = file.dialect.key_with_role(KeyRole.DESCRIPTION)
    value = held.settings.get(key.name) if key else None
    is_blank = key is not None and key.required_by and not (value and value.text.strip())
    if key is not None and key.name in header.supplied(file):
        is_blank = False
    top = next(iter(header.levels(file)), None)
    written = top.mapping.get(key.name) if key is not None and top is not None else None
    if header.is_refused(file, written) or _is_said(file, key):
        is_blank = False
    if key is not None and is_blank and not unknown_key.is_below(file, KeyRole.DESCRIPTION):
        who = "the header"
        if header.is_note(file):
            who = f"to the runtime this file is the agent {code(file.name or '')}, and its header"
        yield _finding(file, key, top, header.opening(file), who)
    key = _described_by(file)
    for persona in held.personas:
        value = persona.settings.get(key.name) if key else None
        if key is not None and key.required_by and not (value and value.text.strip()):
            level = header.level_at(file, persona.span)
            written = level.mapping.get(key.name) if level is not None else None
            if header.is_refused(file, written):
                continue
            yield _finding(file, key, level, persona.name_span, f"persona {code(persona.name)}")


def _is_said(file: TemplateFile, key: Key | None) -> bool:
    """Whether the runtime refuses the file since it lacks `key`."""
    lacks = (LoadErrorKind.MISSING, LoadErrorKind.BLANK)
    return key is not None and any(
        error.key == key.name and error.kind in lacks for error in file.reading.errors
    )


def _refused(file: TemplateFile, error: LoadError) -> Iterator[Finding]:
    """The finding on a blank description for which the runtime refuses the file."""
    top = header.root(file)
    entry = top.get(error.key) if top else None
    if entry is not None:
        thing = f"{code(error.key)} is {_blank(file, entry)}"
        yield Finding(entry.key.span, refused(file, thing, "say what the agent is for"))


def _described_by(file: TemplateFile) -> Key | None:
    """The key for the description of a persona."""
    personas = file.dialect.key_with_role(KeyRole.PERSONAS)
    inner = personas.items if personas else ()
    return next((key for key in inner if key.role is KeyRole.DESCRIPTION), None)


def _finding(
    file: TemplateFile, key: Key, level: header.Level | None, place: Span, who: str
) -> Finding:
    present = level.mapping.get(key.name) if level else None
    misspelt = unknown_key.misspelt(file, level, key.name) if level else None
    if present is not None:
        thing = f"{code(key.name)} is {_blank(file, present)}"
        return Finding(present.key.span, f"{thing}: {key.default}")
    if misspelt is not None:
        thing = f"{who} has {code(misspelt.name or '')} and lacks {code(key.name)}"
        message = f"{thing}: {key.default}; did you mean {code(key.name)}?"
        return Finding(misspelt.key.span, message, meant=(key.name,))
    return Finding(place, f"{who} has no {code(key.name)}: {key.default}")


def _blank(file: TemplateFile, entry: Entry) -> str:
    """The reason why a description counts as missing."""
    node = entry.node
    if isinstance(node, Scalar) and node.value.strip():
        return f"null, because {code(node.value)} is not text"
    return coerce.blank(file, node)


MISSING_DESCRIPTION = Check(
    ("missing-description",),
    missing_description,
    changes=frozenset({Field.LOADS, Field.DESCRIPTION}),
    basis=Basis.ABSENCE,
)


def missing_default_prompt(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding if there is no text before the first persona's block."""
    refusals = tuple(header.errors(file, LoadErrorKind.NO_PROMPT))
    for error in refusals:
        yield Finding(error.span, refused(file, "no prompt below the header", "write one"))
    if refusals or not header.parses(file) or header.is_no_mapping(file):
        return
    if header.held(file).default.text.strip():
        return
    listing, spawning = code(file.dialect.calls.list_call), code(file.dialect.calls.spawn_call)
    named = header.held(file).blocks[1:]
    if not named:
        message = f"no prompt below the header: {listing} and {spawning} refuse the template"
    elif len(named) == 1:
        only = f"{spawning} takes the only persona, {code(named[0].name or '')}"
        message = f"no prompt above the personas: {listing} refuses the template; {only}"
    else:
        refusal = f"{listing} refuses the template, and {spawning} every call without a persona"
        message = f"no prompt above the personas: {refusal}"
    yield Finding(header.closing(file), message)


MISSING_DEFAULT_PROMPT = Check(
    ("missing-default-prompt",),
    missing_default_prompt,
    changes=frozenset({Field.LOADS, Field.PROMPT}),
)
