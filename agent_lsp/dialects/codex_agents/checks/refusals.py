"""Checks for what the runtime refuses, each where it stands, with the runtime's sentence.

Invariant: of a file that is no TOML nothing else is said, and nothing of a key that it lacks if
another key may be meant to be that one.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, finding, refused
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.dialects.codex_agents import keys
from agent_lsp.dialects.codex_agents.layers import layers, tables
from agent_lsp.model.check import Finding, Related
from agent_lsp.model.schema import ValueKind
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_ESCAPE = "missing escaped value"
_SYNTAX = "header-invalid"
# What people write for keys that have another name here.
_MEANT = {
    "prompt": keys.PROMPT,
    "system_prompt": keys.PROMPT,
    "base_instructions": keys.PROMPT,
    "effort": keys.EFFORT,
    "reasoning_effort": keys.EFFORT,
    "reasoning": keys.EFFORT,
    "verbosity": "model_verbosity",
    "nickname": keys.NICKNAMES,
    "nicknames": keys.NICKNAMES,
}
_WRITABLE = tuple(key.name for key in (*keys.OWN, *keys.EFFECTIVE))
# Blank values that the runtime minds after the required keys, or as their types.
_LATE = (keys.EFFORT, keys.NICKNAMES)
_NOWHERE = Span(0, 0)
_TOOLS = "tools"
_WORDS = {
    key.name: [choice.name for choice in key.choices]
    for key in (*keys.EFFECTIVE, *keys.OTHERS)
    if key.kind is ValueKind.CHOICE
}


def is_read(file: TemplateFile) -> bool:
    """Whether there is a text that the runtime looks into."""
    return file.source.problem is None and file.name is not None


def is_decoded(file: TemplateFile) -> bool:
    """Whether the runtime gets to the values of a text, even if it then refuses the file."""
    return is_read(file) and file.document.tree.problem is None


def syntax(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding where a file is no TOML."""
    problem = file.document.tree.problem
    if problem is None or file.source.problem is not None:
        return
    text, span = file.document.text, problem.span
    if not span and span.start < len(text) and text[span.start] not in "\r\n":
        span = Span(span.start, span.start + 1)
    if problem.message == "duplicate key" and problem.context_span is not None:
        related = (Related(file.path, problem.context_span, "set here for the first time"),)
        thing = f"{code(span.of(text))} is set twice"
        message = refused(file, thing, "remove one of the two")
        yield Finding(span, message, related=related, code="duplicate-key")
        return
    thing = f"the file is not TOML, {problem.message}"
    if problem.message.startswith(_ESCAPE):
        # A backslash alone is written between single quotes.
        fix = "double the backslash, or put the text between `'''`"
        yield Finding(
            Span(max(span.start - 1, 0), span.end), refused(file, thing, fix), code=_SYNTAX
        )
        return
    yield Finding(span, refused(file, thing), code=_SYNTAX)


def values(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each value and each key for which the runtime refuses the file."""
    if not is_read(file):
        return
    for error in file.reading.errors:
        words = f"the runtime says {code(said(error))}"
        lost = _in_features(file, error)
        match error.kind:
            case LoadErrorKind.TYPE if lost is not None:
                yield _swallowed(file, lost.name or "", "features", lost)
            case LoadErrorKind.TYPE:
                yield _mistyped(file, error, words)
            case LoadErrorKind.CHOICE:
                yield _choice(file, error)
            case LoadErrorKind.FORBIDDEN if error.expected:
                thing = (
                    f"a server needs {error.expected}, and no key of the other kind of server; "
                    f"{words}"
                )
                yield Finding(error.span, refused(file, thing), code="invalid-value")
            case LoadErrorKind.FORBIDDEN:
                yield _unknown(file, error)
            case LoadErrorKind.BLANK_ITEM | LoadErrorKind.BLANK if error.key in _LATE:
                # The runtime's sentence ends with what is wrong, behind the path and the key.
                wrong = error.message.rpartition(f"{keys.NICKNAMES} ")[2]
                thing = f"{code(error.key)} {wrong}" if error.key == keys.NICKNAMES else words
                yield Finding(error.span, refused(file, thing), code="invalid-value")
            case LoadErrorKind.MISSING if error.span != _NOWHERE:
                thing = f"{code(error.key)} has no {code(error.expected)}; {words}"
                yield Finding(error.span, refused(file, thing), code="missing-key")
            case _:
                continue


def _in_features(file: TemplateFile, error: LoadError) -> Entry | None:
    """The key of an agent or of `config.toml` that stands among the switches of features."""
    name = error.key.removeprefix("features.")
    if name == error.key or name not in keys.ACCEPTED:
        return None
    root = resolve(file.document.tree.root)
    table = root.get("features") if isinstance(root, Mapping) else None
    node = resolve(table.value) if table is not None else None
    return node.get(name) if isinstance(node, Mapping) else None


def said(error: LoadError) -> str:
    """What the runtime prints, without the path of the file."""
    return error.message.partition("…: ")[2] or error.message.replace(" at …", "").replace("….", "")


def _mistyped(file: TemplateFile, error: LoadError, words: str) -> Finding:
    """A value of the wrong type; of a key with words of its own, these are what is needed."""
    thing, fix = f"{code(error.key)} must be {error.expected}; {words}", ""
    choices = _WORDS.get(error.key)
    if error.key == _TOOLS and isinstance(_value_of(file, _TOOLS), Sequence):
        thing, fix = "Codex has no list of tools for an agent, and `tools` is a table", "remove it"
    elif choices:
        thing = f"{code(error.key)} must be one of {', '.join(choices)}"
    return Finding(error.span, refused(file, thing, fix), code="wrong-type")


def _value_of(file: TemplateFile, name: str) -> Node | None:
    root = resolve(file.document.tree.root)
    entry = root.get(name) if isinstance(root, Mapping) else None
    return resolve(entry.value) if entry is not None else None


def _choice(file: TemplateFile, error: LoadError) -> Finding:
    names = tuple(error.expected.split(", "))
    thing = (
        f"{code(error.key)} cannot be {code(error.got)}; the accepted values are {', '.join(names)}"
    )
    message = refused(file, thing)
    return finding("invalid-value", error.span, message, word=error.got, candidates=names)


def _unknown(file: TemplateFile, error: LoadError) -> Finding:
    """A key that is none of `config.toml`, nor of an agent."""
    name = error.key
    thing = f"unknown field {code(name)}"
    # Of a key that does nothing here, only another spelling is meant.
    others = (one for one in sorted(keys.ACCEPTED) if fold(one) == fold(name))
    near = _meant(name) or next(others, None)
    fix = f"write {code(near)}" if near else "remove it"
    message = refused(file, thing, fix)
    return finding("unknown-key", error.span, message, word=name, instead=near or "")


def _meant(name: str) -> str | None:
    """The key that an author means who writes `name`."""
    return _MEANT.get(name) or nearest(name, _WRITABLE)


def required(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key that the file lacks, and that nothing else supplies."""
    errors = file.reading.errors
    if not is_read(file) or file.document.tree.problem is not None or is_declared(file):
        return
    # What stands among the switches of features, or has another name, has an error there.
    there = {_meant(error.key.removeprefix("features.")) for error in errors if not _is_late(error)}
    behind = dict(_behind(file))
    for error in errors:
        is_missing = error.kind is LoadErrorKind.MISSING
        if _is_late(error) and error.key not in _LATE and not (is_missing and error.key in there):
            yield from _missing(file, error, behind.get(error.key))
    if "description" not in there:
        yield from _undescribed(file, behind.get("description"))


def _is_late(error: LoadError) -> bool:
    """Whether the runtime looks for an error when all keys and types are right."""
    if error.kind is LoadErrorKind.MISSING:
        return error.span == _NOWHERE
    return error.kind in (LoadErrorKind.BLANK, LoadErrorKind.NO_PROMPT, LoadErrorKind.BLANK_ITEM)


def _missing(
    file: TemplateFile, error: LoadError, behind: tuple[str, Entry] | None
) -> Iterator[Finding]:
    name, top = error.key, _top(file)
    if behind is not None and error.kind is LoadErrorKind.MISSING:
        yield _swallowed(file, name, *behind)
        return
    which = {keys.PROMPT: "missing-default-prompt", "description": "missing-description"}
    rule = which.get(name, "missing-key")
    if error.kind is LoadErrorKind.MISSING:
        message = refused(file, f"the file has no {code(name)}", "add it")
        yield Finding(top, message, code=rule)
        return
    yield Finding(error.span, refused(file, f"{code(name)} is blank", "write it"), code=rule)


def _undescribed(file: TemplateFile, behind: tuple[str, Entry] | None) -> Iterator[Finding]:
    """The description may be that of a lower layer; without one there, the file is refused."""
    if "description" in file.reading.declared.settings or file.misplaced is not None:
        return
    if behind is not None:
        yield _swallowed(file, "description", *behind)
        return
    found = catalog_of(file)
    # A file that has another error is none of them.
    if any(
        one.path == file.path or file.reading.errors for one in found.candidates(file.name or "")
    ):
        return
    thing = "the file has no `description`, and no layer below has an agent of this name"
    yield Finding(_top(file), refused(file, thing, "add it"), code="missing-description")


def _swallowed(file: TemplateFile, name: str, table: str, entry: Entry) -> Finding:
    thing = f"{code(name)} comes after `[{table}]`, so it is a key of that table"
    message = refused(file, thing, "move it above all tables")
    return Finding(entry.key.span, message, code="swallowed-key")


def _behind(file: TemplateFile) -> Iterator[tuple[str, tuple[str, Entry]]]:
    """The keys of an agent that stand in a table, each with the name of the table."""
    root = resolve(file.document.tree.root)
    names = {key.name for key in keys.OWN}
    waiting = [("", root)]
    while waiting:
        path, node = waiting.pop(0)
        for entry in node.entries if isinstance(node, Mapping) else ():
            if path and entry.name in names:
                yield entry.name or "", (path, entry)
            if isinstance(resolve(entry.value), Mapping):
                waiting.append((f"{path}.{entry.name}".lstrip("."), resolve(entry.value)))


def is_declared(file: TemplateFile) -> bool:
    """Whether a table of a configuration names the file, which then needs no name of its own."""
    real = file.workspace.files.real
    return any(
        path.name == file.path.name and real(path) == real(file.path) for path in _declared(file)
    )


def _declared(file: TemplateFile) -> Iterator[Path]:
    found = catalog_of(file)
    for layer in layers(found):
        if layer.config is not None:
            for table in tables(found.read(layer.config), layer.config):
                if table.file is not None:
                    yield table.file


def _top(file: TemplateFile) -> Span:
    return Span(0, len(file.document.text.partition("\n")[0].rstrip("\r")))
