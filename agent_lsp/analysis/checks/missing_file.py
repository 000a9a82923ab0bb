"""Checks for paths in a prompt that lead to no file.

Invariants: nothing is reported of a prompt where the path may be an example, or may lead somewhere
in another project: only a path of a project's own agent counts, if the folder that it names exists,
if it climbs out of the folder of its file, or if a file beside it has a similar name.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.prompts import NamedFile, named_files, repository
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Check, Field, Finding, Related, Trait
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
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
