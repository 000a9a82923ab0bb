"""What an agent file says that loads and does nothing.

Facts: code.claude.com/docs/sub-agents and plugins-reference as of 2026-08-22, read 2026-11-27.
"""

from collections.abc import Iterator

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.claude.facts import NOT_IN_PLUGINS
from agent_lsp.dialects.template import NoEffect
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve


def no_effect(document: Document, scope: Scope) -> Iterator[NoEffect]:
    """The keys that the runtime ignores in an agent of a plugin."""
    top = resolve(document.tree.root)
    if not scope.prefix or not isinstance(top, Mapping):
        return
    for entry in top.entries:
        if entry.name in NOT_IN_PLUGINS:
            reason = f"the runtime ignores `{entry.name}` in an agent of a plugin"
            yield NoEffect(entry.key.span, reason)
