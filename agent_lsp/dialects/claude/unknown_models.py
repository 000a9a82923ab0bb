"""Says which models are no model of Claude's, or names for people.

Invariant: of an id that a provider or a gateway may have nothing is said.
Facts: Claude Code 2.1.332, measured 2026-11-28. Whatever is no alias is sent as it is, with a line
`[claude-code:unrecognized_model]` on the error stream; `default` counts for `--model` alone. The
agent of a model that the provider has not ends at its first request: anthropics/claude-code 92715.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks import unknown_model as shared
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import known_models
from agent_lsp.dialects.claude import models
from agent_lsp.dialects.claude.names import UNKNOWN
from agent_lsp.model.check import Check, Finding
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
        thing = f"{code(model)} is no alias, and no id of a model"
    else:
        alias = models.other_maker(model)
        thing = f"{code(model)} is a model of another maker"
    effect = f"it is sent as it is, and unless a gateway has it, {UNKNOWN}"
    if alias is not None:
        message = f"{thing}: {effect}; did you mean {code(alias)}?"
        yield Finding(value.span, message, Severity.WARNING, meant=(alias,))


CHECKS: tuple[Check, ...] = (Check(("unknown-model",), unknown_model),)
