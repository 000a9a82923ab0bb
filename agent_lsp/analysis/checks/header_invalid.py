"""Checks whether a header is valid YAML."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from agent_lsp.analysis.checks import header, unquoted_text
from agent_lsp.analysis.checks.explain_yaml import explain
from agent_lsp.analysis.checks.fence_heuristics import too_early, too_late
from agent_lsp.analysis.checks.messages import refused
from agent_lsp.analysis.checks.yaml_mistakes import YamlMistake
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Key, Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Tree
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each mistake that makes the header invalid YAML."""
    possible = next(header.possible_errors(file, LoadErrorKind.SYNTAX), None)
    if possible is None and not any(header.errors(file, LoadErrorKind.SYNTAX)):
        return
    if unquoted_text.is_said(file) or too_early(file) or too_late(file):
        return
    document = file.document
    known = file.dialect.schema.by_name()
    text, tree = document.text, document.tree
    if unquoted_text.CODE in file.dialect.findings.severities:
        # A mistake that the runtime repairs itself is not reported.
        text = unquoted_text.without_colons(file)
        inner_text, start = document.frontmatter.inner.of(text), document.frontmatter.inner.start
        tree = file.dialect.format.syntax(inner_text, start)
    for mistake in _mistakes(text, document.frontmatter.inner, tree, known):
        if possible is None:
            yield Finding(mistake.span, refused(file, mistake.thing, mistake.fix))
            continue
        message = f"{mistake.thing}: {mistake.fix}, or {possible.message}"
        yield Finding(mistake.span, message, None if possible.certain else Severity.WARNING)


# Further ones are hardly mistakes of their own.
_MOST = 20


def _mistakes(
    text: str, header: Span, tree: Tree, keys: Mapping[str, Key]
) -> Iterator[YamlMistake]:
    """The mistakes in the broken parts of a header, of those on one line the first."""
    lines: set[int] = set()
    for damage in tree.damage[:_MOST] or (None,):
        one = tree if damage is None else replace(tree, damage=(damage,))
        mistake = explain(text, header, one, keys)
        line = text.rfind("\n", 0, mistake.span.start)
        if line not in lines:
            yield mistake
        lines.add(line)


CHECK = Check(
    ("header-invalid",),
    header_invalid,
    changes=frozenset({Field.LOADS, Field.KEY}),
    basis=Basis.FILE,
)
