"""The files that a prompt names by their paths."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

# Each is looked for on the disk; nobody writes more into a prompt.
_MOST = 200
# A path has a folder or stands in backticks, where it ends with an extension.
_NAME = r"[\w.-]{1,64}"
_PATH = re.compile(
    rf"(?<![\w/.:~@-])(?:(?:\.{{1,2}}/|~/)(?:{_NAME}/){{0,12}}{_NAME}|(?:{_NAME}/){{1,12}}{_NAME})"
    r"|`[\w-]{1,64}\.\w{1,10}(?=`)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A path in a prompt and the file that it means."""

    span: Span
    target: Path


def links(of: Subject) -> tuple[Link, ...]:
    """The paths in the body that lead to files, from the session's folder or from the file's."""
    return tuple(_links(of))


def _links(of: Subject) -> Iterator[Link]:
    text = of.document.text
    for number, found in enumerate(_PATH.finditer(text, of.document.cut.body.start)):
        if number == _MOST:
            return
        written = found.group().lstrip("`").rstrip(".")
        start = found.start() + found.group().startswith("`")
        target = _existing(of, written)
        if target is not None:
            yield Link(Span(start, start + len(written)), target)


def _existing(of: Subject, written: str) -> Path | None:
    files, home = of.workspace.files, of.workspace.places.home
    is_home = written.startswith("~/")
    bases = (home,) if is_home else (of.root, of.path.parent)
    relative = PurePosixPath(written.removeprefix("~/"))
    targets = (base / relative for base in bases if base is not None)
    return next((one for one in targets if files.exists(one) and not files.is_folder(one)), None)
