"""Reads a file of Claude Code as VS Code does, and says what of it is lost in both programs.

Invariants: such a file is written for Claude Code, so that a finding about VS Code or Copilot CLI
is information, unless the setting `for` names the program.
Facts: VS Code 1.139.1, target `claude`, run 2026-11-28. It maps the tools in the table and drops
every other entry, its own names among them; `disallowedTools`, `permissionMode`, `skills`,
`mcpServers` and `memory` do nothing. Copilot CLI 1.0.102, run 2026-11-29, reads the file as any
other one: `disallowedTools` and `permissionMode` do nothing, and an entry with parentheses or of
the form `mcp__server__tool` gives nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import policy, reading, values
from agent_lsp.dialects.copilot.facts import ALLOW, CLI
from agent_lsp.model.check import Basis, Check, Finding
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import Reading, Template, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Scalar
from agent_lsp.workspace.programs import is_named
from agent_lsp.workspace.snapshot import TemplateFile

TOOLS: dict[str, tuple[str, ...]] = {
    "Bash": ("execute",),
    "Edit": ("edit/editNotebook", "edit/editFiles"),
    "Glob": ("search/fileSearch",),
    "Grep": ("search/textSearch",),
    "Read": ("read/readFile", "read/getNotebookSummary"),
    "Write": ("edit/createDirectory", "edit/createFile", "edit/createJupyterNotebook"),
    "WebFetch": ("web",),
    "WebSearch": ("web",),
    "Task": ("agent",),
    "NotebookEdit": ("edit/editNotebook",),
    "AskUserQuestion": ("vscode/askQuestions",),
    # These are known, and give nothing.
    "Skill": (),
    "LSP": (),
    "MCPSearch": (),
}
# Every other model is that of the session.
_MODEL, _MODELS = (
    "model",
    {
        "sonnet": "Claude Sonnet 4.5 (copilot)",
        "opus": "Claude Opus 4.6 (copilot)",
        "haiku": "Claude Haiku 4.5 (copilot)",
    },
)
_DENY = "disallowedTools"


def read(document: Document, name: str) -> Reading:
    """What VS Code has of a file of Claude Code."""
    found = reading.read(document, name)
    held = _mapped(found.effective, reading.settings(document))
    if found.declared == found.effective:
        return replace(found, declared=held, effective=held)
    return replace(found, declared=_mapped(found.declared, reading.meant(document)), effective=held)


def _mapped(template: Template, written: dict[str, Value]) -> Template:
    """`template` with the model and the tools of VS Code for those that are `written`."""
    model = written.get(_MODEL)
    if model is not None and _MODEL in template.settings:
        settings = {key: one for key, one in template.settings.items() if key != _MODEL}
        name = _MODELS.get(model.text) if isinstance(model.value, str) else None
        if name is not None:
            settings[_MODEL] = replace(model, value=name, written=model.text)
        template = replace(template, settings=settings)
    tools = written.get(ALLOW)
    if tools is None or ALLOW not in template.settings:
        return template
    given = (
        replace(item, value=tool, written=item.text)
        for item in tools.items
        for tool in TOOLS.get(item.text, ())
    )
    return replace(
        template, settings={**template.settings, ALLOW: replace(tools, value=tuple(given))}
    )


def dropped(document: Document, scope: Scope) -> Iterator[Value]:
    """The entries of `tools` that give nothing in VS Code, of a file for Claude Code."""
    written = reading.settings(document).get(ALLOW) if scope.is_borrowed else None
    yield from (one for one in (written.items if written else ()) if not TOOLS.get(one.text))


def no_effect_of_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on the entries of `tools` that VS Code drops."""
    if not header.parses(file):
        return
    written = values.settings(reading.header(file.document).entries).get(ALLOW)
    if written is None or written.key is None:
        return
    none_left = bool(written.items) and not any(TOOLS.get(one.text) for one in written.items)
    # What gives nothing is told where nothing else is left.
    dropped = dict.fromkeys(one.text for one in written.items if one.text not in TOOLS or none_left)
    if dropped:
        why = "only whole tools of Claude Code work, and none of a server"
        yield Finding(written.key, f"{_nothing(dropped, none_left=none_left)}: {why}")


def no_effect_of_tools_in_cli(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on the entries of `tools` that only Claude Code understands."""
    written = file.reading.effective.settings.get(ALLOW) if header.loads(file) else None
    if written is None or written.key is None:
        return
    lost = [one.text for one in written.items if not policy.known_to_cli(one.text)]
    none_left = len(lost) == len(written.items)
    # A tool that only Claude Code has is missed by nobody.
    dropped = dict.fromkeys(one for one in lost if "(" in one or one.startswith(_MCP) or none_left)
    if dropped:
        why = "only whole tools work, and those of a server as `server/tool`"
        yield Finding(written.key, f"{_nothing(dropped, none_left=none_left)}: {why}")


_MCP = "mcp__"


def _nothing(dropped: Iterable[str], *, none_left: bool) -> str:
    """Says which entries of `tools` give nothing."""
    names = [code(name) for name in dropped]
    said = listed(tuple(dropped), "and") if len(names) <= _MOST_NAMED else f"{len(names)} entries"
    verb = "allows" if len(names) == 1 else "allow"
    more = ", so the agent has no tools" if none_left else ""
    return f"{said} of {code(ALLOW)} {verb} nothing{more}"


# So many entries are named; of more there is a number.
_MOST_NAMED = 4


def no_effect_of_mode(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on the mode that lets an agent plan only; no program knows the mode."""
    entry = _entry(file, _MODE)
    node = entry.node if entry is not None else None
    if entry is not None and isinstance(node, Scalar) and node.value == _PLAN:
        thing = f"{code(f'{_MODE}: {_PLAN}')} has no effect"
        yield Finding(entry.key.span, f"{thing}: the agent may change files; list its tools")


_MODE, _PLAN = "permissionMode", "plan"


def no_effect_of_denial(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on denied tools, which an agent has all the same."""
    entry = _entry(file, _DENY)
    if entry is not None:
        what = "those of `tools`" if ALLOW in file.reading.effective.settings else "every tool"
        thing = f"{code(_DENY)} has no effect: the agent has {what}"
        yield Finding(entry.key.span, f"{thing}; list what it may use in {code(ALLOW)}")


def _entry(file: TemplateFile, key: str) -> Entry | None:
    """The entry of `key` in what the program reads of the header."""
    if file.program != CLI:
        return reading.entry(file.document, key) if header.parses(file) else None
    top = header.root(file) if header.loads(file) else None
    return top.get(key) if top is not None else None


_OF_BOTH = (
    Check(("no-effect",), no_effect_of_mode, changes=frozenset()),
    Check(("no-effect",), no_effect_of_denial, changes=frozenset(), basis=Basis.ABSENCE),
)
CHECKS: tuple[Check, ...] = (
    Check(("no-effect",), no_effect_of_tools, changes=frozenset(), basis=Basis.ABSENCE),
    *_OF_BOTH,
)
CHECKS_OF_CLI: tuple[Check, ...] = (
    Check(("no-effect",), no_effect_of_tools_in_cli, changes=frozenset(), basis=Basis.ABSENCE),
    *_OF_BOTH,
)

_Run = Callable[[TemplateFile], Iterator[Finding]]


def of_own(every: Iterable[Check]) -> tuple[Check, ...]:
    """Checks that say nothing of a file that is written for Claude Code."""
    return tuple(replace(check, run=_of_own(check.run)) for check in every)


def _of_own(run: _Run) -> _Run:
    @wraps(run)
    def own(file: TemplateFile) -> Iterator[Finding]:
        return iter(()) if file.scope.is_borrowed else run(file)

    return own


def of_borrowed(every: Iterable[Check]) -> tuple[Check, ...]:
    """Checks of what a program refuses or loses of a file that is written for Claude Code."""
    some = (check for check in every if not _LOSSES.isdisjoint(check.codes))
    return tuple(replace(check, run=_of_borrowed(check.run)) for check in some)


_LOSSES = frozenset(
    {
        *("header-invalid", "unquoted-text", "duplicate-key", "wrong-type", "missing-key"),
        "no-effect",
    }
)


def _of_borrowed(run: _Run) -> _Run:
    @wraps(run)
    def lowered(file: TemplateFile) -> Iterator[Finding]:
        if not file.scope.is_borrowed:
            return
        counts = is_named(file.dialect.system, file.options)
        for one in run(file):
            yield one if counts else replace(one, severity=Severity.INFORMATION)

    return lowered
