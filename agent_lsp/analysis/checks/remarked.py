"""What a dialect itself remarks on a file, as findings under the codes of rules."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Tag
from agent_lsp.analysis.suggest import is_vouched, nearest
from agent_lsp.model.remark import About, Remark
from agent_lsp.workspace.snapshot import TemplateFile, catalog


def remarked(file: TemplateFile) -> Iterator[tuple[str, Finding]]:
    """The findings, each with its code; none for names that others vouch for."""
    if file.dialect.remarks is None or file.source.problem is not None:
        return

    def agents() -> frozenset[str]:
        return frozenset(catalog(file.workspace, file.dialect, file.root).names)

    for remark in file.dialect.remarks(file.document, About(file.name or "", agents)):
        if not _is_vouched(file, remark):
            yield remark.code, _finding(remark)


def _is_vouched(file: TemplateFile, remark: Remark) -> bool:
    if remark.code == "unknown-tool":
        return is_vouched(file.dialect, file.options, remark.word)
    if remark.code == "unknown-default":
        # It may be defined elsewhere, in a file of another form.
        return bool(catalog(file.workspace, file.dialect, file.root).candidates(remark.word))
    return remark.code == "unknown-key" and remark.word in file.options.extra(file.dialect.id).keys


def _finding(remark: Remark) -> Finding:
    close = nearest(remark.word, remark.meant) if remark.word else None
    meant = remark.instead or close
    tags = [Tag.UNNECESSARY] * remark.unnecessary + [Tag.DEPRECATED] * remark.deprecated
    return Finding(
        remark.span,
        f"{remark.message}; did you mean {code(close)}?" if close else remark.message,
        remark.severity,
        tuple(tags),
        meant=(meant,) if meant else (),
    )
