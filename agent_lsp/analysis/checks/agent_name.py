"""The header gives the agent no name that it can have."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, known_keys
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile

_LOST = "the runtime takes the file for documentation, and it defines no agent"
_NONE = Severity.INFORMATION


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on an agent without a name, or with one that the runtime refuses."""
    key, top = file.dialect.key_with_role(KeyRole.AGENT), header.root(file)
    if file.dialect.names_in is None or key is None or file.name is not None or top is None:
        return
    if file.misplaced is not None or file.source.problem is not None or header.hides_name(file):
        return
    value = file.reading.declared.settings.get(key.name)
    if value is not None and value.text:
        loss = file.dialect.consequence.header_refused
        yield Finding(value.span, f"{code(value.text)} is no name for an agent: {loss}")
        return
    entry, slip = (
        top.get(key.name),
        known_keys.misspelt(file, header.Level(top, file.dialect.keys), key.name),
    )
    node = resolve(entry.value) if entry is not None else None
    if isinstance(node, Mapping | Sequence):
        got = "a mapping" if isinstance(node, Mapping) else "a list"
        lost = _LOST.replace("takes", "may take", 1)
        message = f"{code(key.name)} must be text, not {got}: {lost}"
        yield Finding(node.span, message, Severity.WARNING)
    elif entry is not None:
        yield Finding(entry.key.span, f"{code(key.name)} has no value: {_LOST}", _NONE)
    elif slip is not None:
        thing = f"no {code(key.name)}, but {code(slip.name or '')} in the header"
        message = f"{thing}: {_LOST}; did you mean {code(key.name)}?"
        yield Finding(slip.key.span, message, Severity.WARNING, meant=(key.name,))
    else:
        yield Finding(header.opening(file), f"no {code(key.name)} in the header: {_LOST}", _NONE)


RULE = Rule("agent-name", check)
