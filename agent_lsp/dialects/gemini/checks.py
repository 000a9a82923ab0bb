"""Checks for what makes the runtime refuse a file: each fault at its place.

The runtime prints all faults of a header as one run of lines, and names places in its own way. A
finding says one of them in plain words, and has the runtime's line in parentheses. Invariant: one
cause makes one finding.
Facts: Gemini CLI 0.61.0, measured 2026-11-28.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, header_invalid, headers, values
from agent_lsp.analysis.checks import files as shared
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.gemini import borrowed, reading
from agent_lsp.dialects.gemini.facts import (
    LOCAL_KEYS,
    ONLY_LOCAL,
    ONLY_REMOTE,
    REMOTE,
    REMOTE_KEYS,
)
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping, Scalar, path_to, resolve
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.syntax.yaml.javascript import NESTED_KEY, NO_MERGE
from agent_lsp.syntax.yaml.signs import LONE_SIGN
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.definitions import is_linked
from agent_lsp.workspace.snapshot import TemplateFile

_LABEL = regex(r"^\((?:Local|Remote) Agent\) ")
_OF_LIST = regex(r"^\d+\.")
_TOP_LEVEL = regex(r"\w+")
_NO_SLUG = regex(r"[^a-z0-9_-]+")
_CARDS = ("agent_card_url", "agent_card_json")
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "index", "notes", "todo"})


def lost(file: TemplateFile, error: LoadError, thing: str, fix: str) -> str:
    """A message about a file that is refused, with the line of the runtime."""
    line = " ".join(_LABEL.sub("", error.message).split())
    return f"{refused(file, thing, fix)} (`{line}`)"


def schema_faults(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each fault of the header's values."""
    yield from _types(file)
    yield from _keys(file)
    for error in header.errors(file, LoadErrorKind.CHOICE, LoadErrorKind.BLANK):
        if error.message.endswith("Invalid tool name"):
            continue
        yield _blank(file, error) if error.kind is LoadErrorKind.BLANK else _value(file, error)


def _types(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on values of a wrong type: for keys of the header in the shared words."""
    found = tuple(header.errors(file, LoadErrorKind.TYPE))
    for error, other in zip(found, tuple(values.wrong_type(file)), strict=False):
        key = error.key
        is_shared = _TOP_LEVEL.fullmatch(key) and file.dialect.key(key) is not None
        # Only this number need not be whole.
        is_shared = is_shared and key != "temperature"
        if key == "agent_card_json" or error.expected == "no such key":
            thing = "an agent can have only one card: `agent_card_url` or `agent_card_json`"
            message = lost(file, error, thing, "remove one of the two")
            yield Finding(other.span, message, code="wrong-type")
        elif error.message.endswith(") Required"):
            message = refused(file, "the header is empty", "write `name: …` and `description: …`")
            yield Finding(other.span, f"{message} (`Required`)", code="wrong-type")
        elif key in ("name", "description") and error.got == "null":
            message = lost(file, error, f"{code(key)} has no value", "write one")
            yield Finding(other.span, message, code="wrong-type")
        elif key == "tools" and (names := _listed(other.span.of(file.document.text))):
            thing = f"`tools` must be a list, not {code(other.span.of(file.document.text))}"
            message = lost(file, error, thing, f"write `[{names}]`")
            yield Finding(other.span, message, code="wrong-type")
        elif is_shared or not key:
            line = " ".join(_LABEL.sub("", error.message).split())
            yield Finding(other.span, f"{other.message} (`{line}`)", code="wrong-type")
        else:
            yield _inner_type(file, error)


def _listed(written: str) -> str:
    """The names here of the tools in a text that lists some, or nothing if one has none."""
    names = [borrowed.tool_for(name) for name in coerce.names(written)]
    known = [quote(name, flow=True) for name in dict.fromkeys(filter(None, names))]
    return ", ".join(known) if None not in names else ""


def _inner_type(file: TemplateFile, error: LoadError) -> Finding:
    """The finding on a value inside of a list or a mapping."""
    written = error.span.of(file.document.text).strip()
    found = code(written) if written and "\n" not in written else _OURS.get(error.got, error.got)
    thing = f"{code(_OF_LIST.sub('', error.key))} must be {error.expected}, not {found}"
    fix = f"write {error.expected}"
    if error.expected == "a string" and error.got in ("number", "boolean", "date"):
        fix = "put it in quotes"
    if error.got == "null":
        thing = f"{code(_OF_LIST.sub('', error.key))} has no value"
        fix = f"write {error.expected}, or remove it"
    path = path_to(file.document.tree.root, error.span)
    is_empty = path is not None and header.is_empty(path.node) and path.entry is not None
    span = path.entry.key.span if path is not None and path.entry and is_empty else error.span
    return Finding(span, lost(file, error, thing, fix), code="wrong-type")


_OURS = {"array": "a list", "object": "a mapping", "string": "a string", "null": "empty"}


def _keys(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on unknown and on missing keys; a misspelt one is the cause of both."""
    unknown = {error.span: error for error in header.errors(file, LoadErrorKind.FORBIDDEN)}
    for error in header.errors(file, LoadErrorKind.MISSING):
        name = _OF_LIST.sub("", error.key).rpartition(".")[2]
        if name == _CARDS[1]:
            # One of the two is enough, and the other one is named.
            continue
        slip = next((one for one in unknown.values() if _is_slip(file, one, name)), None)
        if slip is not None and slip.key == error.key.rpartition(".")[0]:
            del unknown[slip.span]
            written = slip.span.of(file.document.text)
            thing = f"the header has {code(written)} and lacks {code(name)}"
            message = lost(file, error, thing, f"write {code(name)}")
            yield Finding(slip.span, message, meant=(name,), code="missing-key")
        else:
            yield _missing(file, error, name)
    for error in unknown.values():
        yield _unknown(file, error)


def _is_slip(file: TemplateFile, error: LoadError, name: str) -> bool:
    return nearest(error.got or error.span.of(file.document.text), (name,)) is not None


def _missing(file: TemplateFile, error: LoadError, name: str) -> Finding:
    level = header.level_at(file, error.span)
    is_top = level is not None and level.within is None
    where = "the header" if is_top else "this agent"
    place = header.opening(file) if is_top else Span(error.span.start, error.span.start + 1)
    if "." in _OF_LIST.sub("", error.key) and not is_top:
        where, place = code(_OF_LIST.sub("", error.key).rpartition(".")[0]), error.span
    if name == _CARDS[0]:
        thing, fix = f"{where} has no card", "add `agent_card_url`"
        return Finding(place, lost(file, error, thing, fix), code="missing-key")
    thing = f"{where} has no {code(name)}"
    return Finding(place, lost(file, error, thing, "add it"), code="missing-key")


def _unknown(file: TemplateFile, error: LoadError) -> Finding:
    """The finding on a key for which alone the runtime refuses the file."""
    name = error.got
    is_remote = reading.kind_of(file.document) == REMOTE
    if name in (ONLY_LOCAL if is_remote else ONLY_REMOTE):
        whose, other = ("local", "remote") if is_remote else ("remote", "local")
        thing = f"{code(name)} is a key of {whose} agents, and this one is {other}"
        return Finding(error.span, lost(file, error, thing, "remove it"), code="unknown-key")
    thing = f"unknown key {code(name)}"
    path = path_to(file.document.tree.root, error.span)
    beside = path.mapping if path is not None else None
    known = [key.name for key in (REMOTE_KEYS if is_remote else LOCAL_KEYS)]
    meant = borrowed.RENAMED.get(name) or nearest(name, known)
    is_free = beside is None or meant is None or beside.get(meant) is None
    if meant is not None and meant in known and is_free:
        message = lost(file, error, thing, f"write {code(meant)}")
        return Finding(error.span, message, meant=(meant,), code="unknown-key")
    why = f" ({borrowed.KEYS[name]})" if name in borrowed.KEYS else ""
    message = lost(file, error, f"{thing}{why}", "remove it")
    return Finding(error.span, message, code="unknown-key")


def _blank(file: TemplateFile, error: LoadError) -> Finding:
    name = _OF_LIST.sub("", error.key)
    fix = "say what the agent is for" if name == "description" else "write one"
    message = lost(file, error, f"{code(name)} is empty", fix)
    return Finding(error.span, message, code="missing-description")


def _value(file: TemplateFile, error: LoadError) -> Finding:
    """The finding on a value of the right type that the runtime does not take."""
    key, got = _OF_LIST.sub("", error.key), error.got
    if key == "name":
        return _slug(file, error)
    name = key.rpartition(".")[2]
    words = tuple(word.strip() for word in error.expected.split(","))
    thing = f"{code(key)} cannot be {code(got) if got else 'empty'}"
    if name in ("kind", "type"):
        close = nearest(got, words)
        fix = f"write {code(close)}" if close else f"write {listed(words)}"
        meant = (close,) if close else ()
        return Finding(error.span, lost(file, error, thing, fix), meant=meant, code="invalid-value")
    return Finding(
        error.span, lost(file, error, thing, f"write {error.expected}"), code="invalid-value"
    )


def _slug(file: TemplateFile, error: LoadError) -> Finding:
    meant = _NO_SLUG.sub("-", error.got.strip().lower()).strip("-")
    thing = f"{code(error.got)} cannot be the name of an agent"
    fix = f"write {code(meant)}" if meant else "write lower-case letters, digits, `-` and `_`"
    message = lost(file, error, thing, fix)
    return Finding(error.span, message, meant=(meant,) if meant else (), code="agent-name")


# What js-yaml alone does not take, and what to do, by its words.
_ODD = {
    LONE_SIGN: ("a `-` or `?` alone is not a value between brackets", "put it in quotes"),
    NO_MERGE: ("`<<` takes only mappings", "remove it"),
    NESTED_KEY: ("a list in a list cannot be a key", "write the key as text"),
}


def yaml_faults(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on a header that is no YAML, or that only js-yaml does not read."""
    if file.document.tree.problem is not None:
        yield from header_invalid.header_invalid(file)
        return
    errors = (LoadErrorKind.SYNTAX, LoadErrorKind.DUPLICATE)
    error, fault = next(header.errors(file, *errors), None), reading.syntax_fault(file.document)
    if error is None or fault is None:
        return
    if fault.twice is not None:
        name = fault.twice.name or ""
        related = (Related(file.path, fault.twice.key.span, "set here for the first time"),)
        message = lost(file, error, f"{code(name)} is set twice", "remove one of the two")
        yield Finding(fault.span, message, related=related, code="duplicate-key")
    elif fault.tag:
        tag = code(fault.tag.replace("tag:yaml.org,2002:", "!!"))
        is_unknown = fault.reason.startswith("unknown")
        thing = f"the tag {tag} {'is not known' if is_unknown else 'does not fit its value'}"
        message = lost(file, error, thing, "remove it")
        yield Finding(fault.span, message, code="header-invalid")
    elif fault.misplaced:
        what = {"&": "anchor", "*": "alias"}.get(fault.misplaced[0], "tag")
        thing = f"the {what} {code(fault.misplaced)} cannot stand here"
        message = lost(file, error, thing, "remove it")
        yield Finding(fault.span, message, code="header-invalid")
    elif fault.reason in _ODD:
        message = lost(file, error, *_ODD[fault.reason])
        yield Finding(fault.span, message, code="header-invalid")
    else:
        thing = f"{code(fault.span.of(file.document.text)[:3])} ends the header for YAML"
        message = lost(file, error, thing, "remove the line")
        yield Finding(Span(fault.span.start, fault.span.start + 3), message, code="header-invalid")


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields the shared finding, which of a note beside agents says what it costs."""
    found = tuple(headers.header_missing(file))
    if file.path.stem.lower() not in _NOTES or not _is_prose(file):
        yield from found
        return
    for one in found:
        thing = "the runtime reads this file as an agent, and prints an error at each start"
        fix = f"move it to another folder, or call it {code(f'_{file.path.name}')}"
        yield Finding(one.span, f"{thing}; {fix}", Severity.INFORMATION)


def _is_prose(file: TemplateFile) -> bool:
    """Whether nothing in the first lines was meant to be a header."""
    first = file.document.text.lstrip()[:3]
    return first != "---"


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields the shared finding, which names a built-in agent by its name."""
    name = file.name or ""
    chain = candidates(file.workspace, file.dialect, file.root, name)
    is_own = any(one.path == file.path for one in chain)
    if not is_own or not chain[0].scope.builtin or file.scope.builtin:
        yield from shared.shadowed(file)
        return
    thing = f"the built-in {code(name)} has precedence, and the runtime ignores this one"
    message = f"{thing}; give it another `name`"
    place = file.names[0].span or header.opening(file)
    yield Finding(place, f"{message} (`Duplicate agent name '{name}' detected.`)")


def misplaced_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that the runtime does not look at: a link, or of another form."""
    if file.misplaced is None and file.names and is_linked(file.workspace.files, file.path):
        message = "the runtime does not follow a link to a file: copy the file to here"
        yield Finding(header.opening(file), message, code="misplaced")
    if file.misplaced is None and not file.names and file.path.suffix not in ("", ".md"):
        right = f"{file.path.stem}.md"
        message = f"the runtime reads only `*.md`: rename the file to {code(right)}"
        yield Finding(header.opening(file), message, code="misplaced")


def mapping(file: TemplateFile) -> Mapping | None:
    """The mapping that the header is, or None."""
    node = resolve(file.document.tree.root)
    return node if isinstance(node, Mapping) else None


def scalar(file: TemplateFile, key: str) -> Scalar | None:
    """The value of a key of the header, if it is a single one."""
    top = mapping(file)
    entry = top.get(key) if top is not None else None
    node = resolve(entry.value) if entry is not None else None
    return node if isinstance(node, Scalar) else None


_REFUSED = frozenset({Field.LOADS, Field.KEY})
CHECKS: tuple[Check, ...] = (
    Check(
        ("header-missing",),
        header_missing,
        changes=headers.HEADER_MISSING.changes,
        basis=Basis.FILE,
    ),
    Check(
        (
            "wrong-type",
            "missing-key",
            "unknown-key",
            "invalid-value",
            "agent-name",
            "missing-description",
        ),
        schema_faults,
        changes={
            **dict.fromkeys(("wrong-type", "missing-key", "unknown-key"), _REFUSED),
            "invalid-value": _REFUSED,
            "agent-name": _REFUSED | {Field.NAME},
            "missing-description": _REFUSED | {Field.DESCRIPTION},
        },
        basis={
            "missing-key": Basis.ABSENCE,
            "agent-name": Basis.ABSENCE,
            "missing-description": Basis.ABSENCE,
        },
    ),
    Check(
        ("header-invalid", "duplicate-key"),
        yaml_faults,
        changes={"header-invalid": ANY_FIELD, "duplicate-key": _REFUSED},
        basis={"header-invalid": Basis.FILE},
    ),
    Check(("shadowed",), shadowed, basis=Basis.FILE),
    Check(("misplaced",), misplaced_file, basis=Basis.FILE),
)
