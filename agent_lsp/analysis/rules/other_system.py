"""A file in a shared folder is another system's."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.analysis.tools import known_tools
from agent_lsp.text import Span
from agent_lsp.workspace.foreign import Foreign
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding on a file that is another system's, with what this one makes of it."""
    if of.foreign is None or not header.is_seen(of):
        return
    thing, runtime, file = _words(of.foreign)
    if of.reading.faults:
        said = f"{runtime} skips {file}: {of.reading.faults[0].message}"
    else:
        tools = of.dialect.toolset(of.reading, known_tools(of.dialect, of.options), 1)
        has = f"with {len(tools.kept)} of the" if tools.kept else "without any of the"
        name = code(of.name or "")
        said = f"{runtime} loads {file} all the same, as {name} {has} tools that are known here"
    yield Finding(_place(of, of.foreign), f"{thing}: {' '.join(said.split())}")


def _words(told: Foreign) -> tuple[str, str, str]:
    """What tells that it is another system's, and words for this one and for the file."""
    if told.is_note:
        return "a note by its name", "this system", "it"
    if not told.has_header:
        return "a file without a header", "this system", "it"
    is_ = "is" if len(told.keys) == 1 else "are"
    return f"{listed(told.keys, 'and')} {is_} of another system", "this one", "the file"


def _place(of: Subject, told: Foreign) -> Span:
    top = header.root(of)
    entry = top.get(told.keys[0]) if top and told.keys and not told.is_note else None
    return entry.key.span if entry is not None else header.opening(of)


RULE = Rule("other-system", check, of_foreign=True)
