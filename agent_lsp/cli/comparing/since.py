"""Finds what `check --since` leaves out: the findings that a revision has as well."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.agents_diff import agents_diff
from agent_lsp.analysis.diagnostics import examined
from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.targets import Targets
from agent_lsp.cli.comparing import git
from agent_lsp.cli.comparing.report import summary
from agent_lsp.cli.comparing.workspaces import files_at
from agent_lsp.workspace.files import Files


@dataclass(frozen=True, slots=True)
class Since:
    """The findings of a revision, each with its count, and what has happened to the agents."""

    findings: Counter[Fingerprint]
    agents: str


def since(
    revision: str,
    found: Targets,
    here: Path,
    base: Path,
    at: Callable[[Files], Targets],
) -> Since:
    """The state of `revision` for the templates in `found`; `at` finds them among other files.

    Raises `CommandError` if Git cannot tell what the files were.
    """
    repository = git.repository(here)
    start, _ = git.sides(repository, revision, None)
    with files_at(repository, start) as files:
        old = at(files)
        wanted = set(found.paths)
        findings = Counter(
            fingerprint(path, one, base, files.lines(path))
            for path in old.paths
            if path in wanted
            for one in examined(old.workspace, path).shown
        )
        return Since(findings, summary(agents_diff(old.workspace, found.workspace)))
