"""Where a template that is begun goes, and its text, made from a starter.

Invariant: what is begun is called by its file's name, also where a runtime reads the name in it.
"""

from collections.abc import Mapping
from pathlib import Path, PurePath

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import KeyRole
from agent_lsp.syntax import toml_edit
from agent_lsp.syntax.yaml_quote import quote
from agent_lsp.text import TextEdit, apply
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.scopes import HostPaths, fixed_folder, proper_folder

SUFFIX = ".md"


def starters(dialect: Dialect, places: HostPaths, files: Files) -> Mapping[str, Path]:
    """The files to begin with by their names; none where all agents stand in one file."""
    folder = places.templates / dialect.id / "starters"
    entries = (name for name in files.entries(folder) if name.endswith(SUFFIX))
    return {name.removesuffix(SUFFIX): folder / name for name in entries}


def starter_named(dialect: Dialect, name: str) -> str | None:
    """What the runtime calls the agent of a file `name`, or None if there can be no such file."""
    file_name = f"{name}{SUFFIX}"
    is_name = all(may_be_called(one, PurePath()) for one in (name, file_name))
    return dialect.name_of(file_name) if is_name else None


def home_of(
    dialect: Dialect, kind: str, root: Path, places: HostPaths, files: Files
) -> Path | None:
    """The folder for a new template of a session in `root`: the user's own, or the project's."""
    if kind == "user":
        return fixed_folder(dialect, places, builtin=False)
    return proper_folder(dialect, root, places, files)


def new_template(dialect: Dialect, text: str, scope: Scope | None, path: Path) -> str | None:
    """A starter's text for the file at `path`, or None if no agent can have that file's name."""
    if dialect.names_in is None:
        return _repeated(dialect, text, path)
    if scope is None:
        return text
    spans = {one.span for one in dialect.names_in(dialect.parse(text), scope, path)} - {None}
    edits = [TextEdit(span, quote(path.stem, flow=True)) for span in spans if span is not None]
    named = apply(text, edits)
    return named if dialect.names_in(dialect.parse(named), scope, path) else None


def _repeated(dialect: Dialect, text: str, path: Path) -> str:
    """The text with the name of its file where it repeats that name."""
    name, key = dialect.name_of(path.name), dialect.key_with_role(KeyRole.AGENT)
    written = dialect.read(dialect.parse(text), path.stem).declared.settings
    value = written.get(key.name) if key is not None else None
    if name is None or value is None:
        return text
    quoted = toml_edit.quote(name) if dialect.is_toml else quote(name, flow=True)
    return apply(text, [TextEdit(value.span, quoted)])
