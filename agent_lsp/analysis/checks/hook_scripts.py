"""Says of each hook in a header whose script is missing or cannot be run what happens instead.

Facts: a hook that ends with exit code 2 refuses, and with another one it only fails. Without their
script Python 3.11, Perl 5.36 and dash 0.5 end with 2, Bash 5.2 with 127 and Node.js 20 with 1; run
on Debian 12, 2026-11-29. `sh` is dash on Debian, and another shell elsewhere.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.hooks import HookScript, scripts
from agent_lsp.model.check import Finding
from agent_lsp.patterns import regex
from agent_lsp.workspace.named_paths import NamedIn, keep
from agent_lsp.workspace.snapshot import TemplateFile

_REFUSES = regex(r"python[\d.]*|perl|dash")


def futile_scripts(file: TemplateFile, guards: frozenset[str]) -> Iterator[Finding]:
    """Yields a finding on each script that is not there or cannot be run.

    The hooks of the events in `guards` can prevent something.
    """
    files, found = file.workspace.files, scripts(file)
    keep(files, file.path, NamedIn.HOOK, {one.path for one in found})
    for one in found:
        effect = "so nothing is prevented" if one.event in guards else "so the hook does nothing"
        if not files.exists(one.path):
            yield Finding(
                one.span, f"there is no script {code(one.written)}{_missing(one, effect)}"
            )
        elif not one.interpreter and not files.is_executable(one.path):
            fix = f"run `chmod +x {one.path.name}`, or write `bash` before it"
            yield Finding(one.span, f"{code(one.written)} is not executable, {effect}; {fix}")


def _missing(one: HookScript, effect: str) -> str:
    program = code(one.interpreter)
    if _REFUSES.fullmatch(one.interpreter):
        return f": {program} then ends with exit code 2, which is how a hook refuses"
    if one.interpreter == "sh":
        return f", {effect}; where {program} is dash, it ends with exit code 2 and so refuses"
    return f", {effect}"
