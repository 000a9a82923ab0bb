"""One agent of a template as a file of another system.

Invariant: the file has been read as the other runtime reads it, and says what it was meant to.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.conversion import header_losses, kin, prompt_losses
from agent_lsp.analysis.conversion.granting import granted
from agent_lsp.analysis.conversion.model import Converted, Loss, Weight, ordered
from agent_lsp.analysis.conversion.policy import policy
from agent_lsp.analysis.conversion.variants import Variant
from agent_lsp.analysis.conversion.way import Way, forbidding, has_sandbox, top
from agent_lsp.analysis.conversion.writing import Value, written
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.answers import Refusal
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.paths import may_be_called

_NO_NAME = "agent"


def agent(way: Way, of: Subject, variant: Variant, folder: Path) -> Converted | Refusal:
    """The file below `folder` for one variant of the template."""
    old = called(of)
    wanted = f"{old}-{variant.block.name}" if variant.block.name else old
    name = _name(way, wanted, folder)
    described = _description(way, of, variant, name)
    if isinstance(described, Refusal):
        return described
    lists = kin.lists(way, of) or granted(way, policy(of, way.before))
    if isinstance(lists, Refusal):
        return lists
    values: dict[Holds, Value] = {Holds.DESCRIPTION: described, **_kept(way, of, variant)}
    if lists.allow is not None:
        values[Holds.ALLOW] = lists.allow
    if lists.deny is not None:
        values[Holds.DENY] = lists.deny
    key = way.target.key_holding(Holds.AGENT)
    if key is not None and key.required_by is not None:
        values[Holds.AGENT] = name
    akin = kin.values(way, of)
    text = written(way.target, values, variant.block.text, dict(akin.values()))
    refusal = _misread(way, variant, text, name, described)
    if refusal is not None:
        return refusal
    own = variant.persona.settings if variant.persona is not None else {}
    there = {key.holds for key in way.target.keys}.intersection(values)
    carried = {key.name for key in way.source.keys if key.holds in there}
    losses = [
        *lists.losses,
        *_unfounded(way, of, name),
        *header_losses.lost(way, of, carried.union(own, way.before.said, akin)),
        *_of_persona(way, of, variant, name),
        *prompt_losses.spoken_of(way, of, variant.block.span),
    ]
    if not variant.block.name and name != old:
        message = f"it is called {code(name)} there: {code(old)} is no name for an agent"
        losses.append(Loss(Weight.NOTE, _top(of), message))
    return Converted(folder / f"{name}.md", name, text, ordered(losses))


def called(of: Subject) -> str:
    """The name of the agent, also if the runtime skips its file."""
    return of.name or of.dialect.name_of(of.path.name) or of.path.stem


def _name(way: Way, wanted: str, folder: Path) -> str:
    """A name that the other system and the disk take, as near to the wanted one as can be."""
    if way.after.names.fullmatch(wanted) and may_be_called(f"{wanted}.md", folder):
        return wanted
    words = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")
    return words if words and way.after.names.fullmatch(words) else _NO_NAME


def _description(way: Way, of: Subject, variant: Variant, name: str) -> str | Refusal:
    key = way.source.key_holding(Holds.DESCRIPTION)
    value = variant.setting(of, key.name) if key is not None else None
    if value is not None and value.text.strip():
        return value.text.strip()
    if key is None or key.required_by is None:
        # A runtime that needs no description shows the name in its place.
        return name
    who = f"persona {code(variant.block.name)}" if variant.block.name else "it"
    return Refusal(
        f"{who} has no description, which {way.target.runtime} asks for: write one first"
    )


def _kept(way: Way, of: Subject, variant: Variant) -> dict[Holds, Value]:
    """Model, effort and sandbox, where the other system is known to mean the same by them."""
    values: dict[Holds, Value] = {}
    model = _text(way, of, variant, Holds.MODEL)
    known = next((one for one in way.target.models if one.name == model), None)
    if known is not None and any(one.name == model for one in way.source.models):
        values[Holds.MODEL] = known.name
        effort = _text(way, of, variant, Holds.EFFORT)
        if effort is not None and effort in known.efforts:
            values[Holds.EFFORT] = effort
    forbidden = forbidding(of, way.before)
    if forbidden is not None and has_sandbox(way.target):
        values[Holds.SANDBOX] = "true"
    return values


def _text(way: Way, of: Subject, variant: Variant, holds: Holds) -> str | None:
    key = way.source.key_holding(holds)
    value = variant.setting(of, key.name) if key is not None else None
    return value.text if value is not None else None


def _misread(way: Way, variant: Variant, text: str, name: str, described: str) -> Refusal | None:
    """Why the other runtime would not make of the file what it was meant to be."""
    held = way.target.read(way.target.parse(text), name)
    fault = next(iter((*held.faults, *held.doubts)), None)
    if fault is not None:
        return Refusal(f"{way.target.runtime} would not take it: {fault.message}")
    key = way.target.key_holding(Holds.DESCRIPTION)
    said = held.held.settings.get(key.name) if key is not None else None
    if key is not None and (said is None or said.text.strip() != described):
        return Refusal(f"{way.target.runtime} would read another description")
    if len(held.held.blocks) > 1 or held.held.default.text.strip() != variant.block.text.strip():
        where = "a line of it means something there, or a character cannot be written"
        return Refusal(f"{way.target.runtime} would read another prompt: {where}")
    return None


def _of_persona(way: Way, of: Subject, variant: Variant, name: str) -> Iterator[Loss]:
    """What becomes of the personas, and of the settings of this one."""
    if variant.persona is None:
        for persona in of.reading.held.personas:
            other = _name(way, f"{called(of)}-{persona.name}", of.path.parent)
            message = f"persona {code(persona.name)} is an agent of its own there: {code(other)}"
            yield Loss(Weight.NOTE, persona.name_span, message)
        return
    message = f"persona {code(variant.persona.name)} is an agent of its own there: {code(name)}"
    yield Loss(Weight.NOTE, variant.persona.name_span, message)
    kept = _kept(way, of, variant)
    for holds in (Holds.MODEL, Holds.EFFORT):
        key = way.source.key_holding(holds)
        value = variant.persona.settings.get(key.name) if key is not None else None
        if key is not None and value is not None and holds not in kept:
            message = header_losses.unknown(way, key, value.text)
            yield Loss(Weight.LOST, value.key or value.span, message)


def _unfounded(way: Way, of: Subject, name: str) -> Iterator[Loss]:
    """What the new file says of itself, and what goes over it."""
    target = way.target.key_holding(Holds.DESCRIPTION)
    if way.source.key_holding(Holds.DESCRIPTION) is None and target is not None:
        message = f"{way.source.runtime} has no descriptions: {code(name)} stands for one"
        yield Loss(Weight.NOTE, _top(of), f"{message}; write there when to use the agent")
    if kin.keys(way, of):
        message = f"the same runtime reads both, and takes this one: take it out of {of.path.name}"
        yield Loss(Weight.NOTE, _top(of), f"{message} to use the other one")


def _top(of: Subject) -> Span:
    if of.dialect.lines is not None:
        return top(of)
    key = of.dialect.key_holding(Holds.AGENT)
    value = of.reading.held.settings.get(key.name) if key is not None else None
    return value.span if value is not None else Span(0, 0)
