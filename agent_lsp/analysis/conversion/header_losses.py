"""Lists what the new file cannot express of the header, apart from the tool lists."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.conversion.abilities import abilities
from agent_lsp.analysis.conversion.pair import (
    ConversionPair,
    Loss,
    LossSeverity,
    forbidding,
    has_sandbox,
    without_effect,
    written,
)
from agent_lsp.model.conversion import Ability
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_programs_read

# The roles that are converted elsewhere: in the new header, or with the tools and personas.
_SAID = frozenset(
    {KeyRole.DESCRIPTION, KeyRole.ALLOW, KeyRole.DENY, KeyRole.AGENT, KeyRole.PERSONAS}
)
_FIRST = regex("[:;]")
_COMMENT = regex(r"(?m)^[ \t]*(#.*)$")


def lost(
    pair: ConversionPair, file: TemplateFile, carried: AbstractSet[str], tools: Iterable[str]
) -> Iterator[Loss]:
    """The keys that have no meaning in the other system, except those that are `carried` over.

    `tools` are those of the new agent.
    """
    can = abilities(pair.after, tools)
    for name, entry in _entries(file):
        key = pair.source.key(name) or _of_other_program(file, name)
        # Keys of another generation of the runtime have no effect here.
        is_read = not file.dialect.schema.is_tables or name in file.reading.effective.settings
        if key is None or not is_read:
            what = f"{code(name or entry.key.span.of(file.document.text))} is not known to"
            message = f"{what} {pair.program}: it is left out"
            yield Loss(LossSeverity.NOTE, entry.key.span, message)
        elif key.name not in carried and (key.role not in _SAID or _is_undescribed(pair, key)):
            yield from _of_key(pair, file, key, entry, can)
    inner = file.document.frontmatter.inner
    comment = _COMMENT.search(file.document.text, inner.start, inner.end)
    # In a file of tables, comments may be about other agents, and a text of many lines may contain
    # `#`.
    if comment is not None and not file.dialect.schema.is_tables:
        message = "comments in the header are left out"
        yield Loss(LossSeverity.NOTE, Span(*comment.span(1)), message)


def _of_other_program(file: TemplateFile, name: str) -> Key | None:
    """The key of a program that reads the file besides the first one, or None."""
    others = (one.dialect.key(name) for one in as_programs_read(file))
    return next(filter(None, others), None)


def _entries(file: TemplateFile) -> Iterator[tuple[str, Entry]]:
    """The keys of the template by the names of its settings."""
    if file.dialect.schema.is_tables:
        yield from written(file)
        return
    top = header.root(file)
    yield from ((entry.name or "", entry) for entry in (top.entries if top is not None else ()))


def _of_sandbox(pair: ConversionPair, shown: str, span: Span) -> Loss:
    """The loss of a sandbox, and what keeps the agent from changing things there, if anything."""
    key = pair.target.schema.by_role.get(KeyRole.SANDBOX)
    if key is not None and has_sandbox(pair.target):
        message = f"{shown}: in the other system, `{key.name}` forbids what changes something"
        return Loss(LossSeverity.NOTE, span, message)
    if not pair.can_allow and not pair.can_deny:
        message = (
            f"{shown} is lost: nothing in the other system keeps the agent from changing things"
        )
        return Loss(LossSeverity.WIDER, span, message)
    message = (
        f"{shown}: nothing in the other system forbids it, so tools that change something are "
        "left out"
    )
    return Loss(LossSeverity.LOST, span, message)


def unknown(pair: ConversionPair, key: Key, value: str | None) -> str:
    """Why a key with a value is lost, with the default that applies instead."""
    return f"{_shown(key, value)}: {_why(pair, key)}"


def _shown(key: Key, value: str | None) -> str:
    return code(f"{key.name}: {value}" if value else key.name)


def _is_undescribed(pair: ConversionPair, key: Key) -> bool:
    """Whether `key` describes the agent, and the other system has no description."""
    is_described = pair.target.schema.by_role.get(KeyRole.DESCRIPTION) is not None
    return key.role is KeyRole.DESCRIPTION and not is_described


def _of_key(
    pair: ConversionPair, file: TemplateFile, key: Key, entry: Entry, can: AbstractSet[Ability]
) -> Iterator[Loss]:
    node = entry.node
    value = node.value.strip() if isinstance(node, Scalar) else None
    if value is not None and value in pair.before.unset.get(key.name, ()):
        return
    span = entry.key.span
    shown = _shown(key, value)
    hold = pair.before.holds.get(key.name)
    # Each program may take other words for true.
    read = _switched(file, key) if hold is not None and hold.is_switch else {value}
    if span in without_effect(file) or not read:
        message = f"{shown} does nothing here: it is left out"
        yield Loss(LossSeverity.NOTE, span, message)
        return
    forbidden = forbidding(file, pair.before)
    if forbidden is not None and forbidden.key == span:
        yield _of_sandbox(pair, shown, span)
        return
    has_tools = hold is not None and (not hold.tools or not hold.tools.isdisjoint(pair.tools))
    is_able = hold is not None and (hold.ability is None or hold.ability in can)
    if hold is not None and has_tools and is_able and not read <= hold.harmless:
        yield Loss(LossSeverity.WIDER, span, f"{shown} is lost: {hold.reason}")
        return
    yield Loss(LossSeverity.LOST, span, unknown(pair, key, value))


def _switched(file: TemplateFile, key: Key) -> set[str | None]:
    """What the programs that read the file make of a switch: `true`, `false`, both or nothing."""
    settings = (one.reading.effective.settings for one in (file, *as_programs_read(file)))
    found = (held[key.name].value for held in settings if key.name in held)
    return {str(one).lower() for one in found if isinstance(one, bool)}


def _why(pair: ConversionPair, key: Key) -> str:
    if key.role is KeyRole.MODEL:
        return f"{pair.target.runtime} is not known to have this model; {_instead(pair, key)}"
    if key.role is KeyRole.EFFORT:
        why = "efforts of different models do not compare"
        if pair.after.efforts:
            why = "not every model of the other system has this level"
        return f"{why}; {_instead(pair, key)}"
    return f"there is no such key ({_FIRST.split(key.meaning)[0]})"


def _instead(pair: ConversionPair, key: Key) -> str:
    """What the other runtime does without the key, or that it has no such key."""
    other = pair.target.schema.by_role.get(key.role) if key.role is not None else None
    if other is None:
        return "no setting of the other system chooses it"
    return f"default of {code(other.name)} in the other system: {other.default}"
