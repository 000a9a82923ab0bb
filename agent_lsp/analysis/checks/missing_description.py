"""A template or a persona has no description."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, known_keys
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a template and for each persona that has no description."""
    for fault in header.faults(file, LoadErrorKind.BLANK):
        yield from _refused(file, fault)
    if not header.loads(file):
        return
    held = file.reading.effective
    key = file.dialect.key_with_role(KeyRole.DESCRIPTION)
    value = held.settings.get(key.name) if key else None
    is_blank = key is not None and key.required_by and not (value and value.text.strip())
    if key is not None and is_blank and not known_keys.is_below(file, KeyRole.DESCRIPTION):
        top = next(iter(header.levels(file)), None)
        who = "the header"
        if header.is_note(file):
            who = f"to the runtime this file is the agent {code(file.name or '')}, and its header"
        yield _finding(file, key, top, header.opening(file), who)
    key = _described_by(file)
    for persona in held.personas:
        value = persona.settings.get(key.name) if key else None
        if key is not None and key.required_by and not (value and value.text.strip()):
            level = header.level_at(file, persona.span)
            yield _finding(file, key, level, persona.name_span, f"persona {code(persona.name)}")


def _refused(file: TemplateFile, fault: LoadError) -> Iterator[Finding]:
    """The finding on a blank description for which the runtime refuses the file."""
    top = header.root(file)
    entry = top.get(fault.key) if top else None
    if entry is not None:
        thing = f"{code(fault.key)} is {_blank(file, entry)}"
        yield Finding(entry.key.span, refused(file, thing, "say what the agent is for"))


def _described_by(file: TemplateFile) -> Key | None:
    """The key of a persona's description."""
    personas = file.dialect.key_with_role(KeyRole.PERSONAS)
    inner = personas.items if personas else ()
    return next((key for key in inner if key.role is KeyRole.DESCRIPTION), None)


def _finding(
    file: TemplateFile, key: Key, level: header.Level | None, place: Span, who: str
) -> Finding:
    present = level.mapping.get(key.name) if level else None
    misspelt = known_keys.misspelt(file, level, key.name) if level else None
    if present is not None:
        thing = f"{code(key.name)} is {_blank(file, present)}"
        return Finding(present.key.span, f"{thing}: {key.default}")
    if misspelt is not None:
        thing = f"{who} has {code(misspelt.name or '')} and lacks {code(key.name)}"
        message = f"{thing}: {key.default}; did you mean {code(key.name)}?"
        return Finding(misspelt.key.span, message, meant=(key.name,))
    return Finding(place, f"{who} has no {code(key.name)}: {key.default}")


def _blank(file: TemplateFile, entry: Entry) -> str:
    """How a description that is there comes to be none."""
    node = resolve(entry.value)
    if isinstance(node, Scalar) and node.value.strip():
        return f"null, for {code(node.value)} is no text"
    return coerce.blank(file, node)


RULE = Rule("missing-description", check)
