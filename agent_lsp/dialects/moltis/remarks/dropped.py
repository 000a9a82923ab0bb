"""Why the runtime drops a whole configuration."""

from collections.abc import Iterator

from agent_lsp.dialects.moltis import reading
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.remarks.stand_ins import list_around
from agent_lsp.dialects.remark import Remark
from agent_lsp.dialects.template import LoadError, LoadErrorKind
from agent_lsp.syntax import toml
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span

_LOSS = "the runtime drops the whole configuration and goes on with its defaults"


def dropped(document: Document, told: Generation | None = None) -> Iterator[Remark]:
    """Each fault where it stands; the runtime itself stops at the first one."""
    if document.tree.problem is not None:
        yield from _of_syntax(document)
        return
    said: set[Span] = set()
    for fault in reading.faults(document, told):
        listed = list_around(fault.span, document)
        if listed is not None:
            if listed.span not in said:
                yield Remark("config-dropped", listed.span, f"{listed.what}: {_LOSS}")
            said.add(listed.span)
            continue
        if fault.span not in said:
            yield _remark(fault)
        said.add(fault.span)


def _of_syntax(document: Document) -> Iterator[Remark]:
    """What is no TOML, each place once; what has no end is marked where it begins."""
    damage = document.tree.damage or tuple(filter(None, (document.tree.problem,)))
    said: set[Span] = set()
    for problem in damage:
        what = ": ".join(filter(None, (problem.context, problem.message))) or "invalid TOML"
        opened = toml.unclosed(problem, document.text)
        span = opened or problem.span
        if opened is not None:
            what = f"`{opened.of(document.text)}` is not closed"
        if span not in said:
            yield Remark("config-dropped", span, f"{what}: {_LOSS}")
        said.add(span)


def _remark(fault: LoadError) -> Remark:
    if fault.kind is LoadErrorKind.FORBIDDEN:
        return Remark("preset-conflict", fault.span, f"{fault.message}: {_LOSS}")
    # The word that was meant, where there are only certain ones.
    is_choice = fault.kind is LoadErrorKind.CHOICE
    word, meant = (fault.got, tuple(fault.expected.split(", "))) if is_choice else ("", ())
    message = f"{_of(fault)}: {_LOSS}"
    return Remark("config-dropped", fault.span, message, word=word, meant=meant)


def _of(fault: LoadError) -> str:
    if fault.kind is LoadErrorKind.MISSING:
        return f"`{fault.key}` has no `{fault.expected}`, which the runtime wants"
    if fault.kind is LoadErrorKind.CHOICE:
        return f"`{fault.key}` is `{fault.got}`, and the runtime knows only {fault.expected}"
    name = fault.key or "agents"
    return f"`{name}` is {_article(fault.got)}, and the runtime wants {fault.expected}"


def _article(got: str) -> str:
    """What was found, in words that people use."""
    if got in _ALONE:
        return _ALONE[got]
    found = next((name for name in _NAMED if got.startswith(name)), "")
    return f"{_NAMED.get(found, '')}{got.removeprefix(found)}".strip()


_ALONE = {"map": "a table", "sequence": "a list"}
_NAMED = {
    "string": "the text",
    "integer": "the number",
    "floating point": "the number",
    "boolean": "the truth value",
}
