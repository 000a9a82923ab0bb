"""Where each dialect looks, in order, from one session root.

Invariant: home and variables come in as values; nothing here asks the machine for them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.model import Dialect, ScopeRule, Walk
from agent_lsp.workspace.files import Files


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of this machine that scopes refer to.

    `home` is None where there is none; `variables` are environment variables such as
    `CODEX_HOME`; `templates` is the folder of the templates that the product ships.
    """

    home: Path | None
    templates: Path
    variables: Mapping[str, str] = field(default_factory=dict)


def scopes(dialect: Dialect, root: Path, places: Places, files: Files) -> tuple[Scope, ...]:
    """The existing scopes of a session that starts in `root`, highest precedence first."""
    found: dict[Path, Scope] = {}
    for rule in dialect.scopes:
        for scope in _of_rule(rule, root, places, files):
            # The home may lie on the way up; the first role of a folder is the one that counts.
            found.setdefault(scope.folder, scope)
    return tuple(found.values())


def scope_of(dialect: Dialect, folder: Path, places: Places) -> Scope | None:
    """The scope that a template in `folder` belongs to by its place alone, or None.

    A folder that a user or built-in rule names is that, also if it looks like a project's: the
    home is seldom a project.
    """
    fixed = [rule for rule in dialect.scopes if _is_fixed(rule) and folder in _fixed(rule, places)]
    if fixed:
        return Scope(fixed[0].kind, fixed[0].label, folder, fixed[0].builtin)
    for rule in dialect.scopes:
        if not _is_fixed(rule) and any(ends_with(folder, name) for name in rule.folders):
            return Scope(rule.kind, rule.label, folder, reaches_down=_reaches_down(rule))
    return None


def session_root(dialect: Dialect, folder: Path) -> Path | None:
    """The folder from which a session finds the project scope `folder` first, or None."""
    for rule in dialect.scopes:
        for relative in rule.folders:
            if not _is_fixed(rule) and ends_with(folder, relative):
                return folder.parents[len(PurePosixPath(relative).parts) - 1]
    return None


def proper_folder(dialect: Dialect, base: Path, places: Places) -> Path:
    """The folder below `base` that templates belong into; for the home the user's own."""
    for rule in dialect.scopes:
        own = _fixed(rule, places) if _is_fixed(rule) and not rule.builtin else ()
        if base == places.home and own:
            return own[0]
        if base != places.home and not _is_fixed(rule):
            return base / rule.folders[0]
    return base


def fixed_folder(dialect: Dialect, places: Places, *, builtin: bool) -> Path | None:
    """The folder of the built-in templates, or that of the user's own; it need not exist."""
    for rule in dialect.scopes:
        if _is_fixed(rule) and rule.builtin is builtin:
            return next(iter(_fixed(rule, places)), None)
    return None


def ends_with(folder: Path, relative: str) -> bool:
    """Whether the last parts of `folder` are those of `relative`."""
    parts = PurePosixPath(relative).parts
    return folder.parts[-len(parts) :] == parts


def _of_rule(rule: ScopeRule, root: Path, places: Places, files: Files) -> Iterator[Scope]:
    if _is_fixed(rule):
        for folder in _fixed(rule, places):
            if files.is_folder(folder):
                yield Scope(rule.kind, rule.label, folder, rule.builtin)
        return
    for start in _visited(rule.walk, root, files):
        for relative in rule.folders:
            folder = start / relative
            if files.is_folder(folder):
                yield Scope(rule.kind, rule.label, folder, reaches_down=_reaches_down(rule))


def _visited(walk: Walk, root: Path, files: Files) -> Iterator[Path]:
    if walk is Walk.NONE:
        yield root
        return
    for folder in (root, *root.parents):
        yield folder
        if files.exists(folder / ".git"):
            return


def _reaches_down(rule: ScopeRule) -> bool:
    return rule.walk is not Walk.NONE


def _is_fixed(rule: ScopeRule) -> bool:
    return rule.builtin or all(folder.startswith(("$", "~")) for folder in rule.folders)


def _fixed(rule: ScopeRule, places: Places) -> tuple[Path, ...]:
    """The one folder that a user or built-in rule means on this machine, or none."""
    if rule.builtin:
        return tuple(places.templates / folder for folder in rule.folders)
    for folder in rule.folders:
        head, _, rest = folder.partition("/")
        if head == "~":
            return (places.home / rest,) if places.home is not None else ()
        value = places.variables.get(head.removeprefix("$"))
        if value:
            return (Path(value) / rest,)
    return ()
