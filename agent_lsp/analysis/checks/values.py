"""Checks the keys that a file should have, and their values: missing, wrong, repeated."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, unknown_key
from agent_lsp.analysis.checks.messages import code, guess, listed, refused, severity, unquoted
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import IfWrong, Key, KeyRole, Severity, ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, path_to, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
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
    ("missing-key",),
    missing_key,
    changes=frozenset({Field.LOADS, Field.KEY}),
    basis=Basis.ABSENCE,
    needs=(LoadErrorKind.MISSING,),
)


def missing_description(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a template and for each persona that has no description."""
    for error in header.errors(file, LoadErrorKind.BLANK):
        yield from _refused(file, error)
    if not header.parses(file) or header.is_no_mapping(file):
        return
    held = header.held(file)
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
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
    personas = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
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
        return f"null, because {code(node.value)} is not a string"
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


_WANTED = {
    ValueKind.TEXT: "a string",
    ValueKind.BOOL: "`true` or `false`",
    ValueKind.CHOICE: "one word",
    ValueKind.LIST: "a list",
    ValueKind.NUMBER: "a whole number",
    ValueKind.RECORDS: "a list of mappings",
    ValueKind.TABLE: "a mapping",
}
# The expected shapes in errors that an explicit tag causes.
_UNDER_A_TAG = ("null", "nothing after the tag")


def wrong_type(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each value with a type for which the runtime refuses the header."""
    for error in header.errors(file, LoadErrorKind.TYPE):
        path = path_to(file.document.tree.root, error.span)
        written = path.node if path is not None else None
        span = error.span
        if path is not None and header.is_empty(written) and path.entry is not None:
            span = path.entry.key.span
        thing, fix = _explain(file, error, written)
        key = header.key_of(file, error.key)
        yield Finding(span, refused(file, thing, fix, key), severity(file, key) if key else None)
    for possible in header.possible_errors(file, LoadErrorKind.TYPE):
        path = path_to(file.document.tree.root, possible.span)
        written = resolve(path.node) if path is not None else None
        got = possible.got or _found(written, possible.span.of(file.document.text))
        thing = f"{code(possible.key)} must be {possible.expected}, not {got}"
        if possible.got == "none":
            thing = f"{code(possible.key)} needs {possible.expected}"
        yield Finding(possible.span, f"{thing}: {possible.message}", Severity.WARNING)


def wrong_kind(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each value of a wrong type for which the runtime refuses nothing.

    It compares values with the kinds of their keys, for dialects whose reading does not.
    """
    for entry, key in header.known_entries(file) if header.parses(file) else ():
        node, found = entry.node, file.dialect.schema.consequence(key)
        if found.is_severe or key.no_effect or node is None or header.is_empty(node):
            continue
        if not _fits(key, node):
            source = node.span.of(file.document.text)
            thing = f"{code(key.name)} must be {_WANTED[key.kind]}, not {_found(node, source)}"
            message = refused(file, thing, coerce.of_node(key, node, source), key)
            yield Finding(node.span, message, severity(file, key))


def _fits(key: Key, node: Node) -> bool:
    """Whether a value has the type that `key` takes, according to YAML 1.2."""
    if isinstance(node, Mapping):
        return key.kind is ValueKind.TABLE
    if isinstance(node, Sequence):
        return key.kind in (ValueKind.LIST, ValueKind.RECORDS)
    if not isinstance(node, Scalar):
        return True
    is_bare = node.style is Style.PLAIN
    if key.kind is ValueKind.BOOL:
        return is_bare and node.value in ("true", "false")
    if key.kind is ValueKind.NUMBER:
        return is_bare and node.value.lstrip("+-").isdecimal()
    if key.kind is ValueKind.CHOICE:
        return node.value in {choice.name for choice in key.choices}
    is_word = not is_bare or node.value not in ("true", "false", "null", "~")
    return (key.kind is ValueKind.TEXT or key.in_text) and is_word


def no_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key that the runtime checks and then does not use."""
    if not header.loads(file):
        return
    for entry, key in header.known_entries(file):
        if key.no_effect:
            yield Finding(entry.key.span, f"{code(key.name)} has no effect: {key.no_effect}")


NO_EFFECT = Check(("no-effect",), no_effect, changes=frozenset(), basis=Basis.ABSENCE)


def _explain(file: TemplateFile, error: LoadError, written: Node | None) -> tuple[str, str]:
    """Explains the load error in the value `written`, and says what to write."""
    source, node = error.span.of(file.document.text), resolve(written)
    key = header.key_of(file, error.key)
    if error.expected == "a name":
        return f"a key must be a string, not {_found(node, source)}", "write a plain word"
    if error.expected in _UNDER_A_TAG:
        return f"the tag does not fit {code(source)}", "remove the tag"
    if key is None and error.key:
        thing = f"{code(error.key)} must be {error.expected}, not {_found(node, source)}"
        is_text = isinstance(node, Scalar) and error.expected == _WANTED[ValueKind.TEXT]
        fix = coerce.in_quotes(source, "the value") if is_text else f"write {error.expected}"
        return thing, fix
    if key is None:
        thing = f"the header must be a mapping, not {_found(node, source)}"
        return thing, _as_mapping(file, node, source)
    if error.key.endswith("]"):
        wanted = "a mapping" if key.kind is ValueKind.RECORDS else "a string"
        thing = f"an item of {code(key.name)} must be {wanted}, not {_found(node, source)}"
        flow = _is_in_brackets(file, key)
        return thing, coerce.of_item(file, key, written, source, flow=flow)
    if header.is_empty(node):
        return f"{code(key.name)} has no value", f"write {_WANTED[key.kind]}, or remove the key"
    wanted, fix = _WANTED[key.kind], coerce.of_node(key, node, source)
    thing = f"{code(key.name)} must be {wanted}, not {_found(node, source)}"
    return (
        thing,
        "write one of them" if key.kind is ValueKind.BOOL and fix == f"write {wanted}" else fix,
    )


def _found(node: Node | None, source: str) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Scalar) and node.style in (Style.LITERAL, Style.FOLDED):
        return "text"
    return code(source) if source.strip() else "empty"


def _is_in_brackets(file: TemplateFile, key: Key) -> bool:
    top = header.root(file)
    entry = top.get(key.name) if top else None
    node = entry.node if entry else None
    return isinstance(node, Sequence) and node.flow


def _as_mapping(file: TemplateFile, node: Node | None, source: str) -> str:
    items = node.items if isinstance(node, Sequence) and not node.flow else ()
    if items and all(isinstance(resolve(item), Mapping) for item in items):
        return "remove each `- ` before a key"
    glued = re.match(r"[\w-]+:(?=\S)", source)
    if glued:
        return f"write a space after {code(glued[0])}"
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    if key is not None and isinstance(node, Scalar) and len(node.value.split()) > 1:
        return f"write {code(f'{key.name}: …')} and a line `---` above it"
    return "write lines `key: value`"


WRONG_TYPE = Check(
    ("wrong-type",),
    wrong_type,
    changes=frozenset({Field.LOADS, Field.KEY}),
    needs=(LoadErrorKind.TYPE,),
)
WRONG_KIND = Check(
    ("wrong-type",),
    wrong_kind,
    changes=frozenset({Field.KEY}),
    needs=tuple(one for one in IfWrong if not one.is_severe),
)


def invalid_value(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each word for which the runtime refuses the header."""
    for error in header.errors(file, LoadErrorKind.CHOICE):
        key = header.key_of(file, error.key)
        if key is None:
            continue
        names = [choice.name for choice in key.choices]
        # What stands beside the value may leave only some of the words.
        left = error.expected.replace(",", " ").split()
        names = [name for name in names if name in left] or names
        word = error.got.strip()
        thing = f"{code(key.name)} cannot be {code(word) if word else 'empty'}"
        if not names:
            message = refused(file, thing, f"write {code(error.expected)}", key)
            yield Finding(error.span, message, severity(file, key))
            continue
        if error.of_winner and not _is_used(file):
            loss = file.consequence.header_refused
            unused = f"{thing}: write {listed(names)}; if the file were used, {loss}"
            yield Finding(error.span, unused, Severity.INFORMATION)
            continue
        if word in names:
            thing += " with spaces or line ends around it"
            message = refused(file, thing, f"write {code(word)}", key)
            yield Finding(error.span, message, severity(file, key), meant=(word,))
            continue
        meant = nearest(unquoted(word), names)
        message = refused(file, f"{thing}{guess(meant)}", f"write {listed(names)}", key)
        yield Finding(error.span, message, severity(file, key), meant=(meant,) if meant else ())


def _is_used(file: TemplateFile) -> bool:
    """Whether a session in the file's root uses the file."""
    chain = candidates(file.workspace, file.dialect, file.root, file.name or "")
    return bool(chain) and chain[0].path == file.path


INVALID_VALUE = Check(
    ("invalid-value",),
    invalid_value,
    changes=frozenset({Field.LOADS, Field.KEY}),
    needs=(LoadErrorKind.CHOICE,),
)


def duplicate_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each repetition of a key."""
    sure = tuple(header.errors(file, LoadErrorKind.DUPLICATE))
    unsure = tuple(header.possible_errors(file, LoadErrorKind.DUPLICATE))
    # A header may repeat a key thousands of times.
    firsts, possible = _firsts(file) if sure or unsure else {}, frozenset(unsure)
    for error in (*sure, *unsure):
        first = firsts.get(error.span)
        if first is None:
            continue
        thing, fix = f"{code(first.name or '')} is set twice", "remove one of the two"
        message = refused(file, thing, fix)
        if error in possible:
            message = f"{thing}: {fix}, or {error.message}"
        related = (Related(file.path, first.key.span, "set here for the first time"),)
        weight = Severity.WARNING if error in possible else None
        yield Finding(error.span, message, weight, related=related)


def _firsts(file: TemplateFile) -> dict[Span, Entry]:
    """The first entry of its name in each mapping, by the span of each key of that name."""
    found = dict[Span, Entry]()
    for level in header.levels(file):
        for entry in level.mapping.entries:
            first = level.mapping.get(entry.name) if entry.name is not None else None
            if first is not None:
                found.setdefault(entry.key.span, first)
    return found


DUPLICATE_KEY = Check(
    ("duplicate-key",),
    duplicate_key,
    changes=frozenset({Field.LOADS, Field.KEY}),
    needs=(LoadErrorKind.DUPLICATE,),
)
