"""Reads one file as the loader does: header, checks of the values, prompt.

Facts: `parse_agent_markdown` in codex-rs/core/src/agents.rs at 67ee14f48, read 2026-11-27.
"""

from collections.abc import Iterator
from dataclasses import replace

from agent_lsp.decoders import rust, serde_yaml
from agent_lsp.dialects.codex_subagents.facts import KEYS
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.text import Span

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
