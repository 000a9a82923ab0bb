"""Checks for a path in a prompt that leads to no file of the project.

Invariants: nothing is reported where the path may be an example, or may lead somewhere in another
project: only a path of a project's own agent counts, if the folder that it names exists, if it
climbs out of the folder of its file, or if a file beside it has a similar name.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.named_files import NamedFile, named_files, repository
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.check import Check, Field, Finding, Related
from agent_lsp.workspace.paths import holds
from agent_lsp.workspace.snapshot import TemplateFile

_PROJECT = "project"
_UP = "../"
_HOME = "~/"
# A shorter name is another one rather than a misspelt one.
_SHORTEST = 4
_DIGITS = re.compile(r"\d+")


def missing_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each path that leads to no file, and one for all in a missing folder."""
    if file.scope.kind != _PROJECT or file.scope.prefix or file.scope.builtin:
        return
    if file.name is None or file.misplaced is not None or file.foreign is not None:
        return
    alike: dict[str, list[NamedFile]] = {}
    meant: dict[str, str | None] = {}
    for one in _missing(file):
        near = meant[one.written] = _near(file, one)
        if near is not None or _is_meant(file, one):
            is_alone = near is not None or _has_folder(file, one)
            alike.setdefault(one.written if is_alone else _folder(one), []).append(one)
    for first, *others in alike.values():
        related = tuple(Related(file.path, one.span, "also here") for one in others)
        thing = f"{code(first.written)} does not exist in the folder of this file or of the session"
        near = meant[first.written]
        if near is None:
            message = f"{thing}; correct the path, or create the file"
            yield Finding(first.span, message, related=related)
        else:
            words = (near,) * (1 + len(others))
            message = f"{thing}; did you mean {code(near)}?"
            yield Finding(first.span, message, related=related, meant=words)


def _missing(file: TemplateFile) -> Iterator[NamedFile]:
    """The paths in the repository where nothing is."""
    named = named_files(file)
    # Most prompts name no file, and this looks into each folder above.
    top = (repository(file) or file.root) if named else file.root
    for one in named:
        is_here = not one.written.startswith(_HOME) and holds(top, one.targets[0])
        if one.target is None and is_here:
            yield one


def _folder(one: NamedFile) -> str:
    return one.written.rpartition("/")[0]


def _has_folder(file: TemplateFile, one: NamedFile) -> bool:
    """Whether the path names a folder that exists."""
    is_folder = file.workspace.files.is_folder
    has_any = bool(_folder(one).removeprefix(".").strip("/"))
    return has_any and any(is_folder(target.parent) for target in one.targets)


def _is_meant(file: TemplateFile, one: NamedFile) -> bool:
    """Whether the path can only be meant as one of this project."""
    return (one.is_link and one.written.startswith(_UP)) or _has_folder(file, one)


def _near(file: TemplateFile, one: NamedFile) -> str | None:
    """The path with the name of a file that was probably meant, or None."""
    path, hash_, heading = one.written.partition("#")
    folder, slash, name = path.rpartition("/")
    stem, _, extension = name.rpartition(".")
    for target in one.targets if len(stem) >= _SHORTEST else ():
        if file.workspace.files.is_folder(target.parent):
            names = file.workspace.files.entries(target.parent)
            found = nearest(name, (each for each in names if each.endswith(f".{extension}")))
            # Another number is another file.
            is_numbered = found is not None and _DIGITS.sub("", found) == _DIGITS.sub("", name)
            if found is not None and not is_numbered:
                spelt = quote(found) if one.is_link else found
                return f"{folder}{slash}{spelt}{hash_}{heading}"
    return None


CHECK = Check(("missing-file",), missing_file, changes=frozenset({Field.PROMPT}))
