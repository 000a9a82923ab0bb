"""Explains a path in a prompt or a hook: the file that it leads to, and where or what that is."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import shown
from agent_lsp.analysis.context.hooks import HookScript
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


def script(file: TemplateFile, one: HookScript) -> Iterator[str]:
    """The blocks of the hover on the script of a hook."""
    files = file.workspace.files
    if not files.exists(one.path):
        yield f"{code(one.written)}: there is no such script, so the hook cannot do its work"
        return
    is_run = bool(one.interpreter) or files.is_executable(one.path)
    fails = "" if is_run else "; it is not executable, so the hook does nothing"
    yield f"{code(one.written)} is {code(shown(file, one.path))}{fails}"
