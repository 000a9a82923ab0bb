"""Says of each hook in a header whose script is missing or cannot be run that it does nothing."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.hooks import scripts
from agent_lsp.model.check import Finding
from agent_lsp.workspace.named_paths import NamedIn, keep
from agent_lsp.workspace.snapshot import TemplateFile


def futile_scripts(file: TemplateFile, guards: frozenset[str]) -> Iterator[Finding]:
    """Yields a finding on each script that is not there or cannot be run.

    The hooks of the events in `guards` can prevent something.
    """
    files, found = file.workspace.files, scripts(file)
    keep(files, file.path, NamedIn.HOOK, {one.path for one in found})
    for one in found:
        effect = "so nothing is prevented" if one.event in guards else "so the hook does nothing"
        if not files.exists(one.path):
            yield Finding(one.span, f"there is no script {code(one.written)}, {effect}")
        elif not one.has_interpreter and not files.is_executable(one.path):
            fix = f"run `chmod +x {one.path.name}`, or write `bash` before it"
            yield Finding(one.span, f"{code(one.written)} is not executable, {effect}; {fix}")
