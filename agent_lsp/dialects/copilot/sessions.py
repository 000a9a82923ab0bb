"""Says which of the agents of a session VS Code and Copilot CLI have, and in which order.

Facts: VS Code 1.139.1 and Copilot CLI 1.0.102, run 2026-11-28. VS Code has a file for each agent
and hides none; a call takes the first of a name, an agent of the user before one of the project.
The CLI knows an agent by the name of its file: the first of one name counts, of the user before the
project, and of `a.agent.md` and `a.md` the former. In each folder with those below it reads at most
100 files, in the order of the disk, and reports an error without a file; run 2026-11-29.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import AGENT, id_at, readers_at, stem
from agent_lsp.dialects.copilot.facts import MOST_FILES, READERS
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.model.template import Reading
from agent_lsp.text import Span

_EXTRA = "extra"
CLI_ID = READERS[1].name


def in_order(catalog: Catalog, name: str | None = None) -> list[Candidate]:
    """All candidates, or those of `name`: by scope, and by path in each."""
    names = catalog.names if name is None else (name,)
    found = [one for each in names for one in catalog.candidates(each)]
    ranks = _ranks(catalog)
    every = sorted(found, key=lambda one: (ranks[one.scope.folder], one.path.as_posix()))
    # A setting may name a folder below another one.
    by_path = {(one.path, one.name): one for one in reversed(every)}
    return [one for one in every if by_path[one.path, one.name] is one]


def _ranks(catalog: Catalog) -> dict[Path, int]:
    """The places of the scopes: those of the user, then all folders of the nearest project."""
    depths = {one.folder: len(one.folder.parts) for one in catalog.scopes if one.kind == "project"}
    ordered = sorted(
        catalog.scopes,
        key=lambda one: (one.builtin, one.kind != "user", -depths.get(one.folder, 0)),
    )
    return {scope.folder: at for at, scope in enumerate(ordered)}


def is_in_vs(catalog: Catalog, one: Candidate) -> bool:
    """Whether VS Code looks for the file: in the folder itself, and in that of the workspace.

    A folder that somebody claims for agents is a session of its own, and so VS Code's.
    """
    if one.scope.builtin:
        return True
    # A setting may name a folder below another one.
    named = (scope for scope in catalog.scopes if scope.kind == _EXTRA)
    if any("vscode" in readers_at(scope, one.path) for scope in named):
        return True
    folder = one.scope.folder
    is_own = one.scope.kind != "project" or catalog.root in (folder, folder.parent.parent)
    return is_own and "vscode" in readers_at(one.scope, one.path)


def names_in_vs(catalog: Catalog) -> tuple[str, ...]:
    """The names of the agents that VS Code has."""
    return tuple(
        name
        for name in catalog.names
        if any(is_in_vs(catalog, one) for one in catalog.candidates(name))
    )


def of_cli(catalog: Catalog) -> dict[str, tuple[Candidate, Reading]]:
    """The agents of the CLI by id, in its order, each with what it reads."""
    return _loaded(catalog, _by_id(catalog))


def named_in_cli(catalog: Catalog, name: str) -> list[tuple[Candidate, Reading]]:
    """The agents of the CLI that a call of `name` may mean, in its order."""
    every = _by_id(catalog)
    some = {
        key: found
        for key, found in every.items()
        if name == key or any(one.name == name for one in found)
    }
    loaded = _loaded(catalog, some)
    return [one for key, one in loaded.items() if name_in_cli(key, one[1]) == name]


def with_id(catalog: Catalog, key: str) -> Candidate | None:
    """The file that the CLI loads for an id, or None."""
    found = [one for one in _candidates_of_cli(catalog) if id_at(one.scope, one.path) == key]
    loaded = _loaded(catalog, {key: found}) if len(found) > 1 else {}
    return loaded[key][0] if key in loaded else next(iter(found), None)


def _by_id(catalog: Catalog) -> dict[str, list[Candidate]]:
    found: dict[str, list[Candidate]] = {}
    for one in _candidates_of_cli(catalog):
        found.setdefault(id_at(one.scope, one.path), []).append(one)
    return found


def _loaded(
    catalog: Catalog, every: dict[str, list[Candidate]]
) -> dict[str, tuple[Candidate, Reading]]:
    """The first file of each id that the CLI loads."""
    found: dict[str, tuple[Candidate, Reading]] = {}
    for key, candidates in every.items():
        read = ((one, read_by_cli(catalog, one)) for one in candidates)
        first = next((one for one in read if not one[1].errors), None)
        if first is not None:
            found[key] = first
    return found


def _candidates_of_cli(catalog: Catalog) -> list[Candidate]:
    every = [one for one in in_order(catalog) if not one.scope.builtin]
    looked = [one for one in every if CLI_ID in readers_at(one.scope, one.path)]
    ranks = _ranks(catalog)
    # Of two files with one id in a folder, that with the longer extension is the first.
    return sorted(
        looked,
        key=lambda one: (
            ranks[one.scope.folder],
            one.path.parent.as_posix(),
            stem(one.path.name),
            not one.path.name.endswith(AGENT),
        ),
    )


def settled(catalog: Catalog) -> Catalog:
    """The catalog with a note on each folder that has more files than the CLI reads."""
    return replace(catalog, notes=lambda: tuple(_notes(catalog)))


def alone_in_vs(catalog: Catalog) -> Catalog:
    """The catalog as VS Code alone has it, which refuses no file."""
    return replace(
        catalog,
        names=names_in_vs(catalog),
        candidates=lambda name: tuple(
            one for one in catalog.candidates(name) if is_in_vs(catalog, one)
        ),
        skipped=tuple,
    )


def alone_in_cli(catalog: Catalog) -> Catalog:
    """The catalog as Copilot CLI alone has it: the agents that it loads, by its names for them."""
    found: dict[str, list[Candidate]] = {}
    for key, (one, reading) in of_cli(catalog).items():
        name = name_in_cli(key, reading)
        found.setdefault(name, []).append(replace(one, name=name))
    return replace(
        settled(catalog),
        names=tuple(sorted(found)),
        candidates=lambda name: tuple(found.get(name, ())),
        skipped=lambda: tuple(
            (one, errors[0].message)
            for one in _candidates_of_cli(catalog)
            if (errors := read_by_cli(catalog, one).errors)
        ),
    )


def _notes(catalog: Catalog) -> Iterator[str]:
    counts = Counter(one.scope.folder for one in _candidates_of_cli(catalog))
    for folder, many in counts.items():
        if many > MOST_FILES:
            yield f"{crowded(many)}: {folder}"


def crowded(many: int) -> str:
    """What the CLI makes of a folder with so `many` files, which are too many."""
    said = f"Copilot CLI reads {MOST_FILES} of the {many} files in the folder"
    return f"{said}, and the disk decides which"


def read_by_cli(catalog: Catalog, one: Candidate) -> Reading:
    """What the CLI reads in a file."""
    from agent_lsp.dialects.copilot.dialect import CLI_DIALECT  # noqa: PLC0415 - it names us

    return catalog.read_as(one, CLI_DIALECT)


def name_in_cli(key: str, reading: Reading) -> str:
    """The name by which a call of the CLI means an agent: the one in the header, or the id."""
    value = reading.effective.settings.get("name")
    return (value.text if value is not None else "") or key


def place_of(one: Candidate) -> Span:
    """Where the name of an agent stands, or the start of its file."""
    return one.span or Span(0, 0)
