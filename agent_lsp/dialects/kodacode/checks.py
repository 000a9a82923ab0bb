"""The checks of `kodacode` alone: keys that may not be there, and who can come to an agent."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.delegation import without_tool
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.tool_policy import suggestion
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.availability import Delegation
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.runtime import Catalog
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import LoadErrorKind, Reading
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of


def forbidden_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each key for which alone the runtime refuses the file."""
    for error in header.errors(file, LoadErrorKind.FORBIDDEN):
        thing = f"{code(error.key)} is not supported"
        yield Finding(error.span, refused(file, thing, "remove it"))


def out_of_reach(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the last key that has to do with it, if no way leads to the agent."""
    if file.dialect.references.availability is None or not header.parses(file):
        return
    written = header.held(file)
    ways = file.dialect.references.availability(Reading(written, written), file.scope)
    names = {key.name for key in file.dialect.schema.keys if key.role is KeyRole.AVAILABILITY}
    spans = (value.key for name, value in written.settings.items() if name in names and value.key)
    span = max(spans, default=None)
    if (
        span is None
        or any(error.key in names for error in file.reading.errors)
        or any(way.is_open for way in ways)
    ):
        return
    said = " nor ".join(f"{way.word} ({way.reason})" for way in ways)
    yield Finding(span, f"the agent is neither {said}")


def futile_delegation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each name that cannot be delegated to, or on the first if none can."""
    how = file.dialect.references.delegation
    if how is None or not header.is_seen(file) or header.is_broken(file) or file.scope.builtin:
        return
    block = file.document.frontmatter.body
    spans = [span.shift(block.start) for span in how.mentions(block.of(file.document.text))]
    if not spans:
        return
    written = header.held(file)
    has = file.dialect.tools.toolset(Reading(written, written), (how.tool,), 1).verdicts[0]
    if not has.kept and _is_misspelt(file, how.tool):
        return
    if not has.kept:
        yield without_tool(file, spans[0], spans[0].of(file.document.text), has)
        return
    found = catalog_of(file)
    for span in spans:
        yield from _futile(file, how, found, span)


def _is_misspelt(file: TemplateFile, tool: str) -> bool:
    """Whether the agent was meant to have `tool`: that is a finding of its own."""
    slips = (suggestion(file, entry) for entry in tool_policy.policy(file).entries[KeyRole.ALLOW])
    return any(tool in found.meant for found in slips if found is not None)


def _futile(file: TemplateFile, how: Delegation, catalog: Catalog, span: Span) -> Iterator[Finding]:
    name = span.of(file.document.text)
    winner = catalog.winner(name)
    if winner is None:
        near = nearest(name, catalog.names)
        hint = f"; did you mean {code(near)}?" if near else ""
        message = f"there is no agent {code(name)}: the runtime refuses the call{hint}"
        yield Finding(span, message, meant=(near,) if near else ())
        return
    reading = catalog.read(winner)
    # Of a file that is refused or not looked into there is more to say than this.
    reason = None if reading.errors or winner.unread or winner.locked else how.refused(reading)
    if reason is not None:
        message = f"the runtime refuses to delegate to {code(name)}: {reason}"
        related = () if winner.scope.builtin else (Related(winner.path, Span(0, 0), "this one"),)
        yield Finding(span, message, related=related)


def unset_allow_list(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an allow list that is there and not set."""
    key, top = file.dialect.schema.by_role.get(KeyRole.ALLOW), header.root(file)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.parses(file) or header.is_refused(file, entry):
        return
    if isinstance(resolve(entry.value), Scalar) and key.name not in header.held(file).settings:
        gets = "the agent gets every tool"
        if tool_policy.policy(file).entries[KeyRole.DENY]:
            gets += " that is not denied"
        thing = f"{code(key.name)} has no value, so it is not set"
        yield Finding(entry.key.span, f"{thing}: {gets}; write `[]` for none")


CHECKS: tuple[Check, ...] = (
    Check(("forbidden-key",), forbidden_key, changes=frozenset({Field.LOADS, Field.KEY})),
    Check(("out-of-reach",), out_of_reach, changes=frozenset({Field.KEY}), basis=Basis.FILE),
    Check(
        ("futile-delegation",),
        futile_delegation,
        changes=frozenset({Field.PROMPT, Field.KEY}),
        basis=Basis.ABSENCE,
    ),
    Check(
        ("unset-allow-list",),
        unset_allow_list,
        changes=frozenset({Field.TOOLS, Field.KEY}),
        basis=Basis.ABSENCE,
    ),
)
