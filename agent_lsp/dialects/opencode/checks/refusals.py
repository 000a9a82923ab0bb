"""Checks for the values for which the program does not start: each at its place.

Invariant: one value makes one finding, also where the program prints two lines about it.
Facts: OpenCode 1.18.33, measured 2026-11-28.
"""

from collections.abc import Callable, Iterator, Mapping

from agent_lsp.analysis.checks import coerce, header
from agent_lsp.analysis.checks.messages import code, guess, listed, refused
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.opencode.catalog import is_mode
from agent_lsp.dialects.opencode.config import (
    NEWER,
    TABLES,
    newer_issues,
    place,
    references,
    tables,
)
from agent_lsp.dialects.opencode.facts import ACTIONS, COLORS, MODES, SKIPPED
from agent_lsp.dialects.opencode.file_values import EXCESS, MISSING
from agent_lsp.model.check import Finding
from agent_lsp.model.schema import IfWrong, Severity
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.nodes import Node, Scalar, Sequence, Style, path_to, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.paths import holds
from agent_lsp.workspace.scopes import repository
from agent_lsp.workspace.snapshot import TemplateFile

# The first sixteen colours of CSS that people write: w3.org/TR/css-color-4, read 2026-11-28.
HEX = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "grey": "#808080",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "cyan": "#00ffff",
    "magenta": "#ff00ff",
    "purple": "#800080",
    "orange": "#ffa500",
    "pink": "#ffc0cb",
    "brown": "#a52a2a",
    "teal": "#008080",
    "lime": "#00ff00",
}
_SHORT, _LONG = 3, 6
_DIGITS = frozenset("0123456789abcdef")
_ACTION_OF = {
    **dict.fromkeys(("true", "yes", "on", "allowed", "always", "enable", "enabled"), "allow"),
    **dict.fromkeys(
        ("false", "no", "off", "denied", "never", "block", "none", "forbid", "disable", "disabled"),
        "deny",
    ),
    **dict.fromkeys(("prompt", "confirm"), "ask"),
}


@dataclass(frozen=True, slots=True)
class _Said:
    """What is wrong with a value, what to do, and the word that was meant."""

    thing: str
    fix: str
    meant: str = ""


@dataclass(frozen=True, slots=True)
class _Fault:
    """A value for which the program does not start: the path below its agent, and its text."""

    error: LoadError
    path: tuple[str, ...]
    node: Node | None
    source: str

    @property
    def name(self) -> str:
        """The path as a person writes it."""
        return code(".".join(self.path))

    @property
    def found(self) -> str:
        """The value, or what it is."""
        if isinstance(self.node, NodeMapping):
            return "a mapping"
        if isinstance(self.node, Sequence):
            return "a list"
        return code(self.source) if self.source.strip() else "empty"

    @property
    def word(self) -> str:
        """The value without quotes."""
        return self.source.strip("\"' ")

    @property
    def chosen(self) -> str:
        """The value where another word is wanted: its quotes are not what is wrong."""
        is_word = isinstance(self.node, Scalar) and bool(self.word)
        return code(self.word) if is_word else self.found


def refused_values(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each value for which the program does not start."""
    kinds = (
        *(LoadErrorKind.TYPE, LoadErrorKind.CHOICE, LoadErrorKind.CONTENT),
        LoadErrorKind.FORBIDDEN,
    )
    # Another line of the program about a value of which it has said what it wants.
    more = (LoadErrorKind.TYPE, LoadErrorKind.CHOICE)
    errors = [error for error in _errors(file, *kinds) if error.expected or error.kind not in more]
    found = {(error.span, error.key): error for error in reversed(errors)}
    for error in sorted(found.values(), key=lambda one: one.span):
        yield _finding(file, error)


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding where a file is no JSON, comments and commas at the end left aside."""
    for error in _errors(file, LoadErrorKind.SYNTAX):
        text, span = file.document.text, error.span
        if not span and span.start < len(text) and text[span.start] not in "\r\n":
            span = Span(span.start, span.start + 1)
        yield Finding(span, refused(file, f"the file is not JSON, {error.message}"))


def missing_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each `{file:…}` of a JSON file that leads to no file.

    What a repository shares may name a file that each of its users has, such as a key in the home
    folder. The program stops without it here, but whoever reads the finding may be a machine that
    never starts the program: it is information.
    """
    files, home = file.workspace.files, file.workspace.host_paths.home
    own = repository(file.path.parent, files)
    for found in references(file.document.text):
        path = place(found[1], file.path.parent, home)
        if path is not None and not (files.exists(path) and files.read(path)):
            is_private = own is not None and not holds(own, path)
            thing = f"{code(found[0])} does not exist{' on this machine' if is_private else ''}"
            if found[1] != found[1].strip():
                thing += ", because the spaces are part of the path"
            elif path != (other := file.root / found[1]) and files.exists(other):
                thing += f", because its path begins at {code(file.path.parent.name)}"
            severity = Severity.INFORMATION if is_private else None
            yield Finding(Span(*found.span()), refused(file, thing, "write the file"), severity)


def ignored_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each policy in the table of the second generation, which does nothing."""
    for name, entry in tables(file.document, NEWER).items() if header.loads(file) else ():
        node = resolve(entry.value)
        for key in ("permission", "tools"):
            found = node.get(key) if isinstance(node, NodeMapping) else None
            if found is not None:
                thing = f"{code(key)} limits nothing in {code(NEWER)}, the table of OpenCode 2"
                message = f"{thing}, of which OpenCode 1 reads other keys; move {code(name)} to"
                yield Finding(found.key.span, f"{message} {code('agent')}")


def wrong_type_in_newer(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first value for which an agent of the second generation is lost."""
    for name, entry in tables(file.document, NEWER).items() if header.loads(file) else ():
        for one in newer_issues(entry)[:1]:
            thing = f"{code(one.path[0])} must be {one.expected}, not {code(one.got)}"
            yield Finding(one.span, f"{thing}: OpenCode 1 silently leaves out {code(name)}")


def _errors(file: TemplateFile, *kinds: LoadErrorKind) -> Iterator[LoadError]:
    """The errors of these kinds; a JSON file has them also if it defines no agent."""
    if not file.dialect.schema.is_tables:
        yield from header.errors(file, *kinds)
    elif file.source.problem is None:
        yield from (error for error in file.reading.errors if error.kind in kinds)


def _finding(file: TemplateFile, error: LoadError) -> Finding:
    if error.kind is LoadErrorKind.FORBIDDEN:
        thing = f"{code(error.key)} has rules of OpenCode 2, which OpenCode 1 does not accept"
        return Finding(error.span, refused(file, thing, "write `permission`"), code="wrong-type")
    if not error.key:
        return Finding(
            error.span, refused(file, "the file must be a mapping, `{…}`"), code="wrong-type"
        )
    path = path_to(file.document.tree.root, error.span)
    node = resolve(path.node) if path is not None else None
    fault = _Fault(error, _below(file, error), node, error.span.of(file.document.text))
    first = fault.path[0] if fault.path else ""
    if error.message == MISSING:
        owner = code(".".join(error.key.split(".")[:-1]))
        thing = f"{owner} has no {error.expected}"
        return Finding(error.span, refused(file, thing, "write it"), code="wrong-type")
    rule = "wrong-type" if error.kind is not LoadErrorKind.CHOICE else "invalid-value"
    if first == "name" and error.kind is LoadErrorKind.CONTENT:
        thing = f"`name` must be a string, not {fault.found}: put it in quotes"
        message = f"{thing}, or {IfWrong.LIST_FAILS.value}"
        return Finding(error.span, message, code=rule)
    if error.kind is LoadErrorKind.CONTENT:
        thing = f"{fault.name} is sent to the model as JSON, which has no {code(error.got)}"
        message = f"{thing}: remove it, or {IfWrong.LIST_FAILS.value}"
        return Finding(error.span, message, code=rule)
    is_empty = error.message.endswith("got null") and error.got in ("", "null", "~")
    said = _empty(file, fault) if is_empty else _OF_KEYS.get(first, _other)(fault)
    message = refused(file, said.thing, said.fix)
    if is_mode(file.scope):
        message = f"{said.thing}: {said.fix}, or {SKIPPED}"
    return Finding(error.span, message, meant=(said.meant,) if said.meant else (), code=rule)


def _below(file: TemplateFile, error: LoadError) -> tuple[str, ...]:
    """The path to a value in the settings of its agent, or in those of all agents."""
    for table in TABLES if file.dialect.schema.is_tables else ():
        for name in tables(file.document, table):
            if error.key.startswith(f"{table}.{name}."):
                return tuple(error.key.removeprefix(f"{table}.{name}.").split("."))
    return tuple(error.key.split("."))


_TABBED = regex(r" *\t[ \t]*\S")


def _empty(file: TemplateFile, fault: _Fault) -> _Said:
    rest, _, below = file.document.text[fault.error.span.end :].partition("\n")
    if fault.path == ("color",) and rest.lstrip(": \t").startswith("#"):
        return _Said("`color` has no value, because `#` begins a comment", "put it in quotes")
    if rest.strip() == ":" and _TABBED.match(below):
        thing = f"{fault.name} has no value, because a tab is not indentation"
        return _Said(thing, "use spaces for the lines below it")
    return _Said(f"{fault.name} has no value", "write one, or remove the key")


def _other(fault: _Fault) -> _Said:
    if fault.error.expected == EXCESS:
        return _Said(f"{fault.name} is an item too many", "remove it")
    return _Said(f"{fault.name} must be {fault.error.expected}, not {fault.found}", "write one")


def _flag(fault: _Fault) -> _Said:
    meant = coerce.truth(fault.word.lower()) or ""
    fix = f"write {code(meant)}" if meant else "write one of them"
    return _Said(f"{fault.name} must be `true` or `false`, not {fault.found}", fix, meant)


def _tools(fault: _Fault) -> _Said:
    if len(fault.path) > 1:
        return _flag(fault)
    wanted = "a mapping of names to `true` or `false`"
    thing = f"`tools` must be {wanted}, not {fault.found}"
    return _Said(thing, "write rules under `permission` instead")


def _server(fault: _Fault) -> _Said:
    if not fault.error.expected.startswith("`type`"):
        return _other(fault)
    return _Said(f"{fault.name} must have {fault.error.expected}", "write one")


def _permission(fault: _Fault) -> _Said:
    listing = f"write {listed(ACTIONS)}"
    if isinstance(fault.node, Scalar):
        near = _ACTION_OF.get(fault.word.lower()) or nearest(fault.word, ACTIONS) or ""
        thing = f"{fault.name} cannot be {fault.chosen}{guess(near)}"
        return _Said(thing, listing, near)
    is_action = fault.error.expected == ", ".join(ACTIONS)
    wanted = "an action" if is_action else fault.error.expected
    return _Said(f"{fault.name} must be {wanted}, not {fault.found}", listing)


def _color(fault: _Fault) -> _Said:
    word = fault.word.lower()
    digits = word.removeprefix("#")
    meant = HEX.get(word) or (word if word in COLORS else "")
    if not meant and len(digits) in (_SHORT, _LONG) and set(digits) <= _DIGITS:
        meant = f"#{digits if len(digits) == _LONG else ''.join(2 * sign for sign in digits)}"
    fix = f"write `#rrggbb` in quotes, or {listed(COLORS)}"
    return _Said(f"`color` cannot be {fault.chosen}", fix, meant)


def _mode(fault: _Fault) -> _Said:
    near = nearest(fault.word, MODES) or ""
    thing = f"`mode` cannot be {fault.chosen}{guess(near)}"
    return _Said(thing, f"write {listed(MODES)}", near)


def _text(fault: _Fault) -> _Said:
    is_word = isinstance(fault.node, Scalar)
    fix = coerce.in_quotes(fault.source) if is_word else "write text"
    return _Said(f"{fault.name} must be a string, not {fault.found}", fix)


def _number(fault: _Fault) -> _Said:
    thing = f"{fault.name} must be {fault.error.expected}, not {fault.found}"
    is_quoted = isinstance(fault.node, Scalar) and fault.node.style is not Style.PLAIN
    if is_quoted and _is_number(fault.word):
        return _Said(thing, f"write {code(fault.word)} without quotes", fault.word)
    return _Said(thing, "write one")


_OF_KEYS: Mapping[str, Callable[[_Fault], _Said]] = {
    **dict.fromkeys(("hidden", "disable", "subtask"), _flag),
    **dict.fromkeys(("temperature", "top_p", "steps", "maxSteps"), _number),
    **dict.fromkeys(("description", "model", "variant", "agent"), _text),
    "tools": _tools,
    "permission": _permission,
    "mcp": _server,
    "color": _color,
    "mode": _mode,
}


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
