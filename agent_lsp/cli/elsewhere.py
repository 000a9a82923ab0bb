"""Templates that lie elsewhere than in the repository whose links lead to them.

Invariant: a link in a folder of the user's own templates is the user's, and trusted.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.cli.targets import Targets
from agent_lsp.workspace.index import scope_at
from agent_lsp.workspace.scopes import repository


def external_links(targets: Targets) -> Mapping[Path, Path]:
    """The templates to which a link leads out of what is checked, each with its real path."""
    workspace, files = targets.workspace, targets.workspace.files
    tops = {files.real(repository(root, files) or root) for root in workspace.roots}
    led: dict[Path, Path] = {}
    for path in targets.paths:
        real = files.real(path)
        if real != path and tops.isdisjoint(real.parents):
            scope = scope_at(workspace, path.parent)
            if scope is None or scope.kind != "user":
                led[path] = real
    return led
