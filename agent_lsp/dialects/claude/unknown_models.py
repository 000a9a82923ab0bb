"""Finds models of other makers, and display names of models.

Invariant: an id that a provider or a gateway may have is not reported.
Facts: Claude Code 2.1.332, measured 2026-11-28. Anything but an alias is sent unchanged, with a
line `[claude-code:unrecognized_model]` on the error stream; `default` counts for `--model` alone.
An agent with a model that the provider does not have ends at its first request:
anthropics/claude-code 92715.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks import unknown_model as shared
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import known_models
from agent_lsp.dialects.claude import models
from agent_lsp.dialects.claude.names import UNKNOWN
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.snapshot import TemplateFile


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a model that Claude's API cannot have by this name."""
    found = tuple(shared.unknown_model(file))
    yield from found
    value = file.reading.effective.settings.get("model")
    if found or value is None or not value.text or not header.loads(file):
        return
    model = value.text
    if model in known_models(file.dialect, file.options):
        return
    alias = models.display_name(model)
    if alias is not None:
        thing = f"{code(model)} is neither an alias nor a model id"
    else:
        alias = models.other_maker(model)
        thing = f"{code(model)} is a model of another maker"
    effect = f"the runtime sends it unchanged, and unless a gateway has it, {UNKNOWN}"
    if alias is not None:
        message = f"{thing}: {effect}; did you mean {code(alias)}?"
        yield Finding(value.span, message, Severity.WARNING, meant=(alias,))


CHECKS: tuple[Check, ...] = (
    Check(("unknown-model",), unknown_model, changes=frozenset({Field.KEY, Field.EFFORT})),
)
