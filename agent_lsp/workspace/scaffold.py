"""Plans new templates: their paths, and their texts from a starter or from a table of one.

Invariants: nothing is written here. A new template has the name of its file, even if the runtime
reads the name in the text. A new table is appended, and nothing else in the file changes.
"""

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path, PurePath

from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths, may_be_called
from agent_lsp.workspace.scopes import fixed_folder, proper_folder

_BARE = regex(r"[A-Za-z0-9_-]+")


def starters(dialect: Dialect, host_paths: HostPaths, files: Files) -> Mapping[str, Path]:
    """The starters by name; none if one file defines all agents."""
    folder, suffix = host_paths.templates / dialect.id / "starters", dialect.system.extension
    entries = (name for name in files.entries(folder) if name.endswith(suffix))
    ending = dialect.system.new_ending or suffix
    return {name.removesuffix(ending).removesuffix(suffix): folder / name for name in entries}


def starter_named(dialect: Dialect, name: str) -> str | None:
    """The name of the agent in a file `name`, or None if no such file is possible."""
    file_name = dialect.system.file_name(name)
    is_name = all(may_be_called(one, PurePath()) for one in (name, file_name))
    return dialect.names.name_of(file_name) if is_name else None


def home_of(
    dialect: Dialect, kind: str, root: Path, host_paths: HostPaths, files: Files
) -> Path | None:
    """The folder for a new template of a session in `root`: the user's own or the project's."""
    if kind == "user":
        return fixed_folder(dialect.system, host_paths, builtin=False)
    return proper_folder(dialect.system, root, host_paths, files)


def new_template(dialect: Dialect, text: str, scope: Scope | None, path: Path) -> str | None:
    """A starter's text for the file at `path`, or None if no agent can have that name."""
    if dialect.names.names_in is None:
        return _repeated(dialect, text, path)
    if scope is None:
        return text
    spans = {one.span for one in dialect.names.names_in(dialect.parse(text), scope, path)} - {None}
    name = dialect.names.name_of(path.name) if dialect.system.new_ending else path.stem
    quoted = _quoted(dialect, name or path.stem)
    edits = [TextEdit(span, quoted) for span in spans if span is not None]
    named = apply(text, edits)
    return named if dialect.names.names_in(dialect.parse(named), scope, path) else None


def _repeated(dialect: Dialect, text: str, path: Path) -> str:
    """The text with the new name, if the starter repeats its name in the text."""
    name, key = dialect.names.name_of(path.name), dialect.schema.by_role.get(KeyRole.AGENT)
    written = dialect.format.read(dialect.parse(text), path.stem).declared.settings
    value = written.get(key.name) if key is not None else None
    if name is None or value is None:
        return text
    return apply(text, [TextEdit(value.span, _quoted(dialect, name))])


def _quoted(dialect: Dialect, name: str) -> str:
    return edit.quote(name) if dialect.is_toml else quote(name, flow=True)


@dataclass(frozen=True, slots=True)
class Seeding:
    """The built-in `files` that a runtime copies, and the folders from and to which it copies them.

    `source` holds the product's stand-ins for them. If `kept_by` is not empty, those files prevent
    the copying of all.
    """

    source: Path
    target: Path
    files: tuple[str, ...]
    kept_by: tuple[str, ...]


def seeding(dialect: Dialect, host_paths: HostPaths, files: Files) -> Seeding | None:
    """The files that the runtime of `dialect` copies when it starts; None if it has no target."""
    source = fixed_folder(dialect.system, host_paths, builtin=True)
    target = fixed_folder(dialect.system, host_paths, builtin=False)
    if dialect.names.kept_by is None or source is None or target is None:
        return None
    names = tuple(name for name in files.entries(source) if dialect.names.name_of(name) is not None)
    return Seeding(
        source,
        target,
        names,
        dialect.names.kept_by(names, lambda name: files.exists(target / name)),
    )


def tables(dialect: Dialect, host_paths: HostPaths, files: Files) -> Mapping[str, str]:
    """The tables of a starter by name, without the comments that explain them."""
    folder = host_paths.templates / dialect.id / "starters"
    path = next((folder / name for name in files.entries(folder) if dialect.system.has(name)), None)
    file = files.read(path) if path is not None and dialect.system.files else None
    if file is None or path is None:
        return {}
    text, scope = file.text, Scope("project", "project", folder)
    spans = [one.span for one in _named(dialect, text, scope, path) if one.span is not None]
    starts = [text.rfind("\n", 0, span.start) + 1 for span in spans]
    found = {}
    for (start, end), span in zip(pairwise((*starts, len(text))), spans, strict=True):
        lines = text[start:end].rstrip().split("\n")
        # The comments above the next table explain that table.
        while lines and (lines[-1].startswith("#") or not lines[-1].strip()):
            lines.pop()
        found[span.of(text)] = "\n".join(lines) + "\n"
    return found


def with_new_table(
    dialect: Dialect, text: str, table: str, name: str, scope: Scope, path: Path
) -> str | None:
    """The text to append to `text` for an agent `name`, or None if it cannot have that name."""
    key = name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
    [span] = {one.span for one in _named(dialect, table, scope, path)}
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    added = gap + apply(table, [TextEdit(span or Span(0, 0), key)])
    after = dialect.parse(text + added)
    before = [one.name for one in _named(dialect, text, scope, path)]
    names = [one.name for one in _named(dialect, text + added, scope, path)]
    is_sound = not dialect.format.read(after, name).errors
    return added if is_sound and names == [*before, name] else None


def _named(dialect: Dialect, text: str, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    return (
        dialect.names.names_in(dialect.parse(text), scope, path)
        if dialect.names.names_in is not None
        else ()
    )
