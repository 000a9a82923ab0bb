"""Finds the hooks in a header, and the scripts that they run.

Invariants: a hook is read and never run. Only the first program of a command is looked at, and only
at a path of the project or the home. `env`, `exec`, `nice` and `timeout` run the program that they
name, and end with its exit code. A command that handles the absence of a file, or changes the
folder, is left alone. The system says which variables are the folder of the session.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import Hooks
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.paths import led
from agent_lsp.workspace.snapshot import TemplateFile

_WORD = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'|&;<>()`])+"""
# Programs that run another one, with the options that are certain.
_PREFIX = rf"""(?:(?:\S*/)?(?:
      env(?:\s+-i|\s+\w+={_WORD})*
    | exec
    | nice(?:\s+-n\s*-?\d+|\s+--adjustment=-?\d+)?
    | timeout(?:\s+-[ks]\s*\w+|\s+-[pv]|\s+--[a-z-]+(?:=\w+)?)*\s+[\d.]+[smhd]?
    )\s+)*"""
# Variables that are set for the command, a prefix, an interpreter with options, and the script.
_COMMAND = regex(
    rf"""\s*(?:\w+={_WORD}\s+)*{_PREFIX}
    (?P<uv>(?:\S*/)?uv\s+run(?:\s+(?:-[qs]|--(?:frozen|locked|no-project|no-sync|quiet|script)))*\s+)?
    (?:(?:\S*/)?(?P<runs>(?:ba|z|da)?sh|python[\d.]*|node|bun|deno|ruby|perl)(?P<options>(?:\s+-\S+)*)\s+)?
    (?P<script>{_WORD})""",
    re.VERBOSE,
)
# What uv runs with Python; anything else is a program of the project's environment.
_OF_UV = (".py", ".pyw")
# An interpreter with an option that is followed by a program and not by a script.
_IS_PROGRAM = regex(
    r"sh\b.*\s-\w*c\w*(?:\s|$)|^python.*\s-\w*[cm]$"
    r"|^(?:node|bun|deno|ruby|perl)\b.*\s-(?:\w*[ep]|-(?:eval|print))$"
)
# An option whose value is the next word.
_TAKES_VALUE = regex(
    r"^(?:node|bun|ruby)\b.*\s(?:-[rCI]|--(?:require|import|(?:experimental-)?loader|env-file"
    r"|conditions|cwd|preload))$|^python.*\s-[WX]$|^perl\b.*\s-[IM]$|sh\b.*\s(?:-\w*o|--rcfile)$"
)
# What may follow a script whose exit code is that of the command: arguments, redirections, and what
# runs only after success.
_LAST = regex(
    r"""(?:\\\n|&&|\d*>&|&>|"[^"]*"|'[^']*'|[^\n;&|])*;?\s*""",
)
_ALONE = regex(r"\|\||\bcd\s|\[\s|\btest\s|\bif\s|<<")
_HOME = regex(r"(?:~|\$HOME\b|\$\{HOME\})(?=/)")
_PATH = regex(r"[\w@%+=:,./ -]+")
_PROJECT = "project"


@dataclass(frozen=True, slots=True)
class HookScript:
    """A script at `path` that a hook of an `event` runs, as `written` at `span` without its quotes.

    The `interpreter` is the program that runs it, as the command names it; "" if it names none.
    `decides` says whether the exit code of the script is that of the hook.
    """

    event: str
    written: str
    span: Span
    path: Path
    interpreter: str
    decides: bool


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
        for node in _mappings(event.node):
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
    hooks = file.dialect.references.hooks
    if hooks is None:
        return ()
    found = (
        _script(file, one.event, hook, key, hooks)
        for one in matchers(file)
        for hook in ((one.node,) if hooks.plain and one.node.get("hooks") is None else one.hooks)
        for key in hooks.commands
    )
    return tuple(one for one in found if one is not None)


def script_at(file: TemplateFile, offset: int) -> HookScript | None:
    """The script that a hook names at `offset`, or None."""
    return next((one for one in scripts(file) if one.span.covers(offset)), None)


def _script(
    file: TemplateFile, event: str, hook: Mapping, key: str, hooks: Hooks
) -> HookScript | None:
    node, type_ = _scalar(hook, key), _scalar(hook, "type")
    is_command = hooks.plain if type_ is None else type_.value == "command"
    if not is_command or node is None or _ALONE.search(node.value):
        return None
    found = _COMMAND.match(node.value)
    if found is None:
        return None
    runs = f"{found['runs']}{found['options'] or ''}"
    if _IS_PROGRAM.search(runs) or _TAKES_VALUE.search(runs):
        return None
    interpreter = found["runs"] or ("uv" if found["uv"] else "")
    if interpreter == "uv" and not _shown(found["script"]).endswith(_OF_UV):
        return None
    within = _scalar(hook, "cwd") if hooks.plain else None
    path = _path(file, found["script"], hooks.folder, within.value if within is not None else "")
    if path is None:
        return None
    written = found["script"]
    at = file.document.text.find(written, node.span.start, node.span.end)
    span = Span(at, at + len(written)) if at >= 0 else node.span
    waits = _scalar(hook, "async")
    decides = waits is None or waits.value.lower() != "true"
    decides = decides and _LAST.fullmatch(node.value, found.end()) is not None
    return HookScript(event, _shown(written), span, path, interpreter, decides)


def _scalar(hook: Mapping, key: str) -> Scalar | None:
    entry = hook.get(key)
    node = entry.node if entry is not None else None
    return node if isinstance(node, Scalar) else None


def _path(
    file: TemplateFile, written: str, variable: re.Pattern[str] | None, within: str
) -> Path | None:
    """The file that a word of a command means; None if it is no path, or of an unknown folder."""
    plain = _shown(written)
    root, home = variable.match(plain) if variable is not None else None, _HOME.match(plain)
    above: Path | None = file.root if file.scope.kind == _PROJECT else None
    if root is not None:
        plain = plain[root.end() + 1 :]
    elif home is not None:
        above, plain = file.workspace.host_paths.home, plain[home.end() + 1 :]
    elif plain.startswith("/") or "/" not in plain:
        return None
    elif within:
        is_below = not within.startswith(("/", "~")) and _PATH.fullmatch(within) is not None
        above = above / within if above is not None and is_below else None
    is_path = above is not None and _PATH.fullmatch(plain) is not None and plain[-1:] != "/"
    return led(above, plain) if is_path and above is not None else None


def _shown(written: str) -> str:
    """A word of a command without its quotes."""
    return written.replace('"', "").replace("'", "")
