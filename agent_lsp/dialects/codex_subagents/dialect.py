"""Sub-agents of a Codex fork: `.codex/agents/<name>.md` (dialect `codex-subagents`).

Which tool has which ability is our judgement from the meanings in `facts`, which have their source
there.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS, header
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust, serde_yaml
from agent_lsp.dialects.codex_subagents import SYSTEM, facts, runtime
from agent_lsp.dialects.codex_subagents.facts import KEYS, SHELL_FAMILY
from agent_lsp.dialects.codex_subagents.runtime import list_agents, spawn
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.conversion import Ability, Conversion, effect
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    References,
    Schema,
    Tools,
)
from agent_lsp.model.schema import Consequence, IfWrong, KeyRole, RefusedFile, Severity
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def split(text: str, bom: bool) -> Frontmatter:
    """Splits `text` at the first line that is not blank and a later one, if they are `---`.

    The runtime trims the whole text before it looks for the header; a byte-order mark stays.
    """
    marked = text.startswith("\ufeff")
    lead = len(text) - len(rust.trim(text[marked:] + "x")) + 1
    first = text.rfind("\n", 0, lead) + 1
    return frontmatter.split(
        text, lambda line: rust.trim(line) == "---", bom=bom or marked, first_line=first
    )


def name_of(file_name: str) -> str | None:
    """The stem as it is; only `md`, in lower case, is an extension."""
    stem, dot, extension = file_name.rpartition(".")
    return stem if dot and stem and extension == "md" else None


def read(document: Document, name: str) -> Reading:
    """The declared and the effective values: all of them, or none."""
    header = document.frontmatter.inner
    decoded = serde_yaml.decode(
        document.tree, KEYS, "FrontMatter", header.of(document.text), header.start
    )
    written = Template(decoded.values, (), (_prompt(document),))
    prefix = f"Failed to parse YAML frontmatter for agent '{name}': "
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return Reading(written, _NOTHING, (_unseen(document, name),))
    # The runtime stops at the first; what comes later is wrong all the same.
    errors = (
        *(replace(error, message=prefix + error.message) for error in decoded.errors),
        *_checks(written, document, name),
    )
    return Reading(written, _NOTHING, errors) if errors else Reading(written, written)


def _prompt(document: Document) -> Block:
    """The text below the header, trimmed, with LF for each CRLF."""
    body = document.frontmatter.body
    text = body.of(document.text)
    trimmed = rust.trim(text)
    start = body.start + (text.index(trimmed) if trimmed else 0)
    return Block(None, trimmed.replace("\r\n", "\n"), Span(start, start + len(trimmed)))


def _unseen(document: Document, name: str) -> LoadError:
    if document.frontmatter.fence is FenceKind.UNCLOSED:
        message = f"Agent '{name}' missing frontmatter closing '---'"
    else:
        message = f"Agent '{name}' missing YAML frontmatter (must start with '---')"
    return LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, message)


def _checks(declared: Template, document: Document, name: str) -> Iterator[LoadError]:
    """The runtime's checks of valid values, in its order."""
    description, tools = declared.settings.get("description"), declared.settings.get("tools")
    if description is not None and not rust.trim(description.text):
        message = f"Agent '{name}' must have a non-empty description"
        yield LoadError(LoadErrorKind.BLANK, description.span, message, "description")
    if not declared.default.text:
        place = document.frontmatter.close or document.frontmatter.open
        message = f"Agent '{name}' must have a non-empty body (system prompt)"
        yield LoadError(LoadErrorKind.NO_PROMPT, place, message)
    for at, tool in enumerate(_items(tools)):
        if not rust.trim(tool.text):
            message = f"Agent '{name}' has empty tool name in allowlist"
            yield LoadError(LoadErrorKind.BLANK_ITEM, tool.span, message, f"tools[{at}]")


def _items(value: Value | None) -> tuple[Value, ...]:
    return value.items if value is not None else ()


def name_mismatch(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a name that is not the file's."""
    key = file.dialect.schema.by_role.get(KeyRole.AGENT)
    value = file.reading.declared.settings.get(key.name) if key else None
    if key is None or value is None or not header.parses(file) or value.text == file.name:
        return
    thing = (
        f"{code(key.name)} is {code(value.text)}" if value.text else f"{code(key.name)} is empty"
    )
    after = f"the agent is called {code(file.name or '')}, after its file"
    yield Finding(value.span, f"{thing}, and the runtime ignores it: {after}")


def blank_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.BLANK_ITEM):
        key = error.key.partition("[")[0]
        yield Finding(error.span, refused(file, f"an entry of {code(key)} is blank", "remove it"))


CHECKS: tuple[Check, ...] = (
    Check(("name-mismatch",), name_mismatch, changes=frozenset({Field.NAME})),
    Check(("blank-tool",), blank_tool, changes=frozenset({Field.LOADS, Field.TOOLS})),
)


_OF_SERVER = regex(r"([A-Za-z0-9_-]+?)__(.+)")

_TOOLS = {
    # One of them in a list stands for all.
    **dict.fromkeys(sorted(SHELL_FAMILY), effect(Ability.RUN)),
    # A patch can delete a file; who may write any file can already destroy what is in it.
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "update_plan": effect(Ability.PLAN),
    "view_image": effect(Ability.IMAGE),
    "web_search": effect(Ability.SEARCH_WEB),
}


def _server(entry: str) -> tuple[str, str] | None:
    found = _OF_SERVER.fullmatch(entry)
    return (found[1], found[2]) if found else None


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    """The name of one tool; the list has no patterns."""
    return None if "*" in (server, tool) else f"{server}__{tool}"


CONVERSION = Conversion(
    _TOOLS,
    # Any name of a file would do; a call has to write it.
    regex(r"[A-Za-z0-9_][\w-]*"),
    _server,
    _entry,
    around="in the other system the prompt becomes a user message, and the session keeps its "
    "system prompt",
)


DIALECT = Dialect(
    system=SYSTEM,
    source=facts.SOURCE,
    format=FileFormat(
        consequence=Consequence(
            header_refused="the runtime skips the file",
            header_absent="the runtime skips the file",
            file=RefusedFile.SKIPPED,
        ),
        split=split,
        read=read,
    ),
    names=Names(
        name_of=name_of,
    ),
    schema=Schema(
        keys=facts.KEYS,
        if_wrong=IfWrong.LOST,
        ignored=facts.IGNORED,
    ),
    tools=Tools(
        listed=facts.TOOLS,
        globs=(),
        matches=runtime.matches,
        is_pattern=runtime.is_pattern,
        cannot_tell=runtime.cannot_tell,
        toolset=runtime.toolset,
        mcp_prefix=runtime.prefix,
        servers=runtime.SERVERS,
        withheld=facts.WITHHELD,
    ),
    models=Models(
        listed=(),
    ),
    calls=Calls(
        list_call="subagent_list",
        list_parameters=facts.LIST_PARAMETERS,
        spawn_call="subagent_run",
        spawn_parameters=facts.SPAWN_PARAMETERS,
        list_agents=list_agents,
        spawn=spawn,
        describe_call="subagent_describe",
        prompts=frozenset({"body"}),
    ),
    references=References(
        reach=facts.REACH,
    ),
    findings=Findings(
        severities={
            "file-name": Severity.ERROR,
            "unreadable": Severity.ERROR,
            "other-system": Severity.INFORMATION,
            "header-missing": Severity.ERROR,
            "header-unclosed": Severity.ERROR,
            "header-cut-short": Severity.ERROR,
            "header-bom": Severity.ERROR,
            "header-invalid": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "duplicate-key": Severity.ERROR,
            "missing-key": Severity.ERROR,
            "missing-description": Severity.ERROR,
            "missing-default-prompt": Severity.ERROR,
            "blank-tool": Severity.ERROR,
            "name-mismatch": Severity.WARNING,
            "unknown-key": Severity.WARNING,
            "swallowed-key": Severity.WARNING,
            "lost-text": Severity.WARNING,
            "unknown-tool": Severity.WARNING,
            "unknown-server": Severity.INFORMATION,
            "futile-delegation": Severity.WARNING,
            "missing-file": Severity.INFORMATION,
            "unknown-agent": Severity.INFORMATION,
            "unavailable-tool": Severity.WARNING,
            "redundant-entry": Severity.HINT,
            "no-tools": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
        checks=(*OF_FILES, *OF_HEADERS, *CHECKS),
        notes=facts.NOTES,
    ),
    conversion=CONVERSION,
)
