"""Hover on a key that decides for whom an agent is there: what it is, and what it could be."""

from collections.abc import Iterator

from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.markup import code, words
from agent_lsp.dialects.standing import Availability
from agent_lsp.dialects.vocabulary import Key, ValueKind
from agent_lsp.workspace.index import TemplateFile


def standing(file: TemplateFile, key: Key) -> Iterator[str]:
    """Each way to the agent, and a row for each word that the key takes."""
    ways = meant.standing(file)
    if not ways:
        return
    yield ", ".join(f"**{way.word}: {_answer(way)}**" for way in ways)
    yield "\n".join(f"- {way.word}: {_answer(way)}, {words(way.reason)}" for way in ways)
    if key.kind is ValueKind.CHOICE:
        head = " | ".join(way.word for way in ways)
        rows = (
            f"| {code(choice.name)} | "
            + " | ".join(map(_answer, meant.standing(file, key, choice.name)))
            + " |"
            for choice in key.choices
        )
        yield "\n".join((f"| {code(key.name)} | {head} |", f"|---|{'---|' * len(ways)}", *rows))


def _answer(way: Availability) -> str:
    return "yes" if way.is_open else "no"
