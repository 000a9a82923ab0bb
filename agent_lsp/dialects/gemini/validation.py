"""Says what the runtime's schema finds wrong with a header, and in which words it prints that.

A header is a local agent or a remote one, and a list is one of remote agents. The runtime tries all
that it may be, and prints what each attempt lacks unless a key or `kind` tells which was meant.
Facts: Gemini CLI 0.61.0, measured 2026-11-28: the order of the lines, which lines get a label in
front, and what an unknown key, a null or a wrong type does (`tests/conformance`).
"""

from collections.abc import Iterable

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.gemini.facts import (
    LOCAL,
    ONLY_LOCAL,
    ONLY_REMOTE,
    REMOTE,
)
from agent_lsp.dialects.gemini.js_yaml import members, type_of
from agent_lsp.dialects.gemini.rules import Issue, local, remote
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span

_LABELS = {LOCAL: "(Local Agent) ", REMOTE: "(Remote Agent) "}


@dataclass(frozen=True, slots=True)
class Validated:
    """What the runtime finds wrong with a header.

    `issues` are those of the agent that was meant, `said` is all that the runtime prints.
    """

    kind: str
    issues: tuple[tuple[str, Issue], ...] = ()
    said: str = ""


def validate(root: Node | None, place: Span) -> Validated:
    """The verdict on the value of a header that stands at `place`."""
    top = resolve(root)
    if isinstance(top, Sequence):
        return _list(top)
    if not isinstance(top, Mapping):
        return _nothing(top, place)
    found = members(top)
    as_local, by_url, by_json = local(top), remote(top, "url"), remote(top, "json")
    if not as_local or not by_url or not by_json:
        return Validated(REMOTE if as_local else LOCAL)
    meant = _meant(found)
    intended = _nearer(by_url, by_json, found) if meant == REMOTE else as_local
    attempts = ((LOCAL, as_local), (REMOTE, by_url), (REMOTE, by_json))
    mild = next((one for _, one in attempts if not any(issue.fatal for issue in one)), None)
    if mild is not None:
        said, label = _printed("", mild), ""
    else:
        shown = (one for one in attempts if meant in ("", one[0]))
        said = [line for kind, issues in shown for line in _printed(_LABELS[kind], issues)]
        label = _LABELS[meant or LOCAL]
    kind = meant or LOCAL
    labelled = tuple((label, issue) for issue in intended)
    return Validated(kind, labelled, _words("Agent Definition", said))


def _words(what: str, lines: Iterable[str]) -> str:
    return "\n".join((f"Validation failed: {what}:", *dict.fromkeys(lines)))


def _printed(label: str, issues: Iterable[Issue]) -> list[str]:
    """The lines of one attempt; the runtime names all unknown keys of a mapping in one."""
    lines: list[str] = []
    unknown: list[Issue] = []
    for issue in issues:
        if issue.kind is LoadErrorKind.FORBIDDEN and issue.got:
            unknown.append(issue)
        else:
            lines.append(f"{label}{issue.line}")
    for path in dict.fromkeys(issue.path for issue in unknown):
        names = ", ".join(f"'{issue.got}'" for issue in unknown if issue.path == path)
        where = f"{path}: " if path else ""
        lines.append(f"{label}{where}Unrecognized key(s) in object: {names}")
    return lines


def _meant(found: dict[str, Entry]) -> str:
    """The kind of agent that the keys tell, or nothing."""
    written = resolve(found["kind"].value) if "kind" in found else None
    if isinstance(written, Scalar) and written.value in _LABELS:
        return written.value
    is_local, is_remote = not ONLY_LOCAL.isdisjoint(found), not ONLY_REMOTE.isdisjoint(found)
    if is_local is is_remote:
        return ""
    return LOCAL if is_local else REMOTE


def _nearer(by_url: list[Issue], by_json: list[Issue], found: dict[str, Entry]) -> list[Issue]:
    """The issues of the form of card that is there, and of none those of both."""
    if "agent_card_url" in found:
        return by_url
    if "agent_card_json" in found:
        return by_json
    return [*dict.fromkeys((*by_url, *by_json))]


def _nothing(top: Node | None, place: Span) -> Validated:
    """The verdict on a header that is no mapping."""
    got = type_of(top)
    message = "Required" if top is None else f"Expected object, received {got}"
    span = top.span if top is not None and len(top.span) else place
    issue = Issue(LoadErrorKind.TYPE, "", message, span, fatal=True, expected="a mapping", got=got)
    said = [f"{label}{message}" for label in _LABELS.values()]
    return Validated(LOCAL, ((_LABELS[LOCAL], issue),), _words("Agent Definition", said))


def _list(top: Sequence) -> Validated:
    """The verdict on a list of remote agents."""
    every: list[tuple[str, Issue]] = []
    lines: list[str] = []
    for at, item in enumerate(top.items):
        node = resolve(item)
        if not isinstance(node, Mapping):
            got = type_of(node)
            message = f"Expected object, received {got}"
            issue = Issue(LoadErrorKind.TYPE, str(at), message, item.span, True, "a mapping", got)
            every.append(("", issue))
            lines.append(issue.line)
            continue
        by_url, by_json = remote(node, "url", f"{at}."), remote(node, "json", f"{at}.")
        if not by_url or not by_json:
            continue
        attempts = (by_url, by_json)
        mild = next((one for one in attempts if not any(i.fatal for i in one)), None)
        shown = [*by_url, *by_json] if mild is None else mild
        intended = _nearer(by_url, by_json, members(node))
        every += (("", issue) for issue in intended)
        lines += _printed("", shown)
    if not every:
        return Validated(REMOTE)
    return Validated(REMOTE, tuple(every), _words("Remote Agents List", lines))
