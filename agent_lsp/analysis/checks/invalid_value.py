"""A value is none of the words that its key takes."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, refused, unquoted
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.workspace.snapshot import TemplateFile, candidates


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each word that makes the runtime refuse the header."""
    for fault in header.faults(file, LoadErrorKind.CHOICE):
        key = header.key_of(file, fault.key)
        if key is None:
            continue
        names = [choice.name for choice in key.choices]
        word = fault.got.strip()
        thing = f"{code(key.name)} cannot be {code(word) if word else 'empty'}"
        if not names:
            yield Finding(fault.span, refused(file, thing, f"write {code(fault.expected)}"))
            continue
        if fault.of_winner and not _is_used(file):
            loss = file.dialect.consequence.header_refused
            unused = f"{thing}: write {listed(names)}; if the file were used, {loss}"
            yield Finding(fault.span, unused, Severity.INFORMATION)
            continue
        if word in names:
            thing += " with blanks or line ends around it"
            yield Finding(fault.span, refused(file, thing, f"write {code(word)}"), meant=(word,))
            continue
        meant = nearest(unquoted(word), names)
        guess = f"did you mean {code(meant)}? " if meant else ""
        message = refused(file, thing, f"{guess}write {listed(names)}")
        yield Finding(fault.span, message, meant=(meant,) if meant else ())


def _is_used(file: TemplateFile) -> bool:
    """Whether a session in the file's root uses it."""
    chain = candidates(file.workspace, file.dialect, file.root, file.name or "")
    return bool(chain) and chain[0].path == file.path


RULE = Rule("invalid-value", check)
