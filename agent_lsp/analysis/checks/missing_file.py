"""Checks for files that are not there: those to which paths in a prompt lead, and scripts of hooks.

Invariants: nothing is reported of a prompt where the path may be an example, or may lead somewhere
in another project: only a path of a project's own agent counts, if the folder that it names exists,
if it climbs out of the folder of its file, or if a file beside it has a similar name. Of a script
that is missing or cannot be run, the finding says what happens instead.
Facts: a hook that ends with exit code 2 refuses, and with another one it only fails. Without their
script Python 3.11, uv 0.13, Perl 5.36 and dash 0.5 end with 2, Bash 5.2 with 127 and Node.js 20
with 1; so they do behind `env`, `exec`, `nice` and `timeout`, which end with 127 themselves; run on
Debian 12, 2026-11-29. `sh` is dash on Debian, and another shell elsewhere. What follows in the
command has the last word: with `; exit 0` or a pipe behind the script, its exit code is lost.
Node.js 20 finds a script without the end of its name. Bun was not run, and is taken to do the same.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.hooks import HookScript, scripts
from agent_lsp.analysis.context.prompts import NamedFile, named_files, repository
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Check, Field, Finding, Related, Trait
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
from agent_lsp.workspace.exports import NamedIn, keep
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import holds
from agent_lsp.workspace.snapshot import TemplateFile

_PROJECT = "project"
_UP = "../"
_HOME = "~/"
# A shorter name is another one rather than a misspelt one.
_SHORTEST = 4
_DIGITS = regex(r"\d+")


@dataclass(frozen=True, slots=True)
class _Gap:
    """A path that leads to no file: whether it is reported, with which others, and what it meant.

    `group` is the same for the paths that have one finding. `near` is the path that was probably
    meant, or None.
    """

    is_reported: bool
    group: str = ""
    near: str | None = None


_QUIET = _Gap(is_reported=False)
# A prompt has the same paths at each keystroke. Those that are no longer in it are forgotten.
_GAPS = Memo[dict[tuple[str, bool], _Gap]](Lifetime.TREE)


def missing_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each path that leads to no file, and one for all in a missing folder."""
    if file.scope.kind != _PROJECT or file.scope.prefix or file.scope.builtin:
        return
    if file.name is None or file.misplaced is not None or file.foreign is not None:
        return
    alike: dict[str, list[tuple[NamedFile, str | None]]] = {}
    for one, gap in _gaps(file):
        if gap.is_reported:
            alike.setdefault(gap.group, []).append((one, gap.near))
    for (first, near), *others in alike.values():
        related = tuple(Related(file.path, one.span, "also here") for one, _ in others)
        thing = f"{code(first.written)} does not exist in the folder of this file or of the session"
        if near is None:
            message = f"{thing}; correct the path, or create the file"
            yield Finding(first.span, message, Severity.INFORMATION, related=related)
        else:
            words = (near,) * (1 + len(others))
            message = f"{thing}; did you mean {code(near)}?"
            severity = Severity.INFORMATION
            yield Finding(first.span, message, severity, related=related, meant=words)


def _gaps(file: TemplateFile) -> Iterator[tuple[NamedFile, _Gap]]:
    """The paths that lead to no file, in the order of the text."""
    # Most prompts name no file, and the rest looks into each folder above.
    missing = [one for one in named_files(file) if one.target is None]
    files, home = file.workspace.files, file.workspace.host_paths.home
    before = _GAPS.peek(files, None, (file.path, file.root), basis=home) or {}
    now: dict[tuple[str, bool], _Gap] = {}
    for one in missing:
        said = (one.written, one.is_link)
        if said not in now:
            now[said] = before.get(said) or _gap(file, one)
        yield one, now[said]
    if now or before:
        _GAPS.keep(files, None, (file.path, file.root), now, basis=home)


def _gap(file: TemplateFile, one: NamedFile) -> _Gap:
    top = repository(file) or file.root
    if one.written.startswith(_HOME) or not holds(top, one.targets[0]):
        return _QUIET
    near = similar(file, one.written, one.targets, is_link=one.is_link)
    has_folder = _has_folder(file, one)
    if near is not None or has_folder:
        return _Gap(is_reported=True, group=one.written, near=near)
    # It can only be meant as one of this project.
    is_meant = one.is_link and one.written.startswith(_UP)
    return _Gap(is_reported=True, group=_folder(one)) if is_meant else _QUIET


def _folder(one: NamedFile) -> str:
    return one.written.rpartition("/")[0]


def _has_folder(file: TemplateFile, one: NamedFile) -> bool:
    """Whether the path names a folder that exists."""
    is_folder = file.workspace.files.is_folder
    has_any = bool(_folder(one).removeprefix(".").strip("/"))
    return has_any and any(is_folder(target.parent) for target in one.targets)


def similar(
    file: TemplateFile, written: str, targets: Iterable[Path], *, is_link: bool
) -> str | None:
    """The path with the name of a file that was probably meant by `written`, or None.

    `targets` are the places that the path may mean.
    """
    path, hash_, heading = written.partition("#")
    folder, slash, name = path.rpartition("/")
    stem, _, extension = name.rpartition(".")
    for target in targets if len(stem) >= _SHORTEST else ():
        if file.workspace.files.is_folder(target.parent):
            names = file.workspace.files.entries(target.parent)
            found = nearest(name, (each for each in names if each.endswith(f".{extension}")))
            # Another number is another file.
            is_numbered = found is not None and _DIGITS.sub("", found) == _DIGITS.sub("", name)
            if found is not None and not is_numbered:
                spelt = quote(found) if is_link else found
                return f"{folder}{slash}{spelt}{hash_}{heading}"
    return None


CHECK = Check(
    ("missing-file",), missing_file, changes=frozenset({Field.PROMPT}), needs=(Trait.PATHS,)
)


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
