"""Quick fixes for `copilot` alone: names of today for tools and keys."""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.text import TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def as_today(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Writes the names of today for an older name."""
    if not diagnostic.meant:
        return
    word = diagnostic.span.of(file.document.text)
    quote = word[0] if word[:1] in ("'", '"') else ""
    names = ", ".join(f"{quote}{name}{quote}" for name in diagnostic.meant)
    if len(diagnostic.meant) > 1 and not _is_in_line(file, diagnostic):
        return
    title = f"Write {code(word)} as {listed(diagnostic.meant, 'and')}"
    yield Proposal(title, (TextEdit(diagnostic.span, names),), safe=True)


def _is_in_line(file: TemplateFile, diagnostic: Diagnostic) -> bool:
    """Whether the list is written on a line, so that commas divide its items."""
    text = file.document.text
    start = text.rfind("\n", 0, diagnostic.span.start) + 1
    return not text[start : diagnostic.span.start].lstrip().startswith("- ")


def as_switch(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Writes the switch of today in the place of `infer`."""
    top = header.root(file)
    entry = top.get("infer") if top is not None else None
    if entry is not None and diagnostic.meant and entry.key.span == diagnostic.span:
        said = ": ".join(diagnostic.meant)
        yield Proposal(f"Write {code(said)}", (TextEdit(entry.span, said),), safe=True)


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "renamed-tool": (as_today,),
    "older-name": (as_switch,),
}
