"""Completes what a prompt names: agents, paths, variables, and words of the dialect."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from agent_lsp.analysis import render
from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.context.prompts import begun_at, is_value, joined, left, prompts
from agent_lsp.model.availability import Delegation
from agent_lsp.model.schema import KeyRole, WordAt, WordKind
from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.disk import NEVER_ENTERED
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

# Words and marks behind which a name follows. An agent's name has no other characters.
_AFTER = regex(
    r"(?:\bdelegat(?:e|es|ing)\b(?:[ ][\w'-]+){0,4}?[ ]to[ ](?:the[ ])?[`\"']?|(?<!`)`)"
    r"(?P<typed>[\w.:-]*)\Z",
    re.IGNORECASE,
)
_MENTION = regex(r"(?<!\w)@agent-(?P<typed>[\w.:-]*)\Z")
_AT = regex(r"(?<![\w`@/.])@(?P<typed>[\w.:-]*)\Z")
_REST = regex(r"[\w.:-]*")
_LONGEST = 300


def agents(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The agents of the session, without the file's own, for the name typed at `offset`."""
    typed = _typed(file, offset)
    if typed is None:
        return
    catalog = catalog_of(file)
    found = dict.fromkeys(catalog.names, Words("an agent that a session finds here"))
    for choice in file.dialect.references.built_in(catalog):
        found.setdefault(choice.name, Words(choice.meaning))
    found.pop(file.name or "", None)
    for place, (name, said) in enumerate(found.items()):
        text = file.document.text
        yield offer(text, typed, name, CompletionKind.VALUE, literal(name), said, place)


def personas(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The personas of the agent that the call at `offset` starts, for the name typed there."""
    argument = file.dialect.spawn_argument(KeyRole.PERSONA_NAME)
    text, body = file.document.text, file.body
    if argument is None or not body.start <= offset <= body.end:
        return
    line = Span(max(body.start, line_at(text, offset).start, offset - _LONGEST), offset)
    found = _argument(argument, file.dialect.calls.spawn_call).search(line.of(text))
    rest = _REST.match(text, offset)
    if found is None or rest is None:
        return
    called = [
        one.name
        for one in file.dialect.mentioned(file.document)
        if one.is_call and one.agent is None and line.covers(one.span.start)
    ]
    catalog = catalog_of(file)
    winner = catalog.winner(called[-1]) if called else None
    typed = Span(offset - len(found["typed"]), rest.end())
    declared = catalog.read(winner).declared.personas if winner is not None else ()
    for place, one in enumerate(one for one in declared if one.name):
        said = Words(f"a persona of {called[-1]}")
        yield offer(text, typed, one.name, CompletionKind.PERSONA, literal(one.name), said, place)


def _typed(file: TemplateFile, offset: int) -> Span | None:
    text = file.document.text
    texts = (*prompts(file), *_description(file))
    body = next((one for one in texts if one.start <= offset <= one.end), None)
    if body is None:
        return None
    before = text[max(body.start, line_at(text, offset).start, offset - _LONGEST) : offset]
    if before.count("`") % 2 == 0 and before.endswith("`"):
        # The second of two backticks ends a name.
        return None
    found = _AFTER.search(before) or _in_call(file, before)
    if found is None and file.dialect.references.mentions is not None:
        found = _MENTION.search(before) if file.dialect.tools.takes_agents else None
    delegation = file.dialect.references.delegation
    if found is None and delegation is not None and _has_at(delegation):
        found = _AT.search(before)
    rest = _REST.match(text, offset)
    if found is None or rest is None:
        return None
    return Span(offset - len(found["typed"]), rest.end())


@lru_cache(maxsize=64)
def _has_at(delegation: Delegation) -> bool:
    """Whether a prompt calls an agent by its name behind an `@`."""
    return any(delegation.mentions("@name"))


def _description(file: TemplateFile) -> Iterator[Span]:
    """The place of the description in a header, to the end of its last line."""
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    value = file.reading.declared.settings.get(key.name) if key is not None else None
    if value is not None and value.text and not file.dialect.schema.is_tables:
        end = line_at(file.document.text, value.span.end).end
        yield Span(value.span.start, end)


def _in_call(file: TemplateFile, before: str) -> re.Match[str] | None:
    argument = file.dialect.spawn_argument(KeyRole.AGENT)
    return _argument(argument, file.dialect.calls.spawn_call).search(before) if argument else None


@lru_cache(maxsize=64)
def _argument(name: str, call: str) -> re.Pattern[str]:
    """Matches the beginning of an argument; a common word counts only inside of the call."""
    argument = rf"""\b{re.escape(name)}\b["'`]?[ ]?[:=][ ]?["'`]?"""
    before = argument if "_" in name else rf"\b{re.escape(call)}\b[^)\n]{{0,80}}?{argument}"
    return re.compile(rf"{before}(?P<typed>[\w.:-]*)\Z")


_BEGUN = regex(
    r"(?:(?P<link>\]\()|(?:(?<![\w@/.:+-])|(?<=\\[nrt]))@)"
    r"(?P<folder>(?:[\w.-]{1,64}/){0,12})(?P<typed>[\w.-]*)\Z"
)
_SIGNS = frozenset("\"'\\")
_REST_OF_PATH = regex(r"[\w.-]*")
# Nobody types a longer path, and nobody reads a longer list.
_LONGEST_PATH, _MOST = 300, 200
# Where the text may go on with an agent or with a path, agents come first.
_AFTER_AGENTS = 5000


def paths(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The files and folders that may follow the path typed at `offset`."""
    text = file.document.text
    body = next((one for one in prompts(file) if one.start <= offset <= one.end), None)
    if body is None:
        return
    before = text[max(body.start, line_at(text, offset).start, offset - _LONGEST_PATH) : offset]
    found, rest = _BEGUN.search(before), _REST_OF_PATH.match(text, offset)
    if found is None or rest is None:
        return
    bases = (file.path.parent, file.root) if found["link"] else (file.root,)
    folders = (joined(one, found["folder"]) for one in bases)
    folder = next((one for one in folders if file.workspace.files.is_folder(one)), None)
    if folder is None or left(file, folder):
        return
    typed = Span(offset - len(found["typed"]), rest.end())
    for place, name in enumerate(_inside(file, folder), _AFTER_AGENTS):
        said = Words(from_folder(folder / name, file.root))
        # Behind a folder, more follows.
        is_folder = name.endswith("/")
        kind = CompletionKind.FOLDER if is_folder else CompletionKind.FILE
        yield offer(text, typed, name, kind, literal(name), said, place, retrigger=is_folder)


def _inside(file: TemplateFile, folder: Path) -> list[str]:
    """The names in a folder, those of folders with a slash."""
    files = file.workspace.files
    folders = [f"{name}/" for name in files.folders(folder) if name not in NEVER_ENTERED]
    names = [name for name in files.entries(folder) if folder / name != file.path]
    found = [*names, *folders]
    if is_value(file):
        # The value may be in either kind of quotes.
        found = [name for name in found if _SIGNS.isdisjoint(name)]
    return found[:_MOST]


_KINDS = {
    WordKind.KEY: CompletionKind.KEY,
    WordKind.VALUE: CompletionKind.VALUE,
    WordKind.TOOL: CompletionKind.TOOL,
    WordKind.AGENT: CompletionKind.VALUE,
}


def words_at(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The words that may stand at `offset`, in the order of the dialect."""
    at = word_at(file, offset)
    if at is None:
        return
    for number, word in enumerate(at.offers):
        yield offer(
            file.document.text,
            at.span,
            word.name,
            _KINDS[at.sort],
            at.shapes.get(word.name) or literal(word.name),
            Words(word.meaning, render.words(word.meaning)),
            number,
        )


def word_at(file: TemplateFile, offset: int) -> WordAt | None:
    """The dialect's entry for the word at `offset`, or None."""
    find = file.dialect.schema.word_at
    return None if find is None else find(file.document, offset, lambda: _agents(file))


def _agents(file: TemplateFile) -> frozenset[str]:
    return frozenset(catalog_of(file).names)


def variables(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The variables that the text typed at `offset` may begin."""
    begun = begun_at(file, offset)
    for place, one in enumerate(file.dialect.format.variables if begun is not None else ()):
        if begun is not None:
            typed, is_closed = begun
            body = literal(one.name if is_closed else f"{one.name}}}")
            words = Words(one.meaning)
            yield offer(
                file.document.text, typed, one.name, CompletionKind.VALUE, body, words, place
            )
