"""Finds what `check --since` leaves out: the findings that a revision has as well."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from agent_lsp.analysis.agents_diff import agents_diff
from agent_lsp.analysis.diagnostics import examined
from agent_lsp.cli.checking.baseline import Fingerprint, fingerprint
from agent_lsp.cli.checking.targets import Targets
from agent_lsp.cli.comparing import git
from agent_lsp.cli.comparing.report import summary
from agent_lsp.cli.comparing.revision import files_at
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import host_paths_from_environment, workspace_for
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
    programs: frozenset[str],
) -> Since:
    """The state of `revision` for the templates in `found`; `at` finds them among other files.

    The agents are those that `diff` compares: of the folder `here`, for the `programs` that count.

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
        host = host_paths_from_environment()
        before, after = (
            workspace_for((here,), one, host, programs=programs)[0]
            for one in (files, found.workspace.files)
        )
        return Since(findings, summary(agents_diff(before, after)))
