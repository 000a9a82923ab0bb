"""Builds the workspaces of two states of a repository, at the same paths."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.cli.comparing import git
from agent_lsp.cli.comparing.revision import RevisionDisk
from agent_lsp.environment import SYSTEMS, host_paths_from_environment, new_files, workspace_for
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.snapshot import Workspace


@dataclass(frozen=True, slots=True)
class Compared:
    """Two snapshots, with the commits that they show; None stands for the files as they are now."""

    before: Workspace
    after: Workspace
    start: str
    end: str | None
    messages: tuple[str, ...]


@contextmanager
def files_at(repository: git.Repository, commit: str) -> Iterator[Files]:
    """The files of this machine, with those of `commit` in the repository."""
    with git.contents(repository) as contents:
        blobs, kept = git.files(repository, commit), git.ignored(repository)
        names = frozenset(name for one in SYSTEMS for name in (*one.files, one.extension))
        yield Files(RevisionDisk(repository.top, blobs, kept, contents.read), names)


@contextmanager
def compared(
    here: Path, root: Path, revisions: tuple[str, str | None], programs: frozenset[str]
) -> Iterator[Compared]:
    """The workspaces of `root` in two revisions of the repository that contains `here`."""
    repository = git.repository(here)
    start, end = git.sides(repository, *revisions)
    with ExitStack() as stack:
        old = stack.enter_context(files_at(repository, start))
        new = new_files() if end is None else stack.enter_context(files_at(repository, end))
        host = host_paths_from_environment()
        before, _ = workspace_for((root,), old, host, programs=programs)
        after, messages = workspace_for((root,), new, host, programs=programs)
        yield Compared(before, after, start, end, messages)
