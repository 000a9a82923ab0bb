"""Finds the layers of a session: a folder with a `config.toml`, and the folder of agents in it.

Invariant: the nearest layer comes first, and the user's after those of the project.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.codex_agents import AGENTS, CONFIG, FILE, MANAGED_FILE, keys, roles
from agent_lsp.model.runtime import Candidate, Catalog, Scope
from agent_lsp.model.template import Reading, Value
from agent_lsp.workspace.paths import led

_PROJECT, _MANAGED, _ADMINISTRATOR = "project", "managed", "administrator"


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: the scope of its agents' files, and its configuration, or None without one.

    The administrator's configuration has no files of its own, and the `scope` of the system.
    """

    scope: Scope
    config: Candidate | None

    @property
    def is_project(self) -> bool:
        """Whether it belongs to the project, so that it needs the user's trust."""
        return self.scope.kind == _PROJECT


@dataclass(frozen=True, slots=True)
class Table:
    """A table `[agents.<role>]` of a layer; `file` is what its `config_file` leads to."""

    name: str
    config: Candidate
    settings: dict[str, Value]
    file: Path | None


def layers(catalog: Catalog) -> tuple[Layer, ...]:
    """The layers of a session, the nearest first."""
    configs = {
        scope.folder: Candidate("", scope.folder / FILE, scope)
        for scope in catalog.scopes
        if scope.form == CONFIG
    }
    found = {
        scope.folder.parent: scope
        for scope in catalog.scopes
        if scope.form != CONFIG and not scope.builtin
    }
    for folder, config in configs.items():
        if folder not in found:
            found[folder] = replace(config.scope, folder=folder / "agents", deep=True, form=AGENTS)
    ordered = sorted(found.items(), key=lambda one: _order(one[1]))
    own = tuple(Layer(scope, configs.get(folder)) for folder, scope in ordered)
    return (*_managed(own), *own)


def _managed(found: tuple[Layer, ...]) -> Iterator[Layer]:
    """The layer of the administrator, which goes before all others."""
    for layer in found:
        if layer.config is not None and layer.scope.kind == _MANAGED:
            path = layer.config.path.with_name(MANAGED_FILE)
            yield Layer(
                replace(layer.scope, label=_ADMINISTRATOR), replace(layer.config, path=path)
            )


def layer_of(candidate: Candidate) -> tuple[Path, bool]:
    """The layer of a definition: its folder, and whether it is that of the administrator."""
    scope = candidate.scope
    folder = scope.folder if scope.form == CONFIG else scope.folder.parent
    return folder, scope.label == _ADMINISTRATOR or candidate.path.name == MANAGED_FILE


def _order(scope: Scope) -> tuple[int, int]:
    """Layers of a project are nearer the deeper they are; that of the system comes last."""
    if scope.kind == _PROJECT:
        return 0, -len(scope.folder.parts)
    return (2 if scope.kind == _MANAGED else 1), 0


def tables(reading: Reading, config: Candidate) -> Iterator[Table]:
    """The roles that a configuration declares, in the order in which the runtime takes them.

    A configuration with both names of a setting declares none.
    """
    settings = reading.declared.settings
    agents = settings.get(keys.AGENTS)
    both = (f"{keys.AGENTS}.{name}" for name in (roles.THREADS, roles.SHORT_THREADS))
    records = agents.records if agents is not None and not all(map(settings.get, both)) else ()
    for record in sorted(records, key=lambda one: one.values["role"].text):
        name, file = record.values["role"].text, record.values.get(roles.FILE)
        own = {
            key: record.values[key]
            for key in (roles.DESCRIPTION, keys.NICKNAMES)
            if key in record.values
        }
        path = led_to(config.path, file.text) if file is not None else None
        yield Table(name, replace(config, name=name, span=record.span), own, path)


def led_to(config: Path, written: str) -> Path | None:
    """The file that `config_file` means in the configuration at `config`; None on another share."""
    return led(config.parent, written)
