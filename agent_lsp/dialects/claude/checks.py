"""Checks names, places, the words of keys, entries of tool lists, and hooks of `claude` alone."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import files, header, unknown_key
from agent_lsp.analysis.checks.messages import code, finding, listed, refused, some
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.dialects.claude import (
    entries,
    frontmatter,
    hooks,
    lost_header,
    policy,
    reading,
    shapes,
)
from agent_lsp.dialects.claude.facts import (
    ALLOW,
    DENY,
    EVENTS,
    HANDLERS,
    KEYS,
    NOT_IN_PLUGINS,
    TELLING,
)
from agent_lsp.dialects.claude.policy import cannot_tell
from agent_lsp.dialects.claude.runtime import plugin_text
from agent_lsp.dialects.claude.tools import RETIRED, TASK, TOOLS
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding, Trait
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Key, KeyRole, Severity, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind, NoEffect, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_EVERY = "*"
_NAMES = frozenset(event.name for event in EVENTS)
_MOST = 3


def fences(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on the fences, and on values that are read at the second try."""
    if file.source.problem is None and frontmatter.is_read(file.document):
        yield from frontmatter.remarks(file.document)
        yield from frontmatter.second_try(file.document)


def policies(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on `tools`, `disallowedTools` and `hooks`."""
    document = file.document
    if file.source.problem is not None or not frontmatter.is_read(document):
        return
    top = document.tree.top
    for entry in top.entries if isinstance(top, Mapping) else ():
        if entry.name in (ALLOW, DENY):
            yield from _of_lists(document, entry)
        elif entry.name == "hooks" and ":" not in (file.name or ""):
            yield from _foreign(entry)


def _of_lists(document: Document, entry: Entry) -> Iterator[Finding]:
    """Yields the findings on the entries of a list of tools."""
    node = entry.node
    scalars = [
        scalar
        for item in (node.items if isinstance(node, Sequence) else (node,))
        if isinstance(scalar := resolve(item), Scalar) and entries.is_text(scalar)
    ]
    found = [one for scalar in scalars for one in entries.of_scalar(document.text, scalar)]
    holds = KeyRole.DENY if entry.name == DENY else KeyRole.ALLOW
    is_void = holds is KeyRole.DENY and policy.is_void(tuple(found))
    for value in found:
        reason = policy.void(holds, value.text)
        if reason:
            alone = holds is KeyRole.ALLOW and all(policy.void(holds, one.text) for one in found)
            yield _void(value, reason, is_fatal=alone)
        elif holds is KeyRole.DENY and not is_void and _is_limited(value):
            yield _whole(value)


def _is_limited(value: Value) -> bool:
    return "(" in value.written and "(" not in value.text


def _void(value: Value, reason: str, *, is_fatal: bool) -> Finding:
    fix = "name the servers, as in `mcp__github`"
    if value.text == _EVERY:
        fix = f"remove it, or write `{ALLOW}: []` for an agent without tools"
    message = f"{reason}, so {policy.REFUSED}; {fix}" if is_fatal else f"{reason}; {fix}"
    severity = Severity.ERROR if is_fatal else Severity.WARNING
    return finding("unknown-tool", value.span, message, severity)


def _whole(value: Value) -> Finding:
    message = (
        f"`{DENY}` removes `{value.text}` completely, whatever is in the parentheses; "
        "to deny only some uses, add a rule to `permissions.deny` in the settings"
    )
    return finding("whole-tool", value.span, message)


def _foreign(hooks: Entry) -> Iterator[Finding]:
    """Yields one finding on all keys that are neither events nor look like hooks."""
    events = hooks.node
    entries_ = events.entries if isinstance(events, Mapping) else ()
    strange = (event for event in entries_ if event.name and event.name not in _NAMES)
    names = [f"`{event.name}`" for event in strange if not _has_matchers(event.node)]
    if not names:
        return
    shown = names[:_MOST]
    if len(names) > _MOST:
        shown.append(f"{len(names) - _MOST} more")
    *others, last = shown
    thing = f"{last} is not an event of the runtime: nothing below it runs"
    if others:
        named = f"{', '.join(others)} and {last}"
        thing = f"{named} are not events of the runtime: nothing below them runs"
    yield finding("unknown-key", hooks.key.span, thing, Severity.INFORMATION)


def _has_matchers(node: Node | None) -> bool:
    """Whether a value is a list of matchers, as events have it, or may become one."""
    if isinstance(node, Sequence):
        return all(isinstance(resolve(item), Mapping) for item in node.items)
    return node is None


def no_effect(document: Document, scope: Scope) -> Iterator[NoEffect]:
    """The keys that the runtime ignores in an agent of a plugin."""
    top = document.tree.top
    if not scope.prefix or not isinstance(top, Mapping):
        return
    for entry in top.entries:
        if entry.name in NOT_IN_PLUGINS:
            reason = f"the runtime ignores `{entry.name}` in an agent of a plugin"
            yield NoEffect(entry.key.span, reason)


_NO_AGENT = "the runtime silently skips the file, and there is no agent"
_NONE = Severity.INFORMATION
_LOOKED_AT = 100
# Words that the runtime also takes, and that nobody has to know.
_ALSO_TAKEN = {"effort": frozenset({"med"}), "isolation": frozenset({"remote"})}
_NOTHING_WANTED = frozenset({"none", "no", "off", "false", "auto", "default", "inherit"})


def agent_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on an agent without a name, or with one that the runtime refuses."""
    key, top = file.dialect.schema.by_role.get(KeyRole.AGENT), header.root(file)
    if file.dialect.names.names_in is None or key is None or file.name is not None or top is None:
        return
    if file.misplaced is not None or file.source.problem is not None or header.hides_name(file):
        return
    if not file.scope.counts(file.path.name) or not reading.is_looked_at(file.path, file.scope):
        return
    value = file.reading.declared.settings.get(key.name)
    if value is not None and value.text:
        loss = file.consequence.header_refused
        yield Finding(value.span, f"{code(value.text)} cannot be the name of an agent: {loss}")
        return
    entry, slip = (
        top.get(key.name),
        unknown_key.misspelt(file, header.Level(top, file.dialect.schema.keys), key.name),
    )
    node = entry.node if entry is not None else None
    # A description alone may be that of documentation; with more keys, an agent is lost.
    is_telling = not TELLING.isdisjoint(one.name for one in top.entries)
    other, is_note = lost_header.meant(file.document), lost_header.is_note_by_name(file.path.stem)
    is_lost = (is_telling and top.get("description") is not None) or (
        other is not None and other.is_whole
    )
    is_lost = is_lost or (lost_header.addresses(file.document) and not is_note)
    severity = Severity.ERROR if is_lost else _NONE
    if isinstance(node, Mapping | Sequence) or shapes.no_text(node):
        got = "a mapping" if isinstance(node, Mapping) else "a list"
        got = code(node.value) if isinstance(node, Scalar) else got
        fix = "put it in quotes" if isinstance(node, Scalar) else "write a word"
        message = f"{code(key.name)} must be a string, not {got}: {fix}, or {_NO_AGENT}"
        meant = (node.value,) if isinstance(node, Scalar) else ()
        yield Finding(node.span, message, meant=meant)
    elif entry is not None:
        yield Finding(entry.key.span, f"{code(key.name)} has no value: {_NO_AGENT}", severity)
    elif slip is not None:
        thing = f"the header has {code(slip.name or '')}, but no {code(key.name)}"
        message = f"{thing}: {_NO_AGENT}; did you mean {code(key.name)}?"
        yield Finding(slip.key.span, message, meant=(key.name,))
    elif other is not None and "name" in other.keys:
        why, fix = lost_header.words(other)
        yield Finding(other.place, f"{why}: {fix}, or {_NO_AGENT}", severity)
    else:
        thing = f"no {code(key.name)} in the header"
        yield Finding(header.opening(file), f"{thing}: {_NO_AGENT}", severity)


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each hook that does not load, and that may cost the agent as well."""
    for error in header.errors(file, LoadErrorKind.FORBIDDEN):
        message = refused(file, error.got, error.expected)
        yield Finding(error.span, message, meant=_meant(file, error))
    for error in header.possible_errors(file, LoadErrorKind.FORBIDDEN):
        message = f"{error.got}: {error.expected}, or {error.message}"
        yield Finding(error.span, message, Severity.WARNING, meant=_meant(file, error))


def _meant(file: TemplateFile, fault: LoadError) -> tuple[str, ...]:
    """The type of a hook that the author probably intended."""
    word = fault.span.of(file.document.text)
    meant = nearest(word, hooks.TYPES) if fault.got.startswith("`type` is") else None
    return (meant,) if meant is not None else ()


def unreadable(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that is not UTF-8: an agent in UTF-16 is lost, others are read."""
    place, text = Span(0, 0), file.source.as_utf_16 or file.document.text[:_LOOKED_AT]
    bare = text.replace("\0", "").lstrip("\ufeff")
    if bare.startswith("---") and (file.source.as_utf_16 or "\0" in text[: len("---")]):
        message = f"the file is UTF-16: save it as UTF-8, or {_NO_AGENT}"
        yield Finding(place, message, Severity.ERROR)
        return
    yield from files.unreadable(file)


def ignored_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each part of the header that its dialect says does nothing here."""
    if file.dialect.schema.no_effect is None or not header.loads(file):
        return
    for found in file.dialect.schema.no_effect(file.document, file.scope):
        yield Finding(found.span, found.reason)


# The keys that take a few words; a color may be any word.
_WITH_WORDS = frozenset(k.name for k in KEYS if k.kind is ValueKind.CHOICE) - {"color"}


def unknown_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each word that a key is not known to take."""
    if not header.parses(file):
        return
    for key in file.dialect.schema.keys:
        value = file.reading.declared.settings.get(key.name)
        if value is not None and key.name in _WITH_WORDS:
            yield from _unknown_word(key, value)
    idle = (
        tuple(file.dialect.schema.no_effect(file.document, file.scope))
        if file.dialect.schema.no_effect
        else ()
    )
    for level in header.levels(file):
        # All mistakes in a hook are reported elsewhere.
        is_looked_at = level.within is not None and level.keys not in HANDLERS
        if is_looked_at and not idle:
            yield from _inside_tables(level)


def _inside_tables(level: header.Level) -> Iterator[Finding]:
    """Yields the findings on the values in a mapping inside the header."""
    for entry in level.mapping.entries:
        key = next((key for key in level.keys if key.name == entry.name), None)
        node = entry.node
        if key is not None and key.kind is ValueKind.CHOICE and isinstance(node, Scalar):
            yield from _unknown_word(key, Value(node.value.strip(), node.span))


def _unknown_word(key: Key, value: Value) -> Iterator[Finding]:
    names = [choice.name for choice in key.choices]
    word = value.text
    if not word or word in names or word in _ALSO_TAKEN.get(key.name, ()):
        return
    # If a word begins with a number, the runtime takes the number.
    if key.role is KeyRole.EFFORT and re.match(r"\s*[-+]?\d", word):
        return
    if word.strip() in names:
        thing = f"{code(key.name)} has spaces or line ends around {code(word)}"
        message = f"{thing}: the runtime ignores it; write the word alone"
        yield Finding(value.span, message, Severity.WARNING, meant=(word.strip(),))
        return
    thing = f"unknown {code(key.name)} {code(word)}: the runtime ignores it"
    meant = nearest(word, names)
    if meant is not None:
        message = f"{thing}; did you mean {code(meant)}?"
        yield Finding(value.span, message, Severity.WARNING, meant=(meant,))
        return
    # The effect of a word such as `none` is the intended one.
    severity = _NONE if word.lower() in _NOTHING_WANTED else Severity.WARNING
    yield Finding(value.span, f"{thing}; use {listed(names, 'or')}", severity)


def unknown_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each name in the lists of tools that no agent has."""
    if (
        file.dialect.references.mentions is None
        or not file.dialect.tools.takes_agents
        or not header.loads(file)
    ):
        return
    # A prompt may show how to call agents, or speak of agents of other projects.
    named = tuple(one for one in file.dialect.references.mentions(file.document) if one.is_call)
    # All names are looked up only for a file that names some.
    known = catalog_of(file).names if named else ()
    # A call ignores the case and the separators of a name, and these lists do not (2.1.332,
    # 2026-11-28). It is not known whether agents of one plugin may leave its name out.
    spelt = {part for name in known for part in (name, name.rpartition(":")[2])}
    for mention in named:
        name = mention.name
        # A name with a colon belongs to a plugin, which may be anywhere.
        if ":" in name or name in spelt:
            continue
        thing = f"no agent is called {code(name)}"
        same = (one for one in known if fold(one) == fold(name))
        meant = next(same, None) or nearest(name, known)
        if meant is not None:
            message = f"{thing}; did you mean {code(meant)}?"
            yield Finding(mention.span, message, Severity.WARNING, meant=(meant,))
        else:
            message = f"{thing}, unless a plugin or the command line adds one"
            yield Finding(mention.span, message)


CHECKS: tuple[Check, ...] = (
    Check(
        ("agent-name",),
        agent_name,
        changes=frozenset({Field.LOADS, Field.NAME, Field.KEY}),
        basis=Basis.ABSENCE,
        needs=(Trait.NAMELESS,),
    ),
    Check(
        ("wrong-type",),
        wrong_type,
        changes=frozenset({Field.LOADS, Field.KEY}),
        needs=(LoadErrorKind.FORBIDDEN,),
    ),
    Check(
        ("unreadable",),
        unreadable,
        changes=frozenset({Field.LOADS}),
        basis=Basis.FILE,
        needs=(Trait.UNREADABLE,),
    ),
    Check(("ignored-key",), ignored_key, changes=frozenset(), needs=(Trait.IN_PLUGIN,)),
    Check(
        ("unknown-value",),
        unknown_value,
        changes=frozenset({Field.KEY}),
        needs=(Trait.MORE_KEYS, *_WITH_WORDS),
    ),
    Check(
        ("unknown-agent",),
        unknown_agent,
        changes=frozenset({Field.KEY, Field.PROMPT}),
        needs=(Trait.NOTATION,),
    ),
    Check(
        ("header-unclosed", "header-cut-short", "unquoted-text"),
        fences,
        changes={
            "header-unclosed": ANY_FIELD,
            "header-cut-short": ANY_FIELD,
            "unquoted-text": frozenset({Field.LOADS, Field.KEY}),
        },
        basis=Basis.FILE,
        needs=(Trait.MORE_BESIDE, Trait.BROKEN),
    ),
    Check(
        ("unknown-tool", "whole-tool", "unknown-key"),
        policies,
        changes={
            "unknown-tool": frozenset({Field.TOOLS}),
            "whole-tool": frozenset({Field.TOOLS}),
            "unknown-key": frozenset({Field.KEY}),
        },
        needs=(Trait.NOTATION, "hooks"),
    ),
)


# Names of files that people put beside agents to explain them.
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "index", "notes", "todo"})
# Keys of custom agents of GitHub Copilot that Claude Code does not have: docs.github.com, custom
# agents configuration, and code.visualstudio.com, custom agents; both read 2026-11-28.
_COPILOT = frozenset({"target", "handoffs", "mcp-servers", "argument-hint", "user-invocable"})
_COPILOT_FILE, _TOOLS = ".agent.md", "tools"
_TOOL_NAMES = frozenset(tool.name for tool in TOOLS) | frozenset(RETIRED) | {TASK, "*"}


def plugin_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file if a plugin makes no agent of it, or a different one."""
    if not file.scope.prefix or file.misplaced is not None or file.source.problem is not None:
        return
    if not file.scope.counts(file.path.name):
        message = f"the runtime does not load this agent: {file.scope.lost}"
        yield Finding(header.opening(file), message, Severity.ERROR)
        return
    yield from _missing(file)
    fence = file.document.frontmatter.fence
    if fence is not FenceKind.CLOSED:
        yield _without_header(file)
    elif header.loads(file) and not _is_described(file):
        seen = f"the session sees only `{plugin_text(file.scope)}`"
        message = f"the agent {code(file.name or '')} has no `description`: {seen}; write one"
        yield Finding(header.opening(file), message)


def _missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding, on the first agent of a folder, for files that a manifest names there."""
    files, folder = file.workspace.files, file.scope.folder
    there = [name for name in sorted(file.scope.only) if files.exists(folder / name)]
    if there[:1] != [file.path.name] or len(there) == len(file.scope.only):
        return
    names = some([name for name in sorted(file.scope.only) if name not in there], _MOST, "and")
    thing = f"the plugin's manifest also names {names} in this folder"
    message = f"{thing}, where there is no such file: the runtime ignores it"
    yield Finding(header.opening(file), message, Severity.WARNING)


def _is_described(file: TemplateFile) -> bool:
    value = file.reading.effective.settings.get("description")
    top = header.root(file)
    entry = top.get("description") if top is not None else None
    # A list or a mapping is reported for its type.
    is_other = entry is not None and isinstance(entry.node, Mapping | Sequence)
    return is_other or (value is not None and bool(value.text.strip()))


def _without_header(file: TemplateFile) -> Finding:
    """The finding on a file whose whole text is the prompt of an agent."""
    place = header.opening(file)
    agent = f"the plugin loads this file as the agent {code(file.name or '')}"
    if file.document.frontmatter.fence is FenceKind.UNCLOSED:
        thing = f"the header is not closed, so it is part of the prompt: {agent} with every tool"
        return Finding(place, f"{thing}; write `---` below the last setting", Severity.WARNING)
    if lost_header.below(file.document) is not None:
        thing = f"the header does not start in the first line, so it is part of the prompt: {agent}"
        fix = "remove everything above it, and start it with `---`"
        return Finding(place, f"{thing} with every tool; {fix}", Severity.WARNING)
    if file.path.stem.lower() in _NOTES:
        fix = "move it to another folder if it is a note"
        return Finding(place, f"{agent} with every tool; {fix}", Severity.WARNING)
    seen = f"and the session sees only `{plugin_text(file.scope)}` as its description"
    return Finding(place, f"no header: {agent}, {seen}; write a header with a `description`")


def foreign_keys(document: Document, file_name: str) -> tuple[str, ...]:
    """The keys that show that a plugin's file is a custom agent of GitHub Copilot.

    Some Copilot plugins have a manifest of Claude Code beside files called `*.agent.md`.
    """
    top = document.tree.top
    if not file_name.endswith(_COPILOT_FILE) or not isinstance(top, Mapping):
        return ()
    own = {key.name for key in KEYS}
    others = [e.name for e in top.entries if e.name in _COPILOT and e.name not in own]
    entry = top.get(_TOOLS)
    node = entry.node if entry is not None else None
    items = node.items if isinstance(node, Sequence) else (node,)
    texts = (item.value for item in map(resolve, items) if isinstance(item, Scalar))
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    is_other = any(
        word.partition("(")[0] not in _TOOL_NAMES and not cannot_tell(word) for word in words
    )
    return tuple(name for name in (*((_TOOLS,) if is_other else ()), *others) if name)


def misplaced_extension(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on the extension of a file that the runtime does not read."""
    if file.misplaced is None and not reading.is_looked_at(file.path, file.scope):
        thing = "the runtime does not read this file, because it reads only `*.md`"
        message = f"{thing}: rename it to {code(f'{file.path.stem}.md')}"
        yield Finding(header.opening(file), message)


PLACE_CHECKS = (
    Check(("plugin-agent",), plugin_agent, basis=Basis.FILE, needs=(Trait.IN_PLUGIN,)),
    Check(("misplaced",), misplaced_extension, basis=Basis.FILE, needs=(Trait.NAMELESS,)),
)
