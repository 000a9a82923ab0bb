"""Checks for keys that the runtime does not know, and suggests keys for them.

Invariant: if the absence of a key is a finding, a misspelling of that key is reported there, as the
cause, and nowhere else.
"""

from collections.abc import Collection, Iterator
from collections.abc import Mapping as Map

from agent_lsp.analysis.checks import coerce, header, tool_policy
from agent_lsp.analysis.checks.fence_heuristics import too_early, too_late
from agent_lsp.analysis.checks.header import Level
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.check import Check, Field, Finding, Related, Tag, Trait
from agent_lsp.model.schema import Key, KeyRole, Renamed, Severity, ValueKind
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Alias, Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.workspace import misplaced
from agent_lsp.workspace.snapshot import TemplateFile

# The consequence of a restriction under a key that the runtime ignores.
NO_EFFECT: dict[KeyRole | None, str] = {
    KeyRole.ALLOW: ", so it limits no tools",
    KeyRole.DENY: ", so it denies no tools",
    KeyRole.SANDBOX: ", so it restricts no sandbox",
}
# Words that people use for a key, without case and separators.
_INSTEAD = dict.fromkeys(("desc", "descr", "summary", "whentouse"), "description")
# Keys of other systems that are one slip away from a key, but no misspelling of it.
_WORDS_OF_THEIR_OWN = ("mode", "names", "modes")
# A key at the start of a line, and what stands in the place of a colon and a blank. Behind a colon,
# `/` makes an address of the word.
_BEGUN = regex(
    r"""[*`"'\u201c\u201d]*(?P<key>\w[\w-]*)[*`"'\u201c\u201d]*\s*"""
    r"(?:[:\uff1a](?!/)|=(?!=)|->|(?=\[)|$)"
)


def begun(line: str, names: Collection[str]) -> tuple[str, str] | None:
    """The key of `names` that a line sets, or is meant to set, and the value in the line; or None.

    The line may lack the colon or the blank behind it, or have another sign for it.
    """
    found = _BEGUN.match(line)
    if found is None or found["key"] not in names:
        return None
    # A blank that is none in YAML is one here.
    return found["key"], line[found.end() :].strip()


def unknown(file: TemplateFile, level: Level) -> Iterator[Entry]:
    """The entries of `level` that the runtime ignores and that no user vouches for."""
    known = {key.name for key in level.keys} | set(file.options.extra(file.dialect.id).keys)
    found = [entry for entry in level.mapping.entries if entry.name and entry.name not in known]
    if not found:
        return
    refused = {error.span for error in header.errors(file, LoadErrorKind.FORBIDDEN)}
    found = [entry for entry in found if entry.key.span not in refused]
    late = too_late(file) if found and level.within is None else None
    yield from (entry for entry in found if late is None or entry.span.start < late.start.start)


def meant(level: Level, entry: Entry) -> Key | None:
    """The key that `entry` is a misspelling of, if the mapping does not have that key as well."""
    if entry.name is None or entry.name in _WORDS_OF_THEIR_OWN:
        return None
    name = nearest(entry.name, [key.name for key in level.keys]) or _INSTEAD.get(fold(entry.name))
    if name is None or level.mapping.get(name) is not None:
        return None
    return next((key for key in level.keys if key.name == name), None)


def misspelt(file: TemplateFile, level: Level, name: str) -> Entry | None:
    """The first entry of `level` that was meant to be the missing key `name`, or None."""
    for entry in unknown(file, level):
        key = meant(level, entry)
        if key is not None and key.name == name:
            return entry
    return None


def is_reported_as_missing(file: TemplateFile, level: Level, entry: Entry, key: Key) -> bool:
    """Whether another check reports that `key` is missing, with `entry` as the cause."""
    # To look for the first of many misspelt entries takes longest.
    return _is_reported_if_missing(file, key) and misspelt(file, level, key.name) is entry


def _is_reported_if_missing(file: TemplateFile, key: Key) -> bool:
    if key.mandatory or key.name in header.missing_keys(file):
        return True
    if not header.parses(file):
        return False
    if key.role is KeyRole.PERSONAS:
        return has_undeclared_blocks(file)
    return key.required_by is not None


def has_undeclared_blocks(file: TemplateFile) -> bool:
    """Whether the body has blocks of personas and the header declares none."""
    held = header.held(file)
    key = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
    is_refused = key is not None and any(
        error.key.startswith(key.name) for error in file.reading.errors
    )
    is_absent = not held.personas and not is_refused and not is_below(file, KeyRole.PERSONAS)
    return bool(held.blocks[1:]) and is_absent


def is_below(file: TemplateFile, holds: KeyRole) -> bool:
    """Whether the key with the role `holds` is below the line that closes the header."""
    key = file.dialect.schema.by_role.get(holds)
    return key is not None and stands_below(file, key.name)


def stands_below(file: TemplateFile, name: str) -> bool:
    """Whether the key called `name` is below the line that closes the header."""
    early = too_early(file)
    return early is not None and name in early.names


def holds_anchor(file: TemplateFile, entry: Entry) -> bool:
    """Whether an alias outside of `entry` refers to an anchor in its value."""
    if entry.value is None or "*" not in file.document.frontmatter.inner.of(file.document.text):
        return False
    own, uses = {id(node) for node in _nodes(entry.value)}, _uses(file)
    return any(alias not in own for node in own for alias in uses.get(node, ()))


@memoised
def _uses(file: TemplateFile) -> Map[int, list[int]]:
    """The aliases of each node, both by identity, because equal nodes are not the same."""
    found: dict[int, list[int]] = {}
    for node in _nodes(file.document.tree.root):
        if isinstance(node, Alias):
            found.setdefault(id(node.target), []).append(id(node))
    return found


def _nodes(root: Node | None) -> Iterator[Node]:
    """`root` and all nodes below it, without following aliases."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        yield node
        if isinstance(node, Mapping):
            waiting += (side for entry in node.entries for side in (entry.key, entry.value))
        elif isinstance(node, Sequence):
            waiting += node.items


def beside(file: TemplateFile, level: Level, entry: Entry) -> Finding | None:
    """The finding on a key without an effect beside the key that has the effect."""
    name = file.dialect.schema.elsewhere.get(entry.name or "") if level.within is None else None
    right = level.mapping.get(name) if name is not None else None
    key = file.dialect.key(name or "")
    if right is None or key is None or key.role not in tool_policy.LISTS:
        return None
    thing = f"the runtime ignores {code(entry.name or '')} here"
    related = (Related(file.path, right.key.span, "this one is used"),)
    own = {item.text for item in tool_policy.policy(file).entries[key.role]}
    told = dict.fromkeys(_tools(entry))
    more = [tool for tool in told if tool not in own]
    if key.role is KeyRole.DENY:
        kept = {
            verdict.tool
            for verdict in file.dialect.tools.toolset(file.reading, tuple(more), 1).kept
        }
        more = [tool for tool in more if tool in kept]
        if more:
            lost = f"so it does not remove {listed(more, 'and')}"
            message = f"{thing}, {lost}: {code(key.name)} is used instead"
            # The message names the suggestion, because removing the key would lose its tools.
            return Finding(entry.key.span, message, related=related, meant=(key.name,))
    message = f"{thing}: {code(key.name)} is used instead"
    is_same = bool(told) and own == set(told)
    severity = Severity.HINT if is_same else Severity.INFORMATION
    tags = (Tag.UNNECESSARY,) if is_same else ()
    return Finding(entry.key.span, message, severity, tags, related)


def _tools(entry: Entry) -> Iterator[str]:
    """The names of tools in a list, or in a text that lists them, without limits on their use."""
    value = entry.node
    for node in value.items if isinstance(value, Sequence) else (value,):
        item = resolve(node)
        if isinstance(item, Scalar):
            yield from coerce.names(item.value)


_EVERY = "*"


def harmless(file: TemplateFile, said: Renamed, entry: Entry) -> str | None:
    """Why nothing is lost with a renamed key, or None if something is lost."""
    if said.key is None:
        return None
    value = entry.node
    key = file.dialect.key(said.key)
    if key is not None and key.role is KeyRole.DENY:
        return "it denies nothing" if _is_blank(value) else None
    if said.empty_meant_all and _is_blank(value):
        return f"it once meant every tool, and `{said.key}: []` means none"
    return f"{code(_EVERY)} is every tool, which the agent gets" if _is_every(value) else None


def _is_blank(value: Node | None) -> bool:
    if isinstance(value, Sequence):
        return not value.items
    return value is None or (isinstance(value, Scalar) and value.value.strip() in ("", "~", "null"))


def _is_every(value: Node | None) -> bool:
    items = value.items if isinstance(value, Sequence) else (value,)
    nodes = [resolve(item) for item in items]
    return any(isinstance(node, Scalar) and node.value.strip() == _EVERY for node in nodes)


# The names in other systems, without case and separators.
_BORROWED = {
    KeyRole.ALLOW: "tools toolset toolsets allow allowed allowedtools allowtools toolallowlist "
    "allowlist whitelist toolwhitelist enabledtools availabletools permission permissions "
    "permissionmode",
    KeyRole.DENY: "deny denied deniedtools denytools tooldenylist denylist disallowed "
    "disallowedtools blacklist blocklist blockedtools disabledtools excludetools excludedtools "
    "forbiddentools",
    KeyRole.SANDBOX: "sandbox sandboxmode sandboxpolicy readonlymode readonlysandbox write "
    "writable",
    KeyRole.EFFORT: "effort reasoning reasoninglevel thinking thinkinglevel modelreasoningeffort",
    KeyRole.PERSONAS: "personas agentpersona agentpersonas agentnicknames variants",
}


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key that the runtime ignores."""
    if not header.parses(file) or header.is_note(file):
        return
    is_of_others = _is_of_others(file)
    for level in header.levels(file):
        for entry in unknown(file, level):
            is_noise = is_of_others and not may_restrict(entry.name or "")
            for found in _unknown(file, level, entry):
                if not (is_noise and found.severity is Severity.INFORMATION):
                    yield found


def _is_of_others(file: TemplateFile) -> bool:
    """Whether a file shows that it was written for another system with which a folder is shared.

    The keys of that system are there on purpose; only a lost restriction is worth a word.
    """
    if file.dialect.system.shared is None:
        return False
    found = misplaced.foreign(file.dialect, file.path.name, file.document)
    return found is not None and bool(found.keys)


def _unknown(file: TemplateFile, level: Level, entry: Entry) -> Iterator[Finding]:
    if entry.name == "<<" and file.dialect.format.merges:
        return
    if level.within is None and (entry.name or "") in file.dialect.schema.renamed:
        if not (file.dialect.schema.open_keys and _limits_tools(file, level)):
            yield _renamed(file, level, entry)
        return
    found = beside(file, level, entry) or _conditional(file, level, entry)
    if found is not None:
        yield found
        return
    is_closed = level.within is not None and level.within.closed
    if is_closed and not _is_of_its_form(level, entry):
        return
    key = meant(level, entry)
    if key is None and not _is_private(entry.name or ""):
        found = _ignored(file, level, entry)
        is_open = file.dialect.schema.open_keys and not is_closed
        if is_open and found.severity is Severity.INFORMATION:
            return
        # A key with an anchor has an effect at its alias.
        if found.severity is None or not holds_anchor(file, entry):
            yield found
    elif key is not None and not is_reported_as_missing(file, level, entry, key):
        effect = NO_EFFECT.get(key.role, "") if key.role else ""
        message = f"{_thing(entry)}{effect}; did you mean {code(key.name)}?"
        yield Finding(entry.key.span, message, meant=(key.name,))


def _conditional(file: TemplateFile, level: Level, entry: Entry) -> Finding | None:
    """The finding on a key that needs another value of the key on which it depends."""
    outermost = file.dialect.schema.outermost(file.document)
    keys = level.within.items if level.within is not None else outermost
    when = next((key.when for key in keys if key.name == entry.name), None)
    if when is None:
        return None
    needed = " or ".join(code(f"{when.key}: {word}") for word in when.values)
    thing = f"the runtime ignores {code(entry.name or '')} here"
    return Finding(entry.key.span, f"{thing}: it needs {needed}")


def _limits_tools(file: TemplateFile, level: Level) -> bool:
    """Whether a header has a tool policy, so that a policy of another system is no loss."""
    keys_ = (file.dialect.schema.by_role.get(holds) for holds in (KeyRole.ALLOW, KeyRole.DENY))
    return any(key is not None and level.mapping.get(key.name) is not None for key in keys_)


def _is_of_its_form(level: Level, entry: Entry) -> bool:
    """Whether the value of `entry` has the shape of the values that belong there."""
    node = entry.node
    if isinstance(node, Sequence):
        return all(isinstance(resolve(item), Mapping) for item in node.items)
    return node is None or all(key.kind is not ValueKind.RECORDS for key in level.keys)


def _renamed(file: TemplateFile, level: Level, entry: Entry) -> Finding:
    """The finding on a key from another system or version, which may be the whole policy."""
    said = file.dialect.schema.renamed[entry.name or ""]
    thing = f"the runtime ignores {code(entry.name or '')}"
    if said.key is None:
        return Finding(entry.key.span, f"{thing}: {said.lost}")
    if level.mapping.get(said.key) is not None:
        note = f"{thing}; {code(said.key)} is used instead"
        return Finding(entry.key.span, note, Severity.INFORMATION)
    why = harmless(file, said, entry)
    if why is not None:
        return Finding(entry.key.span, f"{thing}; {why}", Severity.INFORMATION)
    message = f"{thing}, so {said.lost}; its name here is {code(said.key)}"
    return Finding(entry.key.span, message, meant=(said.key,))


def _is_private(name: str) -> bool:
    """Whether the name of a key marks it as private."""
    return name.startswith(("x-", "x_"))


def _thing(entry: Entry) -> str:
    return f"unknown key {code(entry.name or '')}: the runtime ignores it"


def _ignored(file: TemplateFile, level: Level, entry: Entry) -> Finding:
    """The finding on a key that is no misspelling."""
    name = entry.name or ""
    if name == "<<":
        return _merge(level, entry)
    if level.within is None and name in file.dialect.schema.ignored:
        said = f"the runtime ignores {code(name)}: {file.dialect.schema.ignored[name]}"
        return Finding(entry.key.span, said, Severity.INFORMATION)
    misplaced = file.dialect.key(name) if level.within is not None else None
    holds = misplaced.role if misplaced else _borrowed(name)
    if holds in NO_EFFECT and level.within is not None and level.within.role is KeyRole.PERSONAS:
        effect = NO_EFFECT[holds]
        message = f"the runtime ignores {code(name)} in a persona{effect}; set it for the role"
        return Finding(entry.key.span, message)
    key = next((key for key in level.keys if key.role is holds), None) if holds else None
    if key is None:
        return Finding(entry.key.span, _thing(entry) + _aside(file, name), Severity.INFORMATION)
    # An author who sets the right key as well writes for two systems.
    is_lost = holds in NO_EFFECT and level.mapping.get(key.name) is None
    effect = NO_EFFECT[holds] if is_lost and holds else ""
    message = f"{_thing(entry)}{effect}; its name here is {code(key.name)}"
    severity = None if is_lost else Severity.INFORMATION
    return Finding(entry.key.span, message, severity, meant=(key.name,))


def _merge(level: Level, entry: Entry) -> Finding:
    """Reports a merge key, which can lose a policy although everybody can see it."""
    value = entry.node
    sources = value.items if isinstance(value, Sequence) else (value,)
    mappings = [node for node in map(resolve, sources) if isinstance(node, Mapping)]
    lost = [key.name for key in level.keys if any(inner.get(key.name) for inner in mappings)]
    if not lost:
        return Finding(entry.key.span, _thing(entry), Severity.INFORMATION)
    names = listed(lost, "and")
    message = f"merge keys are not resolved, so {names} from `<<` has no effect; write it out"
    return Finding(entry.key.span, message)


def may_restrict(name: str) -> bool:
    """Whether a key of other systems restricts an agent there."""
    return _borrowed(name) in NO_EFFECT


def _borrowed(name: str) -> KeyRole | None:
    return next((holds for holds, names in _BORROWED.items() if fold(name) in names.split()), None)


def _aside(file: TemplateFile, name: str) -> str:
    """The replacement for a key of other systems that this one does not use."""
    personas = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
    inner = personas.items if personas else ()
    named = any(key.name == name and key.role is KeyRole.PERSONA_NAME for key in inner)
    return f"; the agent is called {code(file.name or '')}, after its file" if named else ""


CHECK = Check(
    ("unknown-key",),
    unknown_key,
    changes=frozenset({Field.LOADS, Field.KEY}),
    needs=(Trait.MORE_KEYS,),
)
