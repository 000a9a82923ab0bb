"""Fixes for files that the runtime skips because of their name or folder.

Invariant: a move never replaces another file.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import files
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import node_path
from agent_lsp.model.fix import Proposal
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.workspace.misplaced import MisplacedReason
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.snapshot import TemplateFile


def renamed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Renames the file to a name that an agent can have."""
    del diagnostic
    extension = file.path.name.rpartition(".")[2]
    # Some runtimes take an extension in lower case only.
    name = files.proposal(file, extension) or files.proposal(file, extension.lower())
    if name is not None:
        title = f"Rename the file to {code(name)}"
        yield Proposal(title, safe=True, moved=file.path.with_name(name))


def moved(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Moves the file to a folder in which the runtime looks for it."""
    del diagnostic
    name = files.proposal(file, "md")
    if file.misplaced is None or name is None:
        return
    target = file.misplaced.belongs / name
    is_safe = file.misplaced.reason is MisplacedReason.EXTENSION
    verb = "Rename" if is_safe else "Move"
    yield Proposal(f"{verb} the file to {code(shown(file, target))}", safe=is_safe, moved=target)


def called_as_written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Renames the file to the name in its header."""
    at = node_path(file, diagnostic.span)
    said = at.node.value if at is not None and isinstance(at.node, Scalar) else ""
    name = f"{said.strip()}{file.dialect.system.extension}"
    is_name = said.isprintable() and "\\" not in name and may_be_called(name, file.path)
    if is_name and file.dialect.names.name_of(name) is not None:
        yield Proposal(f"Rename the file to {code(name)}", moved=file.path.with_name(name))
