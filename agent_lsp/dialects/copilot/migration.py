"""Writes chat modes and older agents as those that VS Code reads today, and says what is lost.

Invariant: in VS Code the agent has the tools and the settings of the old file, and the prompt of a
chat mode with references that count. What stays as it is and does nothing is told.
Facts: VS Code 1.139.1, run 2026-11-28. It still takes older names of tools, drops those that are
gone, and prefers `infer` to `disable-model-invocation`. A prompt refers to a tool as `#tool:name`;
`#name` alone and `${…}` are text. For a while `user-invocable` was spelt `user-invokable`, which
neither program reads today.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.dialects.copilot import (
    AGENT,
    CHAT_MODE,
    cli_header,
    cli_tools,
    policy,
    reading,
    values,
    vs_tools,
)
from agent_lsp.dialects.copilot.body import variables
from agent_lsp.dialects.copilot.facts import ALLOW, RENAMED
from agent_lsp.model.conversion import Renewal
from agent_lsp.model.template import LoadErrorKind, Value
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, resolve
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit, apply

_INFER, _SWITCH = "infer", "disable-model-invocation"
_MISSPELT, _PEOPLE = "user-invokable", "user-invocable"
# Keys of prompt files and of old chat modes, which say nothing in an agent.
_NOTHING = ("mode", "agent")


def renewed(document: Document, file_name: str) -> Renewal | None:
    """What a chat mode or an agent in older words is today, or None for another file."""
    entries = reading.header(document).entries
    found = values.settings(entries)
    if not file_name.endswith(CHAT_MODE):
        return _in_place(document, file_name, entries, found)
    edits: list[TextEdit] = []
    losses: list[tuple[Span, str]] = []
    for entry in entries:
        if entry.name == ALLOW and ALLOW in found and _is_read(entries, entry):
            edits += _tools(document, entry, found[ALLOW])
            losses += _lost(found[ALLOW])
        elif entry.name == _INFER and _INFER in found:
            edits += _switch(document, entry, found)
        elif entry.name in _NOTHING:
            edits.append(TextEdit(_line(document.text, entry.span), ""))
            losses.append((entry.key.span, f"{code(entry.name)} is not a key of an agent"))
        elif _is_misspelt(entries, entry):
            edits.append(TextEdit(entry.key.span, _PEOPLE))
    inside, gone = _in_prompt(document, found)
    edits += inside
    losses += gone
    name = file_name.removesuffix(CHAT_MODE) + AGENT
    text = apply(document.text, edits)
    notes = (
        (Span(0, 0), f"remove {code(file_name)}, which the new file replaces"),
        *_unread(document, entries),
        *_of_cli(document, found, text),
    )
    return Renewal(name, text, tuple(losses), notes)


def _in_place(
    document: Document, file_name: str, entries: tuple[Entry, ...], found: dict[str, Value]
) -> Renewal | None:
    """An agent with the names of today for tools and switches; None if it has them.

    The prompt and the keys that say nothing stay. Copilot CLI reads the file as well.
    """
    edits: list[TextEdit] = []
    losses: list[tuple[Span, str]] = []
    wider: list[tuple[Span, str]] = []
    for entry in entries:
        is_tools = entry.name == ALLOW and ALLOW in found and _is_read(entries, entry)
        if is_tools and _is_older(found[ALLOW]):
            edits += _tools(document, entry, found[ALLOW])
            losses += _lost(found[ALLOW])
            wider += _new_in_cli(found[ALLOW])
        elif entry.name == _INFER and _INFER in found:
            edits += _switch(document, entry, found)
            if _SWITCH in found and found[_SWITCH].value is found[_INFER].value:
                said = f"Copilot CLI followed {code(_SWITCH)}, which now says what VS Code followed"
                (wider if found[_INFER].value else losses).append((entry.key.span, said))
        elif _is_misspelt(entries, entry):
            edits.append(TextEdit(entry.key.span, _PEOPLE))
    if not edits:
        return None
    text = apply(document.text, edits)
    notes = (
        *_unread(document, entries),
        *_in_words_of_chat_modes(document, entries, found),
        *_of_cli(document, found, text),
    )
    return Renewal(file_name, text, tuple(losses), notes, tuple(wider))


def _is_misspelt(entries: tuple[Entry, ...], entry: Entry) -> bool:
    """Whether a key is an earlier spelling of one that is not there, with a value that counts."""
    if entry.name != _MISSPELT or values.truth(resolve(entry.value)) is None:
        return False
    return not any(one.name == _PEOPLE for one in entries)


def _is_read(entries: tuple[Entry, ...], entry: Entry) -> bool:
    """Whether an entry is the first of its name, which is the one that VS Code reads."""
    return next(one for one in entries if one.name == entry.name) is entry


def _in_words_of_chat_modes(
    document: Document, entries: tuple[Entry, ...], found: dict[str, Value]
) -> Iterator[tuple[Span, str]]:
    """What an agent has that only a chat mode used, and that stays in its place."""
    for entry in entries:
        if entry.name in _NOTHING:
            yield entry.key.span, f"{code(entry.name)} does nothing in an agent, and stays"
    edits, losses = _in_prompt(document, found)
    for edit in edits:
        said = f"{code(edit.span.of(document.text))} is only text in an agent, and stays"
        yield edit.span, f"{said}; {code(edit.text.strip())} is the tool"
    yield from losses


def _unread(document: Document, entries: tuple[Entry, ...]) -> Iterator[tuple[Span, str]]:
    """What VS Code does not read of the header, before and afterwards."""
    for entry in entries:
        name = entry.name or ""
        if _is_misspelt(entries, entry):
            said = f"{code(name)} becomes {code(_PEOPLE)}, which both programs read"
            yield entry.key.span, f"{said}: it was without effect"
        elif name in RENAMED:
            right = RENAMED[name].key
            advice = f"; {code(right)} is the key" if right is not None else ""
            yield entry.key.span, f"{code(name)} does nothing, and stays{advice}"
        elif name in values.SWITCHES and values.truth(resolve(entry.value)) is None:
            said = f"{code(name)} is neither {code('true')} nor {code('false')}"
            yield entry.key.span, f"{said}, does nothing in VS Code, and stays"
    if document.frontmatter.fence is FenceKind.UNCLOSED:
        yield document.frontmatter.open, "the header has no end, so VS Code reads no prompt"
    for one in reading.read(document, "").possible_errors:
        if one.kind is LoadErrorKind.SYNTAX:
            yield one.span, f"VS Code does not read the header from here on: {one.message}"


def _is_older(tools: Value) -> bool:
    return any(one.text in vs_tools.GONE or vs_tools.today(one.text) for one in tools.items)


def _new_in_cli(tools: Value) -> Iterator[tuple[Span, str]]:
    """The tools that the names of today give in Copilot CLI, and the older ones did not."""
    old = {tool for one in tools.items for tool in cli_tools.covered(one.text)}
    if any(one.text == cli_tools.EVERY for one in tools.items):
        return
    for one in tools.items:
        given = {tool for name in _today(one) for tool in cli_tools.covered(name)} - old
        if given:
            said = f"{listed(sorted(given), 'and')} in Copilot CLI, as {code(one.text)} did not"
            yield one.span, f"the agent gets {said}"


def _tools(document: Document, entry: Entry, tools: Value) -> Iterator[TextEdit]:
    every = dict.fromkeys(name for item in tools.items for name in _today(item))
    names = [one for one in every if not any(_covers(other, one) for other in every)]
    if names == [item.text for item in tools.items] or entry.value is None:
        return
    said = ", ".join(quote(name, flow=True) for name in names)
    place = Span(entry.key.span.end, entry.value.span.end)
    yield TextEdit(place, f": [{said}]{_tail(document.text, place)}")


def _covers(other: str, one: str) -> bool:
    """Whether an entry gives more than another one in VS Code, and as much in Copilot CLI."""
    own, more = set(vs_tools.covered(one)), set(vs_tools.covered(other))
    return bool(own) and own < more and set(cli_tools.covered(one)) <= set(cli_tools.covered(other))


def _today(item: Value) -> tuple[str, ...]:
    """The names of today for an entry; none for a tool that is gone."""
    if item.text in vs_tools.GONE:
        return ()
    return vs_tools.today(item.text) or (item.text,)


def _lost(tools: Value) -> Iterator[tuple[Span, str]]:
    for item in tools.items:
        if item.text in vs_tools.GONE:
            yield item.span, f"{code(item.text)} is no longer a tool"
        elif not policy.known_to_vs(item.text):
            where = " in VS Code" if policy.known_to_cli(item.text) else ""
            yield item.span, f"{code(item.text)} names no tool{where}, and stays unchanged"


def _switch(document: Document, entry: Entry, found: dict[str, Value]) -> Iterator[TextEdit]:
    """The switch of today for `infer`, which precedes one that is there."""
    if _SWITCH in found:
        own = found[_SWITCH]
        yield TextEdit(own.span, "false" if found[_INFER].value else "true")
        yield TextEdit(_line(document.text, entry.span), "")
        return
    said = f"{_SWITCH}: {'false' if found[_INFER].value else 'true'}"
    yield TextEdit(entry.span, f"{said}{_tail(document.text, entry.span)}")


def _in_prompt(
    document: Document, found: dict[str, Value]
) -> tuple[list[TextEdit], list[tuple[Span, str]]]:
    """The references of today for `#name` in the prompt, and what no agent has a reference for."""
    tools = found.get(ALLOW)
    given = (
        None if tools is None else {t for one in tools.items for t in vs_tools.covered(one.text)}
    )
    edits: list[TextEdit] = []
    losses: dict[str, tuple[Span, str]] = {}
    for one in variables(document.text, document.frontmatter.body.start):
        said = code(one.span.of(document.text))
        names = vs_tools.today(one.name) or ((one.name,) if vs_tools.covered(one.name) else ())
        if one.is_tool and len(names) == 1 and names[0] not in vs_tools.GONE:
            if given is None or not given.isdisjoint(vs_tools.covered(one.name)):
                # A full stop would belong to the name.
                blank = " " if document.text[one.span.end : one.span.end + 1] == "." else ""
                edits.append(TextEdit(one.span, f"#tool:{names[0]}{blank}"))
            else:
                why = f"{said} is only text in the agent, whose {code(ALLOW)} has no such tool"
                losses.setdefault(said, (one.span, why))
        elif not one.is_tool or one.name in _CONTEXT or names or one.name in vs_tools.GONE:
            losses.setdefault(said, (one.span, f"{said} is only text in an agent"))
    return edits, list(losses.values())


# What a chat mode could refer to and is no tool.
_CONTEXT = ("selection", "editor", "file", "folder", "sym", "terminal", "git")


def _tail(text: str, span: Span) -> str:
    """The end of the line that belongs to a value of several lines."""
    said = span.of(text)
    return said[len(said.rstrip("\r\n")) :]


def _line(text: str, span: Span) -> Span:
    """The lines of an entry with their end."""
    end = span.end
    while end > span.start and text[end - 1] in "\r\n":
        end -= 1
    for sign in "\r\n":
        end += text[end : end + 1] == sign
    return Span(span.start, end)


def _of_cli(document: Document, found: dict[str, Value], text: str) -> Iterator[tuple[Span, str]]:
    """What Copilot CLI makes of the new `text`, at the places of the old one."""
    yield from _refused_by_cli(document, text)
    tools = found.get(ALLOW)
    if tools is None:
        return
    names = [name for item in tools.items for name in _today(item)]
    if cli_tools.EVERY in names:
        said = f"{code(cli_tools.EVERY)} is every tool in Copilot CLI, and none in VS Code"
        yield tools.span, said
        return
    unknown = [name for name in names if not policy.known_to_cli(name)]
    if unknown:
        given = {tool for name in names for tool in cli_tools.covered(name)}
        left = "" if given else ", and the agent has no tools there"
        said = listed(unknown, "and") if len(unknown) <= _MOST_NAMED else f"{len(unknown)} entries"
        yield tools.span, f"Copilot CLI does not know {said}{left}"


def _refused_by_cli(document: Document, text: str) -> Iterator[tuple[Span, str]]:
    """Why Copilot CLI does not load the new `text`, at the same faults of the old one."""
    before, after = (
        reading.read_for_cli(parse(one, reading.split_for_cli), "").errors
        for one in (document.text, text)
    )
    for one in after:
        if one.kind is LoadErrorKind.MISSING and one.key == "description":
            yield Span(0, 0), "Copilot CLI refuses the agent until it has a `description`"
            continue
        same = (other for other in before if (other.kind, other.key) == (one.kind, one.key))
        found = next(same, None)
        said = one.message.removeprefix(cli_header.PREFIX)
        place = found.span if found is not None else Span(0, 0)
        yield place, f"Copilot CLI refuses the agent: {said}"


# So many entries are named; of more there is a number.
_MOST_NAMED = 4
