"""Another configuration file is used in place of this one, or hidden by it."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, shown
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, hidden_by, hiding_config


def check(file: TemplateFile) -> Iterator[Finding]:
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
        yield Finding(first, message, related=(Related(path, Span(0, 0), "read by nobody here"),))


RULE = Rule("config-hidden", check, of_tables=True)
