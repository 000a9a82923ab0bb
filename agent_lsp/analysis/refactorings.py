"""What can be done with a sound template: sort a tool list, extract a persona, make more files.

Invariants: a change of a template has been tried, and brings no finding; no file is written over.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import count, pairwise
from pathlib import Path, PurePath

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import proof
from agent_lsp.analysis.fixes.blocks import declarations
from agent_lsp.analysis.fixes.writing import line_end, line_start, whole_line
from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.index import Subject, Workspace, subject
from agent_lsp.workspace.scopes import fixed_folder, proper_folder
from agent_lsp.workspace.starters import begun

_PERSONA = "new-persona"
_AGENT = "new-agent"


class Kind(Enum):
    """What sort of change it is, in the Language Server Protocol's words."""

    REWRITE = "refactor.rewrite"
    EXTRACT = "refactor.extract"
    COPY = "refactor.copy"
    CONVERT = "refactor.convert"
    NEW = "refactor.new"


@dataclass(frozen=True, slots=True)
class Refactoring:
    """Edits of the file, or a new file at `created` that holds `text`."""

    title: str
    kind: Kind
    edits: tuple[TextEdit, ...] = ()
    created: Path | None = None
    text: str = ""


def refactorings(workspace: Workspace, path: Path, span: Span) -> tuple[Refactoring, ...]:
    """What can be done with the template at `path`, and with what is selected in it."""
    of = subject(workspace, path)
    if of is None or of.file.problem is not None:
        return ()
    changes = (*_sorted(of, span), *_extracted(of, span))
    return (*(change for change in changes if _works(of, change)), *_copies(of), *_new(of))


def _works(of: Subject, change: Refactoring) -> bool:
    text = of.document.text
    supposed = proof.supposing(of.workspace, of.path, apply(text, change.edits))
    known = {(one.code, one.message) for one in diagnostics(of.workspace, of.path)}
    after = {(one.code, one.message) for one in diagnostics(supposed, of.path)}
    return after <= known


def _sorted(of: Subject, span: Span) -> Iterator[Refactoring]:
    """The tool list at the cursor by groups of the runtime's tools, and by name in each."""
    top = header.root(of)
    if top is None or not header.loads(of):
        return
    for holds in policy.LISTS:
        key = of.dialect.key_holding(holds)
        entry = top.get(key.name) if key is not None else None
        if entry is None or not isinstance(entry.value, Sequence):
            continue
        if not (entry.span.start <= span.end and span.start <= entry.span.end):
            continue
        units = _units(of.document.text, entry.value)
        ordered = sorted(units, key=lambda unit: _rank(of.dialect, unit[1]))
        edits = tuple(
            TextEdit(old, new.of(of.document.text))
            for (old, _), (new, _) in zip(units, ordered, strict=True)
            if old != new
        )
        if edits:
            yield Refactoring(f"Sort {code(entry.name or '')} by groups", Kind.REWRITE, edits)


def _units(text: str, sequence: Sequence) -> list[tuple[Span, str]]:
    """The items with what follows them on their lines, and their values; none if lines differ."""
    units = []
    for item in sequence.items:
        node = resolve(item)
        if not isinstance(node, Scalar) or node is not item or "\n" in item.span.of(text):
            return []
        end = item.span.end
        if not sequence.flow:
            end = whole_line(text, item.span.start).end
            end = item.span.start + len(text[item.span.start : end].rstrip("\r\n"))
        units.append((Span(item.span.start, end), node.value))
    pairs = pairwise(units)
    between = (text[one.end : two.start] for (one, _), (two, _) in pairs)
    # A comment between items may be about those below it.
    return [] if any("#" in gap for gap in between) else units


def _rank(known: Dialect, name: str) -> tuple[int, int, str]:
    """Where an entry stands: by the group of its tool, patterns and unknown ones at the end."""
    groups = list(dict.fromkeys(tool.group for tool in known.tools))
    tool = next((tool for tool in known.tools if tool.name == name), None)
    if tool is None:
        return len(groups), int(known.is_pattern(name)), name
    return groups.index(tool.group), 0, name


def _extracted(of: Subject, span: Span) -> Iterator[Refactoring]:
    """The selected lines of the default prompt as the prompt of a new persona."""
    key, top, marker = of.dialect.key_holding(Holds.PERSONAS), header.root(of), of.dialect.marker
    if not len(span) or key is None or top is None or marker is None or not header.loads(of):
        return
    text, default = of.document.text, of.reading.held.default.span
    last = whole_line(text, max(span.end - 1, span.start))
    lines = Span(line_start(text, span.start), last.end)
    rest = text[default.start : lines.start] + text[lines.end : default.end]
    if lines.start < default.start or lines.end > default.end or not rest.strip():
        return
    names = {persona.name for persona in of.reading.held.personas}
    name = next(name for name in _numbered(_PERSONA) if name not in names)
    end = line_end(text)
    gap = end if text.endswith("\n") else end * 2
    block = f"{gap}{marker(name)}{end}{lines.of(text).strip()}{end}"
    edits = (
        *declarations(of, key, top, [name]),
        TextEdit(lines, ""),
        TextEdit(Span(len(text), len(text)), block),
    )
    yield Refactoring("Extract the selection into a persona", Kind.EXTRACT, edits)


def _copies(of: Subject) -> Iterator[Refactoring]:
    """The same template in the user's folder, or in that of the project."""
    places, files = of.workspace.places, of.workspace.files
    own = fixed_folder(of.dialect, places, builtin=False)
    project = proper_folder(of.dialect, of.root, places, files)
    targets = [("your own templates", own), ("the project", project)]
    for whose, folder in targets:
        if folder is None or files.real(folder) == files.real(of.path.parent):
            continue
        # A file of several agents is not one of them.
        is_own = of.name is not None and of.name == of.dialect.name_of(of.path.name)
        if not is_own or (whose == "the project" and of.scope.kind == "project"):
            continue
        target = folder / of.path.name
        if files.read(target) is None:
            title = f"Copy to {whose}: {code(shown(of, target))}"
            yield Refactoring(title, Kind.COPY, created=target, text=of.document.text)


def _new(of: Subject) -> Iterator[Refactoring]:
    """A new agent beside this one, from each of the starters that the product ships."""
    files = of.workspace.files
    folder = of.workspace.places.templates / of.dialect.id / "starters"
    paths = (of.path.with_name(f"{name}{of.path.suffix}") for name in _numbered(_AGENT))
    target = next(path for path in paths if files.read(path) is None)
    if of.scope.builtin or of.dialect.name_of(target.name) is None:
        return
    for entry in files.entries(folder):
        file = files.read(folder / entry)
        if file is None or file.problem is not None:
            continue
        text = begun(of.dialect, file.text, of.scope, target)
        if text is not None:
            title = f"New agent beside this one, from {code(PurePath(entry).stem)}"
            yield Refactoring(title, Kind.NEW, created=target, text=text)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
