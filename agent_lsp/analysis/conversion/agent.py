"""Converts one agent of a template to a file of another system, and writes its text.

Invariants: the new file was read as the other runtime reads it, and it means what it should. Its
header has the key order of its system. A prompt may mention something that the other system calls
by another name. That is a loss, and the prompt is not changed, because only its author knows the
right words.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.conversion import header_losses
from agent_lsp.analysis.conversion.abilities import (
    Abilities,
    abilities,
    abilities_in_all,
    abilities_of,
)
from agent_lsp.analysis.conversion.pair import (
    ConversionPair,
    Converted,
    Loss,
    LossSeverity,
    Variant,
    forbidding,
    has_sandbox,
    ordered,
    top,
)
from agent_lsp.analysis.conversion.tools import Granted, granted
from agent_lsp.model import template
from agent_lsp.model.conversion import reach
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote, quote_key
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.snapshot import TemplateFile

Value = str | tuple[str, ...] | bool | int
Rules = Mapping[str, str]
_NO_NAME = "agent"
# A name with a version means one model everywhere; a word such as `fast` may mean several.
_VERSION = regex(r"\d")


def agent(
    pair: ConversionPair, file: TemplateFile, variant: Variant, folder: Path
) -> Converted | RuntimeRefusal:
    """The file below `folder` for one variant of the template."""
    old = called(file)
    wanted = f"{old}-{variant.block.name}" if variant.block.name else old
    name = _name(pair, wanted, folder)
    described = _description(pair, file, variant, name)
    if isinstance(described, RuntimeRefusal):
        return described
    policy = abilities_in_all(file, pair.before)
    lists = _copied_lists(pair, file) or granted(pair, policy)
    if isinstance(lists, RuntimeRefusal):
        return lists
    values: dict[KeyRole, Value] = {KeyRole.DESCRIPTION: described, **_kept(pair, file, variant)}
    given = {KeyRole.ALLOW: lists.allow, KeyRole.DENY: lists.deny}
    values |= {role: each for role, each in given.items() if each is not None}
    if lists.is_read_only:
        values[KeyRole.SANDBOX] = "true"
    key = pair.target.schema.by_role.get(KeyRole.AGENT)
    if key is not None and key.required_by is not None:
        values[KeyRole.AGENT] = name
    akin = kin_values(pair, file)
    text = written_file(
        pair.target, values, variant.block.text, dict(akin.values()), _rules(pair, lists)
    )
    refusal = _misread(pair, variant, text, name, described)
    if refusal is not None:
        return refusal
    own = variant.persona.settings if variant.persona is not None else {}
    there = {key.role for key in pair.target.schema.keys}.intersection(values)
    # Every file has a prompt: as a key, or as the body.
    there.add(KeyRole.PROMPT)
    carried = {key.name for key in pair.source.schema.keys if key.role in there}
    losses = [
        *lists.losses,
        *_known_elsewhere(pair, file, policy, lists),
        *_unfounded(pair, file, name),
        *header_losses.lost(pair, file, carried.union(own, pair.before.said, akin), lists.tools),
        *_of_persona(pair, file, variant, name),
        *_of_effort(pair, file, variant, values),
        *spoken_of(pair, file, variant.block.span),
    ]
    if not variant.block.name and name != old:
        message = (
            f"in the other system it is called {code(name)}: {code(old)} is not a valid name "
            "for an agent"
        )
        losses.append(Loss(LossSeverity.NOTE, _top(file), message))
    return Converted(folder / pair.target.system.file_name(name), name, text, ordered(losses))


def _known_elsewhere(
    pair: ConversionPair, file: TemplateFile, policy: Abilities, lists: Granted
) -> Iterator[Loss]:
    """Reports the entries by which the new agent may do more than the old one in one program."""
    own = abilities_of(file, pair.before).can
    has = reach(abilities(pair.after, lists.tools))
    for one in policy.elsewhere:
        if one.is_all or not one.gives & has <= reach(own):
            message = (
                f"{code(one.entry.text)} allows tools in {one.program}, but none in {file.program}"
            )
            yield Loss(LossSeverity.WIDER, one.entry.span, message)


def _rules(pair: ConversionPair, lists: Granted) -> dict[str, Rules]:
    """The rules by which the other system says what the lists say, by their key."""
    if pair.after.rules is None or (lists.allow is None and lists.deny is None):
        return {}
    key, actions = pair.after.rules(lists.allow, lists.deny)
    return {key: actions}


def called(file: TemplateFile) -> str:
    """The name of the agent, even if the runtime skips its file."""
    return file.name or file.dialect.names.name_of(file.path.name) or file.path.stem


def _name(pair: ConversionPair, wanted: str, folder: Path) -> str:
    """The name closest to the wanted one that the other system and the disk accept."""
    if pair.after.names.fullmatch(wanted) and may_be_called(
        pair.target.system.file_name(wanted), folder
    ):
        return wanted
    words = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-")
    return words if words and pair.after.names.fullmatch(words) else _NO_NAME


def _description(
    pair: ConversionPair, file: TemplateFile, variant: Variant, name: str
) -> str | RuntimeRefusal:
    key = pair.source.schema.by_role.get(KeyRole.DESCRIPTION)
    value = variant.setting(file, key.name) if key is not None else None
    if value is not None and value.text.strip():
        return value.text.strip()
    if key is None or key.required_by is None:
        # A runtime that needs no description shows the name in its place.
        return name
    who = f"persona {code(variant.block.name)}" if variant.block.name else "it"
    return RuntimeRefusal(
        f"{who} has no description, which {pair.target.runtime} asks for: write one first"
    )


def _kept(pair: ConversionPair, file: TemplateFile, variant: Variant) -> dict[KeyRole, Value]:
    """The model, effort and sandbox, if the other system is known to give them the same meaning."""
    values: dict[KeyRole, Value] = {}
    model, effort = (_text(pair, file, variant, role) for role in (KeyRole.MODEL, KeyRole.EFFORT))
    level = pair.after.efforts.get(effort or "")
    if level is not None:
        values[KeyRole.EFFORT] = level
    entry = next((one for one in pair.target.models.listed if one.name == model), None)
    is_same = any(one.name == model for one in pair.source.models.listed)
    if entry is not None and (is_same or _VERSION.search(entry.name)):
        values[KeyRole.MODEL] = entry.name
        if effort is not None and effort in entry.efforts:
            values[KeyRole.EFFORT] = effort
    forbidden = forbidding(file, pair.before)
    if forbidden is not None and has_sandbox(pair.target):
        values[KeyRole.SANDBOX] = "true"
    return values


def _of_effort(
    pair: ConversionPair, file: TemplateFile, variant: Variant, values: dict[KeyRole, Value]
) -> Iterator[Loss]:
    """Notes an effort that has another word there."""
    key = pair.source.schema.by_role.get(KeyRole.EFFORT)
    value = variant.setting(file, key.name) if key is not None else None
    level = values.get(KeyRole.EFFORT)
    if key is not None and value is not None and level not in (None, value.text):
        message = f"{code(f'{key.name}: {value.text}')} becomes {code(f'{level}')}"
        why = "the highest level that every model of the other system has"
        yield Loss(LossSeverity.NOTE, value.key or value.span, f"{message}, {why}")


def _text(pair: ConversionPair, file: TemplateFile, variant: Variant, role: KeyRole) -> str | None:
    key = pair.source.schema.by_role.get(role)
    value = variant.setting(file, key.name) if key is not None else None
    return value.text if value is not None else None


def _misread(
    pair: ConversionPair, variant: Variant, text: str, name: str, described: str
) -> RuntimeRefusal | None:
    """The reason why the other runtime would misread the file."""
    held = pair.target.format.read(pair.target.parse(text), name)
    error = next(iter((*held.errors, *held.possible_errors)), None)
    if error is not None:
        return RuntimeRefusal(f"{pair.target.runtime} would refuse it: {error.message}")
    key = pair.target.schema.by_role.get(KeyRole.DESCRIPTION)
    said = held.effective.settings.get(key.name) if key is not None else None
    if key is not None and (said is None or said.text.strip() != described):
        return RuntimeRefusal(f"{pair.target.runtime} would read another description")
    if (
        len(held.effective.blocks) > 1
        or held.effective.default.text.strip() != variant.block.text.strip()
    ):
        where = "a line of it has a meaning in the other system, or a character cannot be written"
        return RuntimeRefusal(f"{pair.target.runtime} would read another prompt: {where}")
    why = pair.after.unfit(held) if pair.after.unfit is not None else None
    return RuntimeRefusal(f"{pair.target.runtime} could not use it: {why}") if why else None


def _of_persona(
    pair: ConversionPair, file: TemplateFile, variant: Variant, name: str
) -> Iterator[Loss]:
    """Converts the personas, and the settings of this one."""
    if variant.persona is None:
        for persona in file.reading.effective.personas:
            other = _name(pair, f"{called(file)}-{persona.name}", file.path.parent)
            message = f"persona {code(persona.name)} becomes a separate agent: {code(other)}"
            yield Loss(LossSeverity.NOTE, persona.name_span, message)
        return
    message = f"persona {code(variant.persona.name)} becomes a separate agent: {code(name)}"
    yield Loss(LossSeverity.NOTE, variant.persona.name_span, message)
    kept = _kept(pair, file, variant)
    for holds in (KeyRole.MODEL, KeyRole.EFFORT):
        key = pair.source.schema.by_role.get(holds)
        value = variant.persona.settings.get(key.name) if key is not None else None
        if key is not None and value is not None and holds not in kept:
            message = header_losses.unknown(pair, key, value.text)
            yield Loss(LossSeverity.LOST, value.key or value.span, message)


def _unfounded(pair: ConversionPair, file: TemplateFile, name: str) -> Iterator[Loss]:
    """Notes on a made-up description, and on a new file that shadows the old one."""
    target = pair.target.schema.by_role.get(KeyRole.DESCRIPTION)
    if pair.source.schema.by_role.get(KeyRole.DESCRIPTION) is None and target is not None:
        message = f"{pair.program} has no descriptions: {code(name)} is used as one"
        yield Loss(LossSeverity.NOTE, _top(file), f"{message}; write into it when to use the agent")
    if kin_keys(pair, file):
        message = f"the same runtime reads both, and uses this one: remove it from {file.path.name}"
        yield Loss(LossSeverity.NOTE, _top(file), f"{message} to use the other one")


def _top(file: TemplateFile) -> Span:
    if file.dialect.schema.is_tables:
        return top(file)
    key = file.dialect.schema.by_role.get(KeyRole.AGENT)
    value = file.reading.effective.settings.get(key.name) if key is not None else None
    return value.span if value is not None else Span(0, 0)


# A name that is one common word means a tool only if it is formatted as code.
_DISTINCT = regex(r"\w*[_/]\w+")


def spoken_of(pair: ConversionPair, file: TemplateFile, prompt: Span) -> Iterator[Loss]:
    """Reports where the prompt is used, and each tool and agent that it mentions, once."""
    if pair.after.around and pair.after.around != pair.before.around:
        yield Loss(LossSeverity.NOTE, Span(prompt.start, prompt.start), pair.after.around)
    yield from _tools(pair, file, prompt)
    seen = set()
    for mention in file.dialect.mentioned(file.document):
        name = mention.name
        inside = prompt.start <= mention.span.start < prompt.end
        if not inside or mention.agent is not None or name in seen or name == file.name:
            continue
        seen.add(name)
        if next(iter(candidates(file.workspace, file.dialect, file.root, name)), None) is not None:
            what = f"the prompt mentions the agent {code(name)}"
            yield Loss(
                LossSeverity.NOTE, mention.span, f"{what}, which the other system must have, too"
            )


def _tools(pair: ConversionPair, file: TemplateFile, prompt: Span) -> Iterator[Loss]:
    there = {tool.name for tool in (*pair.target.tools.listed, *pair.target.tools.withheld)}
    for tool in (*pair.source.tools.listed, *pair.source.tools.withheld):
        if tool.name in there:
            continue
        name = re.escape(tool.name)
        written = rf"\b{name}\b" if _DISTINCT.fullmatch(tool.name) else rf"(?<=`){name}(?=`)"
        found = re.compile(written).search(file.document.text, prompt.start, prompt.end)
        if found is None:
            continue
        others = _counterparts(pair, tool.name)
        there_it_is = (
            f"in the other system it is {code(others[0])}"
            if others
            else "which the other system does not have"
        )
        message = f"the prompt speaks of {code(tool.name)}; {there_it_is}"
        yield Loss(LossSeverity.NOTE, Span(*found.span()), message)


def _counterparts(pair: ConversionPair, tool: str) -> list[str]:
    does = pair.before.tools.get(tool)
    if does is None or not does.gives:
        return []
    return [name for name, other in pair.after.tools.items() if other.gives == does.gives]


def written_file(
    dialect: Dialect,
    values: Mapping[KeyRole, Value],
    prompt: str,
    more: Mapping[str, Value],
    rules: Mapping[str, Rules],
) -> str:
    """A file of `dialect` with `values` by role, `more` by name, and `rules`; then `prompt`."""
    if dialect.is_toml:
        return _toml(dialect, values, prompt, more)
    always = dialect.conversion.always if dialect.conversion is not None else {}
    lines: list[str] = []
    for key in dialect.schema.keys:
        value = values.get(key.role) if key.role is not None else None
        value = more.get(key.name) if value is None else value
        value = always.get(key.name) if value is None else value
        lines += _lines(key, value) if value is not None else ()
        lines += _rule_lines(key, rules.get(key.name, {}))
    return "\n".join(("---", *lines, "---", "", prompt.strip("\r\n"), ""))


def _rule_lines(key: Key, rules: Rules) -> Iterator[str]:
    if rules:
        yield f"{key.name}:"
        yield from (f"  {quote_key(name)}: {action}" for name, action in rules.items())


def _toml(
    dialect: Dialect, values: Mapping[KeyRole, Value], prompt: str, more: Mapping[str, Value]
) -> str:
    """A file that is all TOML, with the prompt as the value of its last key."""
    lines: list[str] = []
    last = ""
    for key in dialect.schema.keys:
        value = values.get(key.role) if key.role is not None else None
        value = more.get(key.name) if value is None else value
        if key.role is KeyRole.PROMPT:
            last = f"{key.name} = {edit.quote_lines(prompt.strip(_LINE_ENDS))}"
        elif value is not None:
            lines.append(f"{key.name} = {edit.quote(value)}")
    return "\n".join((*lines, last, ""))


_LINE_ENDS = "\r\n"


def _lines(key: Key, value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield f"{key.name}: {quote(value)}"
    elif isinstance(value, bool | int):
        yield f"{key.name}: {str(value).lower()}"
    elif not value:
        yield f"{key.name}: []"
    elif key.in_text:
        yield f"{key.name}: {quote(', '.join(value))}"
    else:
        yield f"{key.name}:"
        yield from (f"  - {quote(item)}" for item in value)


# The roles that have a key of their own in every file.
_SAID = frozenset({KeyRole.AGENT, KeyRole.DESCRIPTION, KeyRole.ALLOW, KeyRole.DENY})


def kin_keys(pair: ConversionPair, file: TemplateFile) -> Mapping[str, Key]:
    """Maps the keys of this form to those of the other one."""
    names = pair.before.kin(file.reading, pair.target.id) if pair.before.kin is not None else {}
    found = ((name, pair.target.key(other)) for name, other in names.items())
    return {name: key for name, key in found if key is not None}


def kin_values(pair: ConversionPair, file: TemplateFile) -> dict[str, tuple[str, Value]]:
    """Maps the keys of this form to the key and the value in the other one."""
    settings = file.reading.effective.settings
    found = {}
    for name, key in kin_keys(pair, file).items():
        said = _said(key, settings[name]) if name in settings and key.role not in _SAID else None
        if said is not None:
            found[name] = (key.name, said)
    return found


def _copied_lists(pair: ConversionPair, file: TemplateFile) -> Granted | None:
    """The tool lists, unchanged; None if they mean something else there or cannot be written."""
    mine = {key.role: name for name, key in kin_keys(pair, file).items()}
    found: dict[KeyRole, tuple[str, ...] | None] = {}
    for holds in (KeyRole.ALLOW, KeyRole.DENY):
        name, key = mine.get(holds), pair.target.schema.by_role.get(holds)
        if name is None or key is None:
            return None
        value = file.reading.effective.settings.get(name)
        said = _said(key, value) if value is not None and value.items else None
        if value is not None and value.items and not isinstance(said, tuple):
            return None
        found[holds] = said if isinstance(said, tuple) else None
    return Granted(found[KeyRole.ALLOW], found[KeyRole.DENY], pair.tools, ())


def _said(key: Key, value: template.Value) -> Value | None:
    """A value in the other form, or None if it cannot be expressed there."""
    if isinstance(value.value, bool | int):
        return value.value
    if isinstance(value.value, str):
        words = [choice.name for choice in key.choices]
        is_said = value.text in words if words else bool(value.text.strip())
        return value.text if is_said else None
    items = tuple(item.text for item in value.items)
    # In the other form, a blank list sets nothing, and a comma ends a name.
    is_plain = all(item.strip() == item and item and "," not in item for item in items)
    return items if items and is_plain else None
