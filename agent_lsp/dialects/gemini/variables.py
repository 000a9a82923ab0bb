"""The variables in a prompt: what the runtime puts in their place, and which end every call.

Facts: Gemini CLI 0.61.0, measured 2026-11-28: `${word}` is a variable wherever it stands, also in
code and behind a backslash; `${a.b}`, `${A:-x}`, `$X` and `{{x}}` are text. What is put in is not
looked at again. A variable that the runtime does not know makes each call of the agent fail.
"""

import re
from collections.abc import Iterator, Mapping

from agent_lsp.dialects.gemini.facts import INPUTS
from agent_lsp.model.runtime import Scope
from agent_lsp.text import Span

# The runtime replaces these when it loads an extension.
_OF_EXTENSIONS = ("extensionPath", "workspacePath")
_VARIABLE = re.compile(r"\$\{(\w+)\}", re.ASCII)


def variables(prompt: str) -> Iterator[tuple[str, Span]]:
    """The names of the variables in `prompt`, each with the span of all that is replaced."""
    for found in _VARIABLE.finditer(prompt):
        yield found[1], Span(*found.span())


def unknown(prompt: str, scope: Scope | None = None) -> Iterator[tuple[str, Span]]:
    """The variables that the runtime does not know, in the order of the text."""
    is_extension = scope is not None and scope.label == "extension"
    known = (*INPUTS, *_OF_EXTENSIONS) if is_extension else INPUTS
    yield from ((name, span) for name, span in variables(prompt) if name not in known)


def missing(prompt: str, scope: Scope | None = None) -> str | None:
    """What the runtime says of the unknown variables at each call, or None if there are none."""
    names = tuple(dict.fromkeys(name for name, _ in unknown(prompt, scope)))
    if not names:
        return None
    lacks = f"Missing required input parameters: {', '.join(names)}"
    return f"Template validation failed: {lacks}. Available inputs: {', '.join(INPUTS)}"


def substituted(prompt: str, values: Mapping[str, str]) -> str:
    """`prompt` with the variables that have a value replaced by it."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), prompt)
