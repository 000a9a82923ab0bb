"""Checks a configuration as a file: what hides it, and for which generation it is."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, shown
from agent_lsp.model.check import Finding, Related
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    candidates,
    catalog_of,
    hidden_by,
    hiding_config,
)


def config_hidden(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the file that a session reads, and one on a file that it does not."""
    first = header.first_line(file)
    used = hiding_config(file)
    if used is None:
        return
    if used != file.path:
        there = (Related(used, Span(0, 0), "the configuration that is read"),)
        where, what = code(shown(file, file.root)), code(shown(file, used))
        message = f"sessions that start in {where} read {what} and nothing of this file"
        yield Finding(first, message, related=there)
        return
    for path, names in hidden_by(file):
        lost = f", not even its {listed(names, 'and')}" if names else ""
        message = f"sessions that start here read nothing of {code(shown(file, path))}{lost}"
        yield Finding(first, message, related=(Related(path, Span(0, 0), "not read here"),))


def other_generation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # Another check reports the keys of the other generation in a configuration.
    if file.dialect.variants.forms is None or file.dialect.schema.is_tables or file.name is None:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    used = catalog_of(file).candidates(file.name)
    if file.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(file, file.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is written for "
            "a runtime that has no files of this form"
        )
        yield Finding(header.first_line(file), message)
