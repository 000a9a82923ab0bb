"""Tells the two generations of OpenCode apart, and rewrites a header of one as one of the other.

Invariants: a header is rewritten only if the other generation reads the same rules in the same
order. What the other one has no key for is named, and nothing else is lost. What the generation
that is not in use makes of an agent is what its own reader says.
Facts: the loader of the second generation inside of OpenCode 1.18.33, measured 2026-11-28, and
opencode.ai/docs (agents, permissions, migrate-v1), read on the same day: one key that is not its
own makes the second generation read a header as one of the first. Its tools for commands and for
sub-agents are called `shell` and `subagent`, and without a rule that matches it asks a person.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from agent_lsp.analysis.checks.messages import some
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.opencode import AGENTS, config, header_text, reading, rules, second
from agent_lsp.dialects.opencode.facts import ACTIONS, ALLOW, ASK, EVERY, FIRST, OWN, SECOND
from agent_lsp.dialects.opencode.rules import Rule
from agent_lsp.dialects.opencode.second import DROPPED
from agent_lsp.dialects.opencode.values import members, value_of, written
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.patterns import regex
from agent_lsp.syntax import json, nodes
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import whole
from agent_lsp.syntax.nodes import Entry, Scalar, resolve
from agent_lsp.syntax.yaml.edit import quote, quote_key
from agent_lsp.text import Span

_IN_SECOND = {"bash": "shell", "task": "subagent"}
_IN_FIRST = {name: own for own, name in _IN_SECOND.items()}
# The keys that only the second generation has.
_NEW = second.OWN - OWN
_COMMENT = regex(r"(?:^|[ \t])#.*", re.MULTILINE)
_RULES = ("tools", "permission")
# Keys of the first generation that the second one has no key for.
_LOST = ("name", "prompt")
# What the first generation allows and asks before the rules of an agent.
_BEFORE = (
    Rule(EVERY, EVERY, ALLOW),
    Rule("external_directory", EVERY, ASK),
    Rule("read", "*.env", ASK),
    Rule("read", "*.env.*", ASK),
    Rule("read", "*.env.example", ALLOW),
)


def foreign_keys(top: nodes.Mapping) -> tuple[Entry, ...]:
    """The keys that make the second generation read a header as one of the first."""
    return tuple(entry for name, entry in members(top).items() if name not in second.OWN)


def written_for(top: nodes.Mapping) -> str:
    """The generation that a header is written for, or empty if both read it alike."""
    if foreign_keys(top):
        return FIRST
    return SECOND if not _NEW.isdisjoint(members(top)) else ""


def own_keys(top: nodes.Mapping) -> tuple[str, ...]:
    """The keys of a header that only the second generation has, in the order of the text."""
    return tuple(name for name in members(top) if name in _NEW)


def as_first(entry: Entry) -> tuple[str, ...]:
    """The lines of `permission` for a list of rules of the second generation; none if it has none.

    The rules of a name stand together there, so their order must not matter otherwise.
    """
    node = resolve(entry.value)
    found: dict[str, dict[str, str]] = {}
    last = ""
    for item in map(resolve, node.items) if isinstance(node, nodes.Sequence) else ():
        said = value_of(item)
        if not isinstance(said, Mapping):
            return ()
        name, use, action = (said.get(key) for key in ("action", "resource", "effect"))
        is_text = isinstance(name, str) and isinstance(use, str)
        if not is_text or action not in ACTIONS:
            return ()
        name = _IN_FIRST.get(str(name), str(name))
        if name in found and (name != last or use in found[name]):
            return ()
        found.setdefault(name, {})[str(use)] = str(action)
        last = name
    return ("permission:", *mapped(found)) if found else ()


def mapped(found: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The lines of a mapping of names to actions, or to patterns and their actions."""
    for name, uses in found.items():
        if tuple(uses) == (EVERY,):
            yield f"  {quote_key(name)}: {uses[EVERY]}"
            continue
        yield f"  {quote_key(name)}:"
        yield from (f"    {quote_key(use)}: {action}" for use, action in uses.items())


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The text of a header for the second generation, and the keys that are lost in it.

    `loses_comments` says whether a comment was lost with a key.
    """

    text: str
    lost: tuple[str, ...]
    loses_comments: bool


def as_second(text: str, header: Span, top: nodes.Mapping) -> Rewritten | None:
    """The `header` of a file of the first generation as one of the second, or None.

    A key that stays keeps its lines, with the comments in them.
    """
    found = members(top)
    if top.flow or len(found) != len(top.entries):
        return None
    end = "\r\n" if "\r\n" in header.of(text) else "\n"
    pieces = dict(zip(found, _pieces(text, header, top.entries), strict=True))
    lines: list[str] = [text[header.start : top.entries[0].key.span.start].rstrip("\r\n")]
    names = [name for name in found if name not in _LOST]
    are_written = False
    # Rules of the second generation count if there are none of the first.
    is_given = found.keys().isdisjoint(_RULES)
    for name in names:
        if name in second.OWN and (name != "permissions" or is_given):
            lines.append(pieces[name])
        elif name in _RULES and not are_written:
            are_written = True
            lines += _listed(found)
        elif name == "disable":
            lines.append(pieces[name].replace("disable", "disabled", 1))
        elif name == "maxSteps" and "steps" not in found:
            lines.append(pieces[name].replace("maxSteps", "steps", 1))
    body = tuple(_body(text, found))
    lines += ("request:", "  body:", *body) if body else ()
    made = end.join(line for line in lines if line)
    lost = (name for name in found if name in _LOST or (name == "permissions" and not is_given))
    fewer = len(_COMMENT.findall(made)) < len(_COMMENT.findall(header.of(text)))
    return Rewritten(made, tuple(lost), fewer)


def _pieces(text: str, header: Span, entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of each entry of a header, with what stands below it up to the next one."""
    starts = [entry.key.span.start for entry in entries]
    for start, end in zip(starts, (*starts[1:], header.end), strict=True):
        yield text[start:end].rstrip("\r\n \t")


def _listed(found: Mapping[str, Entry]) -> Iterator[str]:
    """The rules of `tools` and `permission`, behind those of the first generation itself."""
    values = {
        "tools": rules.of_tools(found["tools"]) if "tools" in found else None,
        "permission": rules.of_permission(found["permission"]) if "permission" in found else None,
    }
    own = rules.rules({name: value for name, value in values.items() if value is not None})
    is_whole = bool(own) and (own[0].permission, own[0].pattern) == (EVERY, EVERY)
    yield "permissions:"
    for rule in own if is_whole else (*_BEFORE, *own):
        name = _IN_SECOND.get(rule.permission, rule.permission)
        yield f"  - action: {quote(name)}"
        yield f"    resource: {quote(rule.pattern)}"
        yield f"    effect: {rule.action}"


def _body(text: str, found: Mapping[str, Entry]) -> Iterator[str]:
    """The options that go to the model, each on its line."""
    options = resolve(found["options"].value) if "options" in found else None
    more = members(options) if isinstance(options, nodes.Mapping) else {}
    kept = second.OWN | {*_RULES, *_LOST, "options", "disable", "maxSteps"}
    own = {name: entry for name, entry in found.items() if name not in kept}
    for name, entry in {**more, **own}.items():
        node = entry.value
        is_plain = isinstance(resolve(node), Scalar) and node is not None
        source = node.span.of(text) if is_plain and node is not None else ""
        value = source if source and "\n" not in source else written(value_of(node))
        yield f"    {quote_key(name)}: {value}"


_MOST_NAMED = 4
_STOPS = "OpenCode 1 does not start in a project with this file"
_TRANSLATED = "written for OpenCode 1; OpenCode 2 translates it"
_ASKS = "asks a person where none of its rules matches"


def in_other(catalog: Catalog, candidate: Candidate) -> str:
    """What the generation that is not in use makes of an agent; empty if its file has no header.

    Of a header that cannot be read both make the same.
    """
    text = catalog.text(candidate.path)
    if not text:
        return ""
    if candidate.scope.form != AGENTS:
        is_second = catalog.read(candidate).generation == SECOND
        return _of_table(
            parse(text, whole, read=json.parse_open), candidate.name, is_second=is_second
        )
    has_mark = text.startswith("\ufeff")
    document = parse(text[has_mark:], reading.split, bom=has_mark, read=header_text.parse)
    top = reading.root(document)
    if top is None:
        return ""
    is_second = catalog.read(candidate).generation == SECOND
    return _in_first(document, top) if is_second else _in_second(document, top)


def _of_table(document: Document, name: str, *, is_second: bool) -> str:
    """What the other generation makes of an agent in a JSON file."""
    if is_second and config.read(document, name).errors:
        return _STOPS
    if not is_second and second.read_table(document, name).possible_errors:
        return f"{DROPPED}, and all of its agents"
    if second.is_newer(document, name):
        return "written for OpenCode 2; OpenCode 1 reads some of its keys, and no rules"
    if is_second:
        return _TRANSLATED
    entry = config.tables(document).get(name)
    node = resolve(entry.value) if entry is not None else None
    has_name = isinstance(node, nodes.Mapping) and "name" in members(node)
    lost = " without `name`," if has_name else ""
    kept = " leaves `{file:…}` as it is," if next(config.references(document.text), None) else ""
    return f"{_TRANSLATED},{lost}{kept} and {_ASKS}"


def _in_second(document: Document, top: nodes.Mapping) -> str:
    if any(one.message == DROPPED for one in second.read(document).possible_errors):
        return DROPPED
    if written_for(top) == FIRST:
        lost = " without `name`," if "name" in members(top) else ""
        return f"{_TRANSLATED},{lost} and {_ASKS}"
    if written_for(top) == SECOND:
        return _of_second(top)
    return f"both generations read it; OpenCode 2 {_ASKS}"


def _in_first(document: Document, top: nodes.Mapping) -> str:
    if reading.read(document).errors:
        return _STOPS
    if written_for(top) == SECOND:
        return _of_second(top)
    if written_for(top) == FIRST:
        return _TRANSLATED
    return "both generations read it; OpenCode 1 allows what no rule matches"


def _of_second(top: nodes.Mapping) -> str:
    names = some(own_keys(top), _MOST_NAMED, "and")
    return (
        f"written for OpenCode 2; OpenCode 1 sends {names} to the model, as options without effect"
    )
