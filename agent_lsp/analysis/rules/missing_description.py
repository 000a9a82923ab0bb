"""A template or a persona has no description."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, keys, taken
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import Fault, FaultKind
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for a template and for each persona that has no description."""
    for fault in header.faults(of, FaultKind.BLANK):
        yield from _refused(of, fault)
    if not header.loads(of):
        return
    held = of.reading.held
    key = of.dialect.key_holding(Holds.DESCRIPTION)
    value = held.settings.get(key.name) if key else None
    is_blank = key is not None and key.required_by and not (value and value.text.strip())
    if key is not None and is_blank and not keys.is_below(of, Holds.DESCRIPTION):
        top = next(iter(header.levels(of)), None)
        who = "the header"
        if header.is_note(of):
            who = f"to the runtime this file is the agent {code(of.name or '')}, and its header"
        yield _finding(of, key, top, header.opening(of), who)
    key = _described_by(of)
    for persona in held.personas:
        value = persona.settings.get(key.name) if key else None
        if key is not None and key.required_by and not (value and value.text.strip()):
            level = header.level_at(of, persona.span)
            yield _finding(of, key, level, persona.name_span, f"persona {code(persona.name)}")


def _refused(of: Subject, fault: Fault) -> Iterator[Finding]:
    """The finding on a blank description for which the runtime refuses the file."""
    top = header.root(of)
    entry = top.get(fault.key) if top else None
    if entry is not None:
        thing = f"{code(fault.key)} is {_blank(of, entry)}"
        yield Finding(entry.key.span, refused(of, thing, "say what the agent is for"))


def _described_by(of: Subject) -> Key | None:
    """The key of a persona's description."""
    personas = of.dialect.key_holding(Holds.PERSONAS)
    inner = personas.items if personas else ()
    return next((key for key in inner if key.holds is Holds.DESCRIPTION), None)


def _finding(of: Subject, key: Key, level: header.Level | None, place: Span, who: str) -> Finding:
    present = level.mapping.get(key.name) if level else None
    misspelt = keys.misspelt(of, level, key.name) if level else None
    if present is not None:
        thing = f"{code(key.name)} is {_blank(of, present)}"
        return Finding(present.key.span, f"{thing}: {key.default}")
    if misspelt is not None:
        thing = f"{who} has {code(misspelt.name or '')} and lacks {code(key.name)}"
        message = f"{thing}: {key.default}; did you mean {code(key.name)}?"
        return Finding(misspelt.key.span, message, meant=(key.name,))
    return Finding(place, f"{who} has no {code(key.name)}: {key.default}")


def _blank(of: Subject, entry: Entry) -> str:
    """How a description that is there comes to be none."""
    node = resolve(entry.value)
    if isinstance(node, Scalar) and node.value.strip():
        return f"null, for {code(node.value)} is no text"
    return taken.blank(of, node)


RULE = Rule("missing-description", check)
