"""Says of each hook in a header whose script is missing or cannot be run what happens instead.

Facts: a hook that ends with exit code 2 refuses, and with another one it only fails. Without their
script Python 3.11, uv 0.13, Perl 5.36 and dash 0.5 end with 2, Bash 5.2 with 127 and Node.js 20
with 1; so they do behind `env`, `exec`, `nice` and `timeout`, which end with 127 themselves; run on
Debian 12, 2026-11-29. `sh` is dash on Debian, and another shell elsewhere. What follows in the
command has the last word: with `; exit 0` or a pipe behind the script, its exit code is lost.
Node.js 20 finds a script without the end of its name. Bun was not run, and is taken to do the same.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.hooks import HookScript, scripts
from agent_lsp.model.check import Finding
from agent_lsp.patterns import regex
from agent_lsp.workspace.exports import NamedIn, keep
from agent_lsp.workspace.snapshot import TemplateFile

_REFUSES = regex(r"python[\d.]*|perl|dash|uv")
# What may be left out at the end of a script's name.
_ENDS = {"node": (".js", ".json", ".node"), "bun": (".ts", ".tsx", ".js", ".mjs", ".cjs", ".json")}


def futile_scripts(file: TemplateFile, guards: frozenset[str]) -> Iterator[Finding]:
    """Yields a finding on each script that is not there or cannot be run.

    The hooks of the events in `guards` can prevent something.
    """
    files, found = file.workspace.files, scripts(file)
    keep(files, file.path, NamedIn.HOOK, {path for one in found for path in _places(one)})
    for one in found:
        effect = "so nothing is prevented" if one.event in guards else "so the hook does nothing"
        effect = effect if one.decides else "so the hook goes on without it"
        if not any(files.exists(path) for path in _places(one)):
            yield Finding(
                one.span, f"there is no script {code(one.written)}{_missing(one, guards, effect)}"
            )
        elif not one.interpreter and not files.is_executable(one.path):
            fix = f"run `chmod +x {one.path.name}`, or write `bash` before it"
            yield Finding(one.span, f"{code(one.written)} is not executable, {effect}; {fix}")


def _places(one: HookScript) -> tuple[Path, ...]:
    """The places of a script, where one file is enough."""
    ends = ("", *_ENDS.get(one.interpreter, ()))
    return tuple(one.path.with_name(f"{one.path.name}{end}") for end in ends)


def _missing(one: HookScript, guards: frozenset[str], effect: str) -> str:
    if not one.decides:
        return f", {effect}"
    program = code(one.interpreter)
    if _REFUSES.fullmatch(one.interpreter):
        refuses = (
            "which is how a hook refuses" if one.event in guards else "and the hook only fails"
        )
        return f": {program} then ends with exit code 2, {refuses}"
    if one.interpreter == "sh" and one.event in guards:
        return f", {effect}; where {program} is dash, it ends with exit code 2 and so refuses"
    return f", {effect}"
