"""Reads a Markdown definition of an agent, as the current runtime does.

Facts: crates/config/src/agent_defs.rs of moltis-org/moltis at 6bd2d118, read 2026-11-27; verdicts
measured as in `tests/conformance`.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.decoders import rust, serde_yaml
from agent_lsp.dialects.moltis import keys
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.policy import IN_ENTRY, items
from agent_lsp.dialects.moltis.prompt import SUFFIX
from agent_lsp.model.discovery import ServerNames
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span

_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))
_COMMAS = "names with commas between them"


def _names(name: str, meaning: str, default: str, role: KeyRole | None = None) -> Key:
    """A key whose value is a text that lists names; a list of YAML is refused."""
    return Key(name, ValueKind.TEXT, f"{meaning}: {_COMMAS}", default, role=role, in_text=True)


KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of the preset that the file defines; the name of the file does not matter",
        "the runtime skips the file",
        role=KeyRole.AGENT,
        required_by="the runtime",
        example="scout",
    ),
    Key("display_name", ValueKind.TEXT, "what the sub-agent is called in its prompt", "its `name`"),
    _names("tools", "the only tools that it keeps", "every tool", KeyRole.ALLOW),
    _names("deny_tools", "tools that it does not have", "no tool is denied", KeyRole.DENY),
    keys.MODEL,
    Key("emoji", ValueKind.TEXT, "a symbol that the prompt shows after the name", "no sign"),
    keys.THEME,
    Key(
        "delegate_only",
        ValueKind.BOOL,
        "leaves the sub-agent nothing but the tools with which it delegates",
        "`false`",
        nullable=False,
    ),
    Key(
        "max_iterations",
        ValueKind.NUMBER,
        "the number of turns after which the agent stops",
        keys.ITERATIONS,
        record=keys.U64,
    ),
    Key(
        "timeout_secs",
        ValueKind.NUMBER,
        "how many seconds it may take",
        "no limit",
        record=keys.U64,
    ),
    Key(
        "reasoning_effort",
        ValueKind.TEXT,
        "how long the model reasons",
        "as the model is configured",
        role=KeyRole.EFFORT,
        choices=keys.EFFORTS,
    ),
    _names("mcp_allow_servers", "the only MCP servers", "every server", KeyRole.SERVER),
    _names(
        "mcp_deny_servers",
        "MCP servers that it does not have",
        "no server is denied",
        KeyRole.SERVER,
    ),
    Key(
        "sandbox_mode",
        ValueKind.TEXT,
        "which sessions run in a sandbox",
        "as the runtime is configured",
        role=KeyRole.SANDBOX,
        choices=keys.MODES,
    ),
    _names("skills_allow", "the only skills", "every skill", KeyRole.SKILL),
    _names("skills_deny", "skills that it does not have", "no skill is denied", KeyRole.SKILL),
)

UNOPENED = "agent definition must start with '---' frontmatter delimiter"
UNCLOSED = "missing closing '---' frontmatter delimiter"
UNNAMED = "agent definition missing required 'name' field"
BOTH = "mcp_allow_servers and mcp_deny_servers are mutually exclusive"
_LISTS = frozenset(key.name for key in KEYS if key.in_text)
# The same values by the names that a preset in `moltis.toml` has for them.
AS_PRESET = {
    "display_name": "identity.name",
    "emoji": "identity.emoji",
    "theme": "identity.theme",
    "tools": "tools.allow",
    "deny_tools": "tools.deny",
    "mcp_allow_servers": "mcp.allow_servers",
    "mcp_deny_servers": "mcp.deny_servers",
    "sandbox_mode": "sandbox.mode",
    "skills_allow": "skills.allow",
    "skills_deny": "skills.deny",
}


def split(text: str, bom: bool) -> Frontmatter:
    """Splits `text` at `---` in front, after white space, and at the next line that begins so.

    What follows the dashes of the closing line belongs to the body; a byte-order mark is no white
    space, and hides the header.
    """
    marked = bom or text.startswith("\ufeff")
    start = len(text) - len(rust.trim(text.removeprefix("\ufeff") + "x")) + 1
    start = max(start, int(text.startswith("\ufeff")))
    if not text.startswith("---", start):
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    inner = start + 3
    opening = Span(start, inner)
    close = text.find("\n---", inner)
    if close < 0:
        return Frontmatter(
            FenceKind.UNCLOSED, opening, Span(inner, len(text)), None, Span(len(text), len(text))
        )
    fence = FenceKind.HIDDEN if marked else FenceKind.CLOSED
    return Frontmatter(
        fence, opening, Span(inner, close), Span(close + 1, close + 4), Span(close + 4, len(text))
    )


def name_of(file_name: str) -> str | None:
    """The stem of a Markdown file; the agent in it goes by the name in its header."""
    stem, dot, extension = file_name.rpartition(".")
    return stem if dot and stem and extension == "md" else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header; of a file without one, which the runtime skips, its stem."""
    value = decode(document).values.get("name")
    return (DefinedName(path.stem) if value is None else DefinedName(value.text, value.span),)


def in_its_words(text: str) -> str:
    """A sentence about keys of a preset with those of a definition in their place."""
    for own, name in AS_PRESET.items():
        text = text.replace(f"`{name}`", f"`{own}`")
    return text


def read(document: Document, _name: str = "") -> Reading:
    """The runtime's reading of a file, with the keys of its header."""
    decoded = decode(document)
    written = Template(_listed(decoded.values, document.text), (), (_prompt(document),))
    # The runtime stops at the first; what comes later is wrong all the same.
    errors = tuple(_unseen(document)) or (
        *decoded.errors,
        *_checks(decoded.values, decoded.errors, document),
    )
    return Reading(written, _NOTHING if errors else written, errors, Generation.TODAY.name)


def as_preset(reading: Reading) -> Reading:
    """The same under the keys that a preset in `moltis.toml` has."""
    written = _as_preset(reading.declared)
    return replace(reading, declared=written, effective=_NOTHING if reading.errors else written)


def decode(document: Document) -> serde_yaml.Decoded:
    """The header's keys under their own names."""
    header = document.frontmatter.inner
    return serde_yaml.decode(
        document.tree, KEYS, "AgentFrontmatter", header.of(document.text), header.start
    )


def _unseen(document: Document) -> Iterator[LoadError]:
    if document.frontmatter.fence is FenceKind.UNCLOSED:
        yield LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, UNCLOSED)
    elif document.frontmatter.fence is not FenceKind.CLOSED:
        yield LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, UNOPENED)


def _checks(
    values: dict[str, Value], found: tuple[LoadError, ...], document: Document
) -> Iterator[LoadError]:
    """The runtime's checks of valid values, in its order; `found` are the errors before them."""
    top = resolve(document.tree.root)
    if "name" not in values and not any(error.key == "name" for error in found):
        span = top.span if isinstance(top, Mapping) else document.frontmatter.open
        yield LoadError(LoadErrorKind.MISSING, span, UNNAMED, "name")
    effort, mode = values.get("reasoning_effort"), values.get("sandbox_mode")
    if effort is not None and effort.text not in [choice.name for choice in keys.EFFORTS]:
        message = f"unknown reasoning effort: {effort.text}"
        yield LoadError(
            LoadErrorKind.CHOICE, effort.span, message, "reasoning_effort", got=effort.text
        )
    allow, deny = values.get("mcp_allow_servers"), values.get("mcp_deny_servers")
    if allow is not None and deny is not None:
        yield LoadError(LoadErrorKind.FORBIDDEN, deny.key or deny.span, BOTH, "mcp_deny_servers")
    if mode is not None and mode.text not in [choice.name for choice in keys.MODES]:
        message = f"unknown sandbox mode: {mode.text}"
        yield LoadError(LoadErrorKind.CHOICE, mode.span, message, "sandbox_mode", got=mode.text)


def _listed(values: dict[str, Value], text: str) -> dict[str, Value]:
    """The values with those texts as lists that list names."""
    return {
        name: replace(value, value=tuple(_items(value, text))) if name in _LISTS else value
        for name, value in values.items()
    }


def _items(value: Value, text: str) -> Iterator[Value]:
    """The names in a text, each where it stands, or where all of them do if that cannot be told."""
    at = value.span.start
    for item in value.text.split(","):
        name = rust.trim(item)
        if not name:
            continue
        found = text.find(name, at, value.span.end)
        span = value.span if found < 0 else Span(found, found + len(name))
        at = at if found < 0 else span.end
        yield Value(name, span)


def _as_preset(template: Template) -> Template:
    values, block = template.settings, template.default
    # A blank list sets nothing.
    found = {
        AS_PRESET.get(name, name): value
        for name, value in values.items()
        if name != "name" and (name not in _LISTS or value.items)
    }
    named = values.get("display_name") or values.get("name")
    if named is not None:
        found["identity.name"] = named
    if block.text:
        found[SUFFIX] = Value(block.text, block.span)
    return Template(found, (), (block,))


def _prompt(document: Document) -> Block:
    body = document.frontmatter.body
    text = body.of(document.text)
    start = body.start + len(text) - len(rust.trim(text + "x")) + 1
    prompt = rust.trim(text)
    return Block(None, prompt, Span(start, start + len(prompt)))


def _servers(document: Document) -> tuple[Value, ...]:
    """The MCP servers in the lists of a definition."""
    settings = read(document).declared.settings if "_servers" in document.text else {}
    return (*items(settings, "mcp_allow_servers"), *items(settings, "mcp_deny_servers"))


SERVERS = ServerNames(in_entry=IN_ENTRY, listed=_servers)
