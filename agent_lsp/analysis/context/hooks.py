"""Finds the hooks in a header, and the scripts that they run.

Invariants: a hook is read and never run. Only the first program of a command is looked at, and only
at a path of the project or the home. A command that handles the absence of a file, or changes the
folder, is left alone. The system says which variables are the folder of the session.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, memoised

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
class HookScript:
    """A script at `path` that a hook of an `event` runs, as `written` at `span` without its quotes.

    It `has_interpreter` if the command names the program that runs it.
    """

    event: str
    written: str
    span: Span
    path: Path
    has_interpreter: bool


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
    top = file.document.tree.top
    entry = top.get("hooks") if isinstance(top, Mapping) else None
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


@memoised
def scripts(file: TemplateFile) -> tuple[HookScript, ...]:
    """The scripts of all hooks in the order of the text; none where the system reads no hooks."""
    root = file.dialect.references.session_folder
    if root is None:
        return ()
    found = (_script(file, one.event, hook, root) for one in matchers(file) for hook in one.hooks)
    return tuple(one for one in found if one is not None)


def script_at(file: TemplateFile, offset: int) -> HookScript | None:
    """The script that a hook names at `offset`, or None."""
    return next((one for one in scripts(file) if one.span.covers(offset)), None)


def _script(
    file: TemplateFile, event: str, hook: Mapping, root: re.Pattern[str]
) -> HookScript | None:
    entry, kind = hook.get("command"), hook.get("type")
    node, type_ = (one.node if one is not None else None for one in (entry, kind))
    is_command = isinstance(type_, Scalar) and type_.value == "command"
    if not is_command or not isinstance(node, Scalar) or _ALONE.search(node.value):
        return None
    found = _COMMAND.match(node.value)
    path = _path(file, found["script"], root) if found is not None else None
    if found is None or path is None:
        return None
    written = found["script"]
    at = file.document.text.find(written, node.span.start, node.span.end)
    span = Span(at, at + len(written)) if at >= 0 else node.span
    return HookScript(event, _shown(written), span, path, bool(found["runs"]))


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
