"""Explains a path in a prompt: the file that it leads to, and whether that is in the repository."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import shown
from agent_lsp.analysis.context.named_files import NamedFile, left
from agent_lsp.analysis.render.markup import code
from agent_lsp.workspace.snapshot import TemplateFile


def named(file: TemplateFile, one: NamedFile) -> Iterator[str]:
    """The blocks of the hover on the path of a file."""
    if one.target is None:
        yield f"{code(one.written)}: there is no such file"
        return
    outside = left(file, one.target)
    if outside:
        real = file.workspace.files.real(one.target)
        yield f"{code(one.written)} points outside {outside}, to {code(str(real))}"
    else:
        yield f"{code(one.written)} is {code(shown(file, one.target))}"
