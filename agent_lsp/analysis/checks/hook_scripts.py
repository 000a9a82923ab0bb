"""Finds the hooks in a header, and says of each whose script is missing or cannot be run.

Invariants: a hook is read and never run. Only the first program of a command is looked at, and only
at a path of the project or the home. A command that handles the absence of a file, or changes the
folder, is left alone. The system says which variables are the folder of the session.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Finding
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.named_paths import NamedIn, keep
from agent_lsp.workspace.snapshot import TemplateFile

_WORD = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'|&;<>()`])+"""
# Variables that are set for the command, an interpreter with options, and the script.
_COMMAND = re.compile(
    rf"""\s*(?:\w+={_WORD}\s+)*
    (?:(?P<runs>(?:\S*/)?(?:(?:ba|z|da)?sh|python[\d.]*|node|bun|deno|ruby|perl)(?:\s+-[a-zA-Z]+)*)\s+)?
    (?P<script>{_WORD})""",
    re.VERBOSE,
)
_ALONE = re.compile(r"\|\||\bcd\s|\[\s|\btest\s|\bif\s|<<")
_HOME = re.compile(r"(?:~|\$HOME\b|\$\{HOME\})(?=/)")
_PATH = re.compile(r"[\w@%+=:,./ -]+")
_PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Matcher:
    """A mapping in the list of an `event`, with the hooks in it."""

    event: str
    node: Mapping
    hooks: tuple[Mapping, ...]

    @property
    def pattern(self) -> Scalar | None:
        """The value of `matcher`, or None if there is none."""
        entry = self.node.get("matcher")
        node = entry.node if entry is not None else None
        return node if isinstance(node, Scalar) else None


def matchers(file: TemplateFile) -> Iterator[Matcher]:
    """The matchers of all events in the order of the text."""
    top = header.root(file)
    entry = top.get("hooks") if top is not None else None
    events = entry.node if entry is not None else None
    for event in events.entries if isinstance(events, Mapping) else ():
        for node in _mappings(resolve(event.value)):
            inner = node.get("hooks")
            hooks = tuple(_mappings(inner.node if inner is not None else None))
            yield Matcher(event.name or "", node, hooks)


def _mappings(node: Node | None) -> Iterator[Mapping]:
    for item in node.items if isinstance(node, Sequence) else ():
        found = resolve(item)
        if isinstance(found, Mapping):
            yield found


def futile_scripts(
    file: TemplateFile, root: re.Pattern[str], guards: frozenset[str]
) -> Iterator[Finding]:
    """Yields a finding on each script that is not there or cannot be run.

    `root` matches the variable for the folder of the session. The hooks of the events in `guards`
    can prevent something.
    """
    scripts = set[Path]()
    for one in matchers(file):
        for hook in one.hooks:
            yield from _script(file, hook, root, scripts, is_guard=one.event in guards)
    keep(file.workspace.files, file.path, NamedIn.HOOK, scripts)


def _script(
    file: TemplateFile,
    hook: Mapping,
    root: re.Pattern[str],
    scripts: set[Path],
    *,
    is_guard: bool,
) -> Iterator[Finding]:
    """A finding on the script of a command, if it is not there or cannot be run."""
    entry, kind = hook.get("command"), hook.get("type")
    node, type_ = (one.node if one is not None else None for one in (entry, kind))
    is_command = isinstance(type_, Scalar) and type_.value == "command"
    if not is_command or not isinstance(node, Scalar) or _ALONE.search(node.value):
        return
    found = _COMMAND.match(node.value)
    path = _path(file, found["script"], root) if found is not None else None
    if found is None or path is None:
        return
    scripts.add(path)
    written = found["script"]
    effect = "so nothing is prevented" if is_guard else "so the hook does nothing"
    at = file.document.text.find(written, node.span.start, node.span.end)
    span = Span(at, at + len(written)) if at >= 0 else node.span
    if not file.workspace.files.exists(path):
        yield Finding(span, f"there is no script {code(_shown(written))}, {effect}")
    elif not found["runs"] and not file.workspace.files.is_executable(path):
        fix = f"run `chmod +x {path.name}`, or write `bash` before it"
        yield Finding(span, f"{code(_shown(written))} is not executable, {effect}; {fix}")


def _path(file: TemplateFile, written: str, of_root: re.Pattern[str]) -> Path | None:
    """The file that a word of a command means; None if it is no path, or of an unknown folder."""
    plain = _shown(written)
    root, home = of_root.match(plain), _HOME.match(plain)
    above: Path | None = file.root if file.scope.kind == _PROJECT else None
    if root is not None:
        plain = plain[root.end() + 1 :]
    elif home is not None:
        above, plain = file.workspace.host_paths.home, plain[home.end() + 1 :]
    elif plain.startswith("/") or "/" not in plain:
        return None
    is_path = above is not None and _PATH.fullmatch(plain) is not None and plain[-1:] != "/"
    return above / plain if is_path and above is not None else None


def _shown(written: str) -> str:
    """A word of a command without its quotes."""
    return written.replace('"', "").replace("'", "")
