"""Offers refactorings of a sound template: sort a list, extract a persona, create files.

Invariants: every change of a template was tried, and adds no finding. No file is overwritten.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import count, pairwise
from pathlib import Path, PurePath

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import verify
from agent_lsp.analysis.fixes.insert import declarations
from agent_lsp.analysis.fixes.node_path import line_end, line_start, whole_line
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.scaffold import new_template
from agent_lsp.workspace.scopes import fixed_folder, proper_folder
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

_PERSONA = "new-persona"
_AGENT = "new-agent"


class RefactoringKind(Enum):
    """The kind of a refactoring, under its name in the Language Server Protocol."""

    REWRITE = "refactor.rewrite"
    EXTRACT = "refactor.extract"
    COPY = "refactor.copy"
    CONVERT = "refactor.convert"
    NEW = "refactor.new"


@dataclass(frozen=True, slots=True)
class Refactoring:
    """Edits of the file, or a new file at `created` with the text `text`."""

    title: str
    kind: RefactoringKind
    edits: tuple[TextEdit, ...] = ()
    created: Path | None = None
    text: str = ""


def refactorings(workspace: Workspace, path: Path, span: Span) -> tuple[Refactoring, ...]:
    """The refactorings of the template at `path`, and of the selection in it."""
    file = template_file(workspace, path)
    if file is None or file.source.problem is not None:
        return ()
    changes = (*_sorted(file, span), *_extracted(file, span))
    return (*(change for change in changes if _works(file, change)), *_copies(file), *_new(file))


def _works(file: TemplateFile, change: Refactoring) -> bool:
    text = file.document.text
    supposed = verify.supposing(file.workspace, file.path, apply(text, change.edits))
    known = {(one.code, one.message) for one in diagnostics(file.workspace, file.path)}
    after = {(one.code, one.message) for one in diagnostics(supposed, file.path)}
    return after <= known


def _sorted(file: TemplateFile, span: Span) -> Iterator[Refactoring]:
    """Sorts the tool list at the cursor by the runtime's groups, and by name in each group."""
    top = header.root(file)
    if top is None or not header.loads(file):
        return
    for holds in tool_policy.LISTS:
        key = file.dialect.schema.by_role.get(holds)
        entry = top.get(key.name) if key is not None else None
        if entry is None or not isinstance(entry.value, Sequence):
            continue
        if not (entry.span.start <= span.end and span.start <= entry.span.end):
            continue
        units = _units(file.document.text, entry.value)
        ordered = sorted(units, key=lambda unit: _rank(file.dialect, unit[1]))
        edits = tuple(
            TextEdit(old, new.of(file.document.text))
            for (old, _), (new, _) in zip(units, ordered, strict=True)
            if old != new
        )
        if edits:
            yield Refactoring(
                f"Sort {code(entry.name or '')} by groups", RefactoringKind.REWRITE, edits
            )


def _units(text: str, sequence: Sequence) -> list[tuple[Span, str]]:
    """The items with the rest of their lines, and their values; none if they cannot be sorted."""
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
    # A comment between items may be about the items below it.
    return [] if any("#" in gap for gap in between) else units


def _rank(dialect: Dialect, name: str) -> tuple[int, int, str]:
    """The sort key of an entry: the group of its tool; patterns and unknown tools come last."""
    groups = list(dict.fromkeys(tool.group for tool in dialect.tools.listed))
    tool = next((tool for tool in dialect.tools.listed if tool.name == name), None)
    if tool is None:
        return len(groups), int(dialect.tools.is_pattern(name)), name
    return groups.index(tool.group), 0, name


def _extracted(file: TemplateFile, span: Span) -> Iterator[Refactoring]:
    """Extracts the selected lines of the default prompt to the prompt of a new persona."""
    key, top, marker = (
        file.dialect.schema.by_role.get(KeyRole.PERSONAS),
        header.root(file),
        file.dialect.format.marker,
    )
    if not len(span) or key is None or top is None or marker is None or not header.loads(file):
        return
    text, default = file.document.text, file.reading.effective.default.span
    last = whole_line(text, max(span.end - 1, span.start))
    lines = Span(line_start(text, span.start), last.end)
    rest = text[default.start : lines.start] + text[lines.end : default.end]
    if lines.start < default.start or lines.end > default.end or not rest.strip():
        return
    names = {persona.name for persona in file.reading.effective.personas}
    name = next(name for name in _numbered(_PERSONA) if name not in names)
    end = line_end(text)
    gap = end if text.endswith("\n") else end * 2
    block = f"{gap}{marker(name)}{end}{lines.of(text).strip()}{end}"
    edits = (
        *declarations(file, key, top, [name]),
        TextEdit(lines, ""),
        TextEdit(Span(len(text), len(text)), block),
    )
    yield Refactoring("Extract the selection into a persona", RefactoringKind.EXTRACT, edits)


def _copies(file: TemplateFile) -> Iterator[Refactoring]:
    """Copies the template to the user's folder, or to that of the project."""
    places, files = file.workspace.host_paths, file.workspace.files
    own = fixed_folder(file.dialect.system, places, builtin=False)
    project = proper_folder(file.dialect.system, file.root, places, files)
    targets = [("your own templates", own), ("the project", project)]
    for whose, folder in targets:
        if folder is None or files.real(folder) == files.real(file.path.parent):
            continue
        # A file of several agents is not copied for one of them.
        is_own = file.name is not None and file.name == file.dialect.names.name_of(file.path.name)
        if not is_own or (whose == "the project" and file.scope.kind == "project"):
            continue
        target = folder / file.path.name
        if files.read(target) is None:
            title = f"Copy to {whose}: {code(shown(file, target))}"
            yield Refactoring(title, RefactoringKind.COPY, created=target, text=file.document.text)


def _new(file: TemplateFile) -> Iterator[Refactoring]:
    """Creates an agent beside this one, from each of the starters that the product ships."""
    files = file.workspace.files
    folder = file.workspace.host_paths.templates / file.dialect.id / "starters"
    paths = (file.path.with_name(f"{name}{file.path.suffix}") for name in _numbered(_AGENT))
    target = next(path for path in paths if files.read(path) is None)
    if file.scope.builtin or file.dialect.names.name_of(target.name) is None:
        return
    for entry in files.entries(folder):
        starter = files.read(folder / entry)
        if starter is None or starter.problem is not None:
            continue
        text = new_template(file.dialect, starter.text, file.scope, target)
        if text is not None:
            title = f"New agent in this folder, from {code(PurePath(entry).stem)}"
            yield Refactoring(title, RefactoringKind.NEW, created=target, text=text)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in count(2))
