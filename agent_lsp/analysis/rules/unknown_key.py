"""The header has a key that the runtime does not know."""

from collections.abc import Iterator

from agent_lsp.analysis.nearest import fold
from agent_lsp.analysis.rules import elsewhere, header, idle, keys
from agent_lsp.analysis.rules.header import Level
from agent_lsp.analysis.rules.keys import NO_EFFECT
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.dialects.vocabulary import Holds, Kind, Severity
from agent_lsp.syntax.nodes import Entry, Mapping, Sequence, resolve
from agent_lsp.workspace.index import Subject

# How other agent systems call it, without case and separators.
_BORROWED = {
    Holds.ALLOW: "tools toolset toolsets allow allowed allowedtools allowtools toolallowlist "
    "allowlist whitelist toolwhitelist enabledtools availabletools permission permissions "
    "permissionmode",
    Holds.DENY: "deny denied deniedtools denytools tooldenylist denylist disallowed "
    "disallowedtools blacklist blocklist blockedtools disabledtools excludetools excludedtools "
    "forbiddentools",
    Holds.SANDBOX: "sandbox sandboxmode sandboxpolicy readonlymode readonlysandbox write writable",
    Holds.EFFORT: "effort reasoning reasoninglevel thinking thinkinglevel modelreasoningeffort",
    Holds.PERSONAS: "personas agentpersona agentpersonas agentnicknames variants",
}


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each key that the runtime ignores."""
    if not header.parses(of) or header.is_note(of):
        return
    for level in header.levels(of):
        for entry in keys.unknown(of, level):
            yield from _unknown(of, level, entry)


def _unknown(of: Subject, level: Level, entry: Entry) -> Iterator[Finding]:
    if entry.name == "<<" and of.dialect.merges:
        return
    if level.within is None and (entry.name or "") in of.dialect.renamed:
        if not (of.dialect.open_keys and _limits_tools(of, level)):
            yield _renamed(of, level, entry)
        return
    doubled = elsewhere.beside(of, level, entry)
    if doubled is not None:
        yield doubled
        return
    is_closed = level.within is not None and level.within.closed
    if is_closed and not _is_of_its_form(level, entry):
        return
    key = keys.meant(level, entry)
    if key is None and not _is_private(entry.name or ""):
        found = _ignored(of, level, entry)
        is_open = of.dialect.open_keys and not is_closed
        if is_open and found.severity is Severity.INFORMATION:
            return
        # What is there for the sake of an alias has an effect where that stands.
        if found.severity is None or not keys.holds_anchor(of, entry):
            yield found
    elif key is not None and not keys.is_reported_as_missing(of, level, entry, key):
        effect = NO_EFFECT.get(key.holds, "") if key.holds else ""
        message = f"{_thing(entry)}{effect}; did you mean {code(key.name)}?"
        yield Finding(entry.key.span, message, meant=(key.name,))


def _limits_tools(of: Subject, level: Level) -> bool:
    """Whether a header has a tool policy, so that it is not another system's that is lost."""
    keys_ = (of.dialect.key_holding(holds) for holds in (Holds.ALLOW, Holds.DENY))
    return any(key is not None and level.mapping.get(key.name) is not None for key in keys_)


def _is_of_its_form(level: Level, entry: Entry) -> bool:
    """Whether the value of `entry` has the shape of those that belong there."""
    node = resolve(entry.value)
    if isinstance(node, Sequence):
        return all(isinstance(resolve(item), Mapping) for item in node.items)
    return node is None or all(key.kind is not Kind.RECORDS for key in level.keys)


def _renamed(of: Subject, level: Level, entry: Entry) -> Finding:
    """The finding on a key that the author knows from elsewhere: it may be all of the policy."""
    said = of.dialect.renamed[entry.name or ""]
    thing = f"the runtime ignores {code(entry.name or '')}"
    if said.key is None:
        return Finding(entry.key.span, f"{thing}: {said.lost}")
    if level.mapping.get(said.key) is not None:
        note = f"{thing}; {code(said.key)} is what counts"
        return Finding(entry.key.span, note, Severity.INFORMATION)
    harmless = idle.harmless(of, said, entry)
    if harmless is not None:
        return Finding(entry.key.span, f"{thing}; {harmless}", Severity.INFORMATION)
    message = f"{thing}, so {said.lost}; it is called {code(said.key)} here"
    return Finding(entry.key.span, message, meant=(said.key,))


def _is_private(name: str) -> bool:
    """Whether a key says by its name that it is nobody else's business."""
    return name.startswith(("x-", "x_"))


def _thing(entry: Entry) -> str:
    return f"unknown key {code(entry.name or '')}: the runtime ignores it"


def _ignored(of: Subject, level: Level, entry: Entry) -> Finding:
    """The finding on a key that is no misspelling."""
    name = entry.name or ""
    if name == "<<":
        return _merge(level, entry)
    if level.within is None and name in of.dialect.ignored:
        said = f"the runtime ignores {code(name)}: {of.dialect.ignored[name]}"
        return Finding(entry.key.span, said, Severity.INFORMATION)
    misplaced = of.dialect.key(name) if level.within is not None else None
    holds = misplaced.holds if misplaced else _borrowed(name)
    if holds in NO_EFFECT and level.within is not None and level.within.holds is Holds.PERSONAS:
        effect = NO_EFFECT[holds]
        message = f"the runtime ignores {code(name)} in a persona{effect}; set it for the role"
        return Finding(entry.key.span, message)
    key = next((key for key in level.keys if key.holds is holds), None) if holds else None
    if key is None:
        return Finding(entry.key.span, _thing(entry) + _aside(of, name), Severity.INFORMATION)
    # Who sets the key itself as well writes for two systems.
    is_lost = holds in NO_EFFECT and level.mapping.get(key.name) is None
    effect = NO_EFFECT[holds] if is_lost and holds else ""
    message = f"{_thing(entry)}{effect}; it is called {code(key.name)} here"
    severity = None if is_lost else Severity.INFORMATION
    return Finding(entry.key.span, message, severity, meant=(key.name,))


def _merge(level: Level, entry: Entry) -> Finding:
    """Merge keys are a way to lose a policy that is there for everybody to see."""
    value = resolve(entry.value)
    sources = value.items if isinstance(value, Sequence) else (value,)
    mappings = [node for node in map(resolve, sources) if isinstance(node, Mapping)]
    lost = [key.name for key in level.keys if any(inner.get(key.name) for inner in mappings)]
    if not lost:
        return Finding(entry.key.span, _thing(entry), Severity.INFORMATION)
    names = listed(lost, "and")
    message = f"merge keys are not resolved, so {names} from `<<` has no effect; write it out"
    return Finding(entry.key.span, message)


def _borrowed(name: str) -> Holds | None:
    return next((holds for holds, names in _BORROWED.items() if fold(name) in names.split()), None)


def _aside(of: Subject, name: str) -> str:
    """What replaces a key that other systems have and this one has no use for."""
    personas = of.dialect.key_holding(Holds.PERSONAS)
    inner = personas.items if personas else ()
    named = any(key.name == name and key.holds is Holds.PERSONA_NAME for key in inner)
    return f"; the agent is called {code(of.name or '')}, after its file" if named else ""


RULE = Rule("unknown-key", check)
