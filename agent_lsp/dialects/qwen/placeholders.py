"""Finds the placeholders of a prompt for which the runtime has no value.

Facts: Qwen Code 0.24.4, `templateString`, read and measured 2026-11-28: `${name}` is replaced
everywhere in a prompt, also in blocks of code, and one unknown name fails each call of the agent;
what is no letter, digit or `_` in the braces makes no placeholder.
"""

import re
from collections.abc import Iterator

from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span

TASK, HOOKS = "task_prompt", "hook_context"
FAILED = "Subagent execution failed."
PATTERN = re.compile(r"\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}")


def unset(prompt: str) -> tuple[str, ...]:
    """The names without a value, each once."""
    if "${" not in prompt:
        return ()
    names = (found["name"] for found in PATTERN.finditer(prompt))
    return tuple(dict.fromkeys(name for name in names if name not in (TASK, HOOKS)))


def failures(document: Document) -> Iterator[LoadError]:
    """Yields a possible error at the first place of each name; `got` is the name."""
    body, text = document.frontmatter.body, document.text
    for name in unset(body.of(text)):
        first = next(spans(document, name))
        message = f"each call fails with `{FAILED}`"
        yield LoadError(LoadErrorKind.CONTENT, first, message, got=name)


def spans(document: Document, name: str) -> Iterator[Span]:
    """The places of a placeholder in the prompt."""
    body = document.frontmatter.body
    for found in PATTERN.finditer(document.text, body.start, body.end):
        if found["name"] == name:
            yield Span(*found.span())
