"""A file in a shared folder is another system's."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.model.check import Check, Finding
from agent_lsp.text import Span
from agent_lsp.workspace.misplaced import Foreign
from agent_lsp.workspace.snapshot import TemplateFile


def other_system(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file that is another system's, with what this one makes of it."""
    if file.foreign is None or not header.is_seen(file):
        return
    thing, runtime, which = _words(file.foreign)
    if file.reading.errors:
        said = f"{runtime} skips {which}: {file.reading.errors[0].message}"
    else:
        tools = file.dialect.tools.toolset(file.reading, known_tools(file.dialect, file.options), 1)
        has = f"with {len(tools.kept)} of the" if tools.kept else "without any of the"
        name = code(file.name or "")
        said = f"{runtime} still loads {which}, as {name} {has} tools that are known here"
    yield Finding(_place(file, file.foreign), f"{thing}: {' '.join(said.split())}")


def _words(told: Foreign) -> tuple[str, str, str]:
    """The reason why the file is foreign, and words for this system and for the file."""
    if told.is_note:
        return "a note by its name", "this system", "it"
    if not told.has_header:
        return "a file without a header", "this system", "it"
    belong = "belongs" if len(told.keys) == 1 else "belong"
    return f"{listed(told.keys, 'and')} {belong} to another system", "this one", "the file"


def _place(file: TemplateFile, told: Foreign) -> Span:
    top = header.root(file)
    entry = top.get(told.keys[0]) if top and told.keys and not told.is_note else None
    return entry.key.span if entry is not None else header.opening(file)


CHECK = Check(("other-system",), other_system, of_foreign=True)
