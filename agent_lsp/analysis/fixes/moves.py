"""Fixes for files that are called, or lie, where the runtime passes them over.

Invariant: no file is moved over another one.
"""

from collections.abc import Iterator

from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.spot import spot
from agent_lsp.analysis.rules import naming
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.strays import Reason


def renamed(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """The file gets a name that an agent can have."""
    del found
    extension = of.path.name.rpartition(".")[2]
    # Some runtimes take an extension in lower case only.
    name = naming.proposal(of, extension) or naming.proposal(of, extension.lower())
    if name is not None:
        title = f"Rename the file to {code(name)}"
        yield Proposal(title, safe=True, moved=of.path.with_name(name))


def moved(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """The file goes where the runtime looks for it."""
    del found
    name = naming.proposal(of, "md")
    if of.stray is None or name is None:
        return
    target = of.stray.belongs / name
    is_safe = of.stray.reason is Reason.EXTENSION
    verb = "Rename" if is_safe else "Move"
    yield Proposal(f"{verb} the file to {code(shown(of, target))}", safe=is_safe, moved=target)


def called_as_written(of: Subject, found: Diagnostic) -> Iterator[Proposal]:
    """The file gets the name that its header gives."""
    at = spot(of, found.span)
    said = at.node.value if at is not None and isinstance(at.node, Scalar) else ""
    name = f"{said.strip()}.md"
    is_name = said.isprintable() and "\\" not in name and may_be_called(name, of.path)
    if is_name and of.dialect.name_of(name) is not None:
        yield Proposal(f"Rename the file to {code(name)}", moved=of.path.with_name(name))
