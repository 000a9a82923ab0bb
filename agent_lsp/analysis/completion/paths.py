"""Completes paths in a prompt, in the target of a link and behind `@`.

Invariants: only files and folders of the repository or the workspace are offered. A link is
relative to the folder of its file, or else to that of the session, as a path behind `@` is.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.completion.offer import Completion, CompletionKind, Words, literal, offer
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.context.named_files import joined, left
from agent_lsp.analysis.context.prompts import is_value, prompts
from agent_lsp.text import Span
from agent_lsp.workspace.disk import NEVER_ENTERED
from agent_lsp.workspace.paths import from_folder
from agent_lsp.workspace.snapshot import TemplateFile

_BEGUN = re.compile(
    r"(?:(?P<link>\]\()|(?:(?<![\w@/.:+-])|(?<=\\[nrt]))@)"
    r"(?P<folder>(?:[\w.-]{1,64}/){0,12})(?P<typed>[\w.-]*)\Z"
)
_SIGNS = frozenset("\"'\\")
_REST = re.compile(r"[\w.-]*")
# Nobody types a longer path, and nobody reads a longer list.
_LONGEST, _MOST = 300, 200


def paths(file: TemplateFile, offset: int) -> Iterator[Completion]:
    """The files and folders that may follow the path typed at `offset`."""
    text = file.document.text
    body = next((one for one in prompts(file) if one.start <= offset <= one.end), None)
    if body is None:
        return
    before = text[max(body.start, line_at(text, offset).start, offset - _LONGEST) : offset]
    found, rest = _BEGUN.search(before), _REST.match(text, offset)
    if found is None or rest is None:
        return
    bases = (file.path.parent, file.root) if found["link"] else (file.root,)
    folders = (joined(one, found["folder"]) for one in bases)
    folder = next((one for one in folders if file.workspace.files.is_folder(one)), None)
    if folder is None or left(file, folder):
        return
    typed = Span(offset - len(found["typed"]), rest.end())
    for place, name in enumerate(_inside(file, folder)):
        said = Words(from_folder(folder / name, file.root))
        # Behind a folder, more follows.
        is_folder = name.endswith("/")
        kind = CompletionKind.FOLDER if is_folder else CompletionKind.FILE
        yield offer(text, typed, name, kind, literal(name), said, place, retrigger=is_folder)


def _inside(file: TemplateFile, folder: Path) -> list[str]:
    """The names in a folder, those of folders with a slash."""
    files = file.workspace.files
    folders = [f"{name}/" for name in files.folders(folder) if name not in NEVER_ENTERED]
    names = [name for name in files.entries(folder) if folder / name != file.path]
    found = [*names, *folders]
    if is_value(file):
        # The value may be in either kind of quotes.
        found = [name for name in found if _SIGNS.isdisjoint(name)]
    return found[:_MOST]
