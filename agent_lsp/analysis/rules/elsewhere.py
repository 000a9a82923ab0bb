"""A tool policy under the key of another kind of file of the same system, beside the right key.

Invariants: one without the right key beside it is a key of another name, and none of our business
here; it is a warning only where an agent keeps a tool that its author takes away.
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import instead, policy
from agent_lsp.analysis.rules.header import Level
from agent_lsp.analysis.rules.model import Finding, Related, Tag
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.dialects.vocabulary import KeyRole, Severity
from agent_lsp.syntax.nodes import Entry, Scalar, Sequence, resolve
from agent_lsp.workspace.index import TemplateFile


def beside(file: TemplateFile, level: Level, entry: Entry) -> Finding | None:
    """The finding on a key that has no effect, where the one that has is there, too."""
    name = file.dialect.elsewhere.get(entry.name or "") if level.within is None else None
    right = level.mapping.get(name) if name is not None else None
    key = file.dialect.key(name or "")
    if right is None or key is None or key.role not in policy.LISTS:
        return None
    thing = f"the runtime ignores {code(entry.name or '')} here"
    related = (Related(file.path, right.key.span, "this one counts"),)
    own = {item.text for item in policy.entries(file, key.role)}
    told = dict.fromkeys(_tools(entry))
    more = [tool for tool in told if tool not in own]
    if key.role is KeyRole.DENY:
        kept = {verdict.tool for verdict in file.dialect.toolset(file.reading, tuple(more), 1).kept}
        more = [tool for tool in more if tool in kept]
        if more:
            lost = f"so it does not take {listed(more, 'and')} away"
            message = f"{thing}, {lost}: {code(key.name)} is what counts"
            # What was meant is named, since the key is not to go away with its tools.
            return Finding(entry.key.span, message, related=related, meant=(key.name,))
    message = f"{thing}: {code(key.name)} is what counts"
    is_same = bool(told) and own == set(told)
    severity = Severity.HINT if is_same else Severity.INFORMATION
    tags = (Tag.UNNECESSARY,) if is_same else ()
    return Finding(entry.key.span, message, severity, tags, related)


def _tools(entry: Entry) -> Iterator[str]:
    """The names of tools in a list, or in a text that is one, without what limits their use."""
    value = resolve(entry.value)
    for node in value.items if isinstance(value, Sequence) else (value,):
        item = resolve(node)
        if isinstance(item, Scalar):
            yield from instead.names(item.value)
