"""Finds the agents that a file mentions, once for all checks, and whether a session has them."""

from agent_lsp.analysis.memo import memoised
from agent_lsp.model.mentions import Mention
from agent_lsp.workspace.scopes import lacks_bundles
from agent_lsp.workspace.snapshot import TemplateFile


@memoised
def mentioned(file: TemplateFile) -> tuple[Mention, ...]:
    """The agents and personas that the file mentions, with the names that it uses."""
    return file.dialect.mentioned(file.document)


def may_be_elsewhere(file: TemplateFile) -> bool:
    """Whether a session of `file` may have agents that this machine has not."""
    workspace, system = file.workspace, file.dialect.system
    if file.scope.kind != _PROJECT or file.scope.prefix:
        return True
    return any(
        lacks_bundles(rule, file.root, workspace.host_paths, workspace.files)
        for rule in system.scopes
    )


_PROJECT = "project"
