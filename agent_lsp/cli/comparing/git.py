"""Asks Git about a repository: the revisions that a user names, their files, and ignored files.

Invariants: only this module starts a process, and that is Git. Nothing of the repository is run: no
hook, no filter, no text conversion, no file system monitor; and nothing is fetched. Git's own words
are passed on if it fails for a reason that this module does not know.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.terminal import visible
from agent_lsp.data_classes import dataclass

# The configuration of a repository can name programs, which these settings replace.
_SAFE = (
    *("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never", "-c", "core.untrackedCache=false"),
)
_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_RANGE, _SINCE = "..", "..."


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision: its mode as in Git, and the name of its content."""

    mode: str
    content: str


@dataclass(frozen=True, slots=True)
class Repository:
    """The work tree of a repository with the real path `top`, and the program that reads it."""

    program: str
    top: Path

    def ask(self, *words: str) -> bytes:
        """The output of Git; raises `CommandError` with Git's own words if it fails."""
        code, out, said = _run(self.program, self.top, words)
        if code:
            raise CommandError(f"git: {visible(said) or f'exit code {code}'}")
        return out

    def answers(self, *words: str) -> str:
        """The output of Git on one line, or an empty text if it fails."""
        code, out, _ = _run(self.program, self.top, words)
        return "" if code else os.fsdecode(out).strip()


def repository(here: Path) -> Repository:
    """The repository that contains `here`; raises `CommandError` if there is no Git or none."""
    program = _program()
    if program is None:
        raise CommandError("there is no program `git` on PATH, which reads the revisions")
    code, out, said = _run(program, here, ("rev-parse", "--show-toplevel"))
    if code and "not a git repository" in said:
        raise CommandError(f"{visible(str(here))} is in no Git repository, so it has no revisions")
    if code:
        raise CommandError(f"git: {visible(said)}")
    return Repository(program, Path(os.path.realpath(os.fsdecode(out).rstrip("\r\n"))))


def sides(repository: Repository, written: str, other: str | None) -> tuple[str, str | None]:
    """The revisions to compare, as names of commits; None stands for the files as they are now.

    `A..B` compares two revisions, and `A...B` compares B with what it has in common with A.
    Raises `CommandError` for a revision that does not exist.
    """
    for between in (_SINCE, _RANGE):
        if between in written and other is None:
            first, last = written.split(between, 1)
            end = commit(repository, last or "HEAD")
            start = commit(repository, first or "HEAD")
            return (_common(repository, start, end) if between == _SINCE else start), end
    return commit(repository, written), None if other is None else commit(repository, other)


def commit(repository: Repository, revision: str) -> str:
    """The commit that `revision` names; raises `CommandError` if there is none."""
    # A name that begins with `-` would be an option.
    found = ""
    if not revision.startswith("-"):
        found = repository.answers("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found:
        return found
    said = f"there is no revision `{visible(revision)}` in this repository"
    if repository.answers("rev-parse", "--is-shallow-repository") == "true":
        raise CommandError(
            f"{said}, which is a shallow clone\n  `git fetch --unshallow` fetches all revisions; "
            "in a GitHub workflow, `fetch-depth: 0` of actions/checkout does"
        )
    raise CommandError(f"{said}\n  `git log --oneline` and `git branch --all` list revisions")


def _common(repository: Repository, start: str, end: str) -> str:
    found = repository.answers("merge-base", start, end)
    if not found:
        raise CommandError("the two revisions have no commit in common")
    return found


def files(repository: Repository, revision: str) -> Mapping[str, Blob]:
    """The files of `revision`, each by its path from the top of the repository."""
    found: dict[str, Blob] = {}
    for line in repository.ask("ls-tree", "-r", "-z", "--full-tree", revision).split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if tab:
            mode, _, content = head.decode("ascii").split()
            found[os.fsdecode(name)] = Blob(mode, content)
    return found


def ignored(repository: Repository) -> frozenset[str]:
    """What Git ignores in the work tree: files, and folders of which it ignores everything."""
    words = ("--others", "--ignored", "--exclude-standard", "--directory")
    found = repository.ask("ls-files", "-z", *words).split(b"\0")
    return frozenset(os.fsdecode(name).rstrip("/") for name in found if name)


class Contents:
    """The contents of files, which one Git process answers as long as it is open."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self._stdin, self._stdout = stdin, stdout

    def read(self, content: str) -> bytes:
        """The content of this name, as it is stored; raises `OSError` if Git does not have it."""
        self._stdin.write(f"{content}\n".encode("ascii"))
        self._stdin.flush()
        head = self._stdout.readline().split()
        if len(head) != 3:  # noqa: PLR2004 - name, type, size
            raise FileNotFoundError(f"Git has no content {content}")
        data = self._stdout.read(int(head[2]) + 1)
        return data[:-1]


@contextmanager
def contents(repository: Repository) -> Iterator[Contents]:
    """Contents of files of `repository`, in the bytes that are stored."""
    command = (repository.program, *_SAFE, "cat-file", "--batch")
    with subprocess.Popen(  # noqa: S603 - Git by its full path
        command,
        cwd=repository.top,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise CommandError("git: no pipe to it")
        yield Contents(process.stdin, process.stdout)
        process.stdin.close()


def _run(program: str, folder: Path, words: tuple[str, ...]) -> tuple[int, bytes, str]:
    """The exit code, the output, and the first line of the errors."""
    ran = subprocess.run(  # noqa: S603 - Git by its full path
        (program, *_SAFE, *words),
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    said = ran.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return ran.returncode, ran.stdout, said.removeprefix("fatal: ")


def _environment() -> dict[str, str]:
    return {**os.environ, **_VARIABLES}


def _program() -> str | None:
    """Git on PATH; unlike `shutil.which`, never that of the current folder, even on Windows."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = Path(folder, name)
        if path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            return str(path)
    return None
