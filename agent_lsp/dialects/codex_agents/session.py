"""Tells what a session makes of its agents as a whole: trust, switches, defaults.

Invariants: diagnostics do not depend on this machine's trust, and lists and spawns do. A setting of
the nearest layer counts, key by key; of a project that is not trusted, none does.
Facts: measured with `@openai/codex` 0.171.0, 2026-11-28 and 2026-11-29 (scenes 05, 14, 23, 29 and
34, and those with a `config.toml` of `tests/conformance/codex-agents-scenes.jsonl`).
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.dialects.codex_agents import facts, keys, roles
from agent_lsp.dialects.codex_agents.decode import PROJECTS, TRUST
from agent_lsp.dialects.codex_agents.layers import Layer, layers
from agent_lsp.model.runtime import Candidate, Catalog, CatalogFailure
from agent_lsp.model.template import LoadError, LoadErrorKind, Reading, Value
from agent_lsp.patterns import regex

_TRUSTED = "trusted"
_HOW = "trust it with `codex exec --trust`, or when an interactive session asks"
_V1, _V2 = "features.multi_agent", "features.multi_agent_v2"


@dataclass(frozen=True, slots=True)
class Trust:
    """Whether the project's layers count, as far as the user's configuration says so.

    `why` is a clause for people; it is empty for a project that is trusted.
    """

    counts: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the session, and the configuration that has it."""

    config: Candidate
    value: Value


def trust(catalog: Catalog) -> Trust:
    """What the user decided about the project; undecided counts where nothing was ever decided."""
    if not any(layer.is_project for layer in layers(catalog)):
        return Trust(True)
    decided: dict[Path, str] = {}
    for layer in layers(catalog):
        if layer.config is not None and not layer.is_project:
            found = catalog.read(layer.config).declared.settings.get(PROJECTS)
            for record in found.records if found is not None else ():
                path = type(catalog.root)(record.values["path"].text)
                decided.setdefault(path, record.values[TRUST].text)
    levels = [decided[one] for one in catalog.repository() if one in decided]
    if levels:
        is_trusted = levels[0] == _TRUSTED
        why = f"`config.toml` of the user says that the project is not trusted; {_HOW}"
        return Trust(is_trusted, "" if is_trusted else why)
    if not decided:
        return Trust(True, f"if the project is not trusted, its agents do not exist; {_HOW}")
    return Trust(False, f"the project is not among the user's trusted projects; {_HOW}")


def as_trusted(catalog: Catalog) -> Catalog:
    """The catalog without the project's agents and configurations, if it is not trusted."""
    if trust(catalog).counts:
        return catalog
    scopes = tuple(scope for scope in catalog.scopes if scope.kind != "project")

    def candidates(name: str) -> tuple[Candidate, ...]:
        return tuple(one for one in catalog.candidates(name) if one.scope.kind != "project")

    names = tuple(name for name in catalog.names if candidates(name))
    return replace(catalog, scopes=scopes, names=names, candidates=candidates)


def setting(catalog: Catalog, name: str) -> Setting | None:
    """The setting with the dotted `name` of the nearest layer that has it, or None."""
    for layer in layers(catalog):
        value = _settings(catalog, layer).get(name)
        if layer.config is not None and value is not None:
            return Setting(layer.config, value)
    return None


def _settings(catalog: Catalog, layer: Layer) -> dict[str, Value]:
    if layer.config is None:
        return {}
    return dict(catalog.read(layer.config).declared.settings)


def failure(catalog: Catalog) -> CatalogFailure | None:
    """The configuration for which the program does not start, with what it prints; or None.

    It reads all layers, the farthest first, and then looks at what they make together: a wrong
    value keeps no program from starting where a nearer layer has another one.
    """
    read = [
        (layer.config, catalog.read(layer.config), layer.is_project)
        for layer in reversed(layers(catalog))
        if layer.config is not None
    ]
    for config, reading, is_project in read:
        for error in reading.errors:
            if error.kind is LoadErrorKind.SYNTAX:
                said = error.message if is_project else _of_user(error)
                return _failed(config, said, error)
    waiting: dict[str, tuple[Candidate, LoadError]] = {}
    for config, reading, _ in read:
        for name in reading.declared.settings:
            waiting.pop(name, None)
        for role in _roles(reading):
            waiting.pop(role, None)
        own: dict[str, tuple[Candidate, LoadError]] = {}
        for error in reading.errors:
            own.setdefault(error.key, (config, error))
        waiting |= own
    # What the whole makes is checked when all of it has the right types.
    late = (one for one in waiting.values() if one[1].kind is LoadErrorKind.CONTENT)
    early = (one for one in waiting.values() if one[1].kind is not LoadErrorKind.CONTENT)
    found = next(early, None) or next(late, None)
    return None if found is None else _failed(found[0], found[1].message, found[1])


def _failed(config: Candidate, message: str, error: LoadError) -> CatalogFailure:
    return CatalogFailure(config, message.replace("…", str(config.path)), error)


def _roles(reading: Reading) -> Iterator[str]:
    """The dotted names of the roles of a configuration, and of what they set."""
    agents = reading.declared.settings.get(keys.AGENTS)
    for record in agents.records if agents is not None else ():
        name = f"{keys.AGENTS}.{record.values['role'].text}"
        yield name
        yield from (f"{name}.{key}" for key in record.values)


_PRINTED = regex(
    r"(Error loading config\.toml:) .*: TOML parse error at line (\d+), column (\d+)\n"
    r"(.*\n\d+ \| (.*?))\r?\n([^^]*)\^+\n(.*)"
)


def _of_user(error: LoadError) -> str:
    """What the program prints of a text that is no TOML outside of a project: the reason first.

    It underlines characters there, and bytes in files of a project.
    """
    found = _PRINTED.fullmatch(error.message)
    if found is None:
        return error.message
    start, number, column, excerpt, line, gutter, reason = found.groups()
    rest = len(line) - int(column) + 1
    marks = "^" * max(1, min(error.span.end - error.span.start, rest))
    return f"{start}\n…:{number}:{column}: {reason}\n{excerpt}\n{gutter}{marks}"


def switched_off(catalog: Catalog, *, is_first: bool | None) -> str:
    """Why the session has no agent tools, or nothing if it has some.

    Where the kind of tools is not known, only what takes both kinds away counts.
    """
    second = setting(catalog, _V2)
    if second is not None and second.value.value is True:
        return ""
    enabled = setting(catalog, f"{keys.AGENTS}.{roles.ENABLED}")
    if enabled is not None and enabled.value.value is False:
        return _off(f"{keys.AGENTS}.{roles.ENABLED} = false", enabled)
    if not is_first:
        return ""
    depth = setting(catalog, f"{keys.AGENTS}.{roles.DEPTH}")
    if depth is not None and isinstance(depth.value.value, int) and depth.value.value <= 0:
        return _off(f"{keys.AGENTS}.{roles.DEPTH} = {depth.value.value}", depth)
    first = setting(catalog, _V1)
    if first is not None and first.value.value is False:
        return _off(f"{_V1} = false", first)
    return ""


def _off(written: str, by: Setting) -> str:
    where = by.config.path.parent.name + "/" + by.config.path.name
    return f"`{written}` in `{where}` removes the agent tools of the session"


def model(catalog: Catalog) -> str | None:
    """The session's model, if a configuration names it."""
    found = setting(catalog, "model")
    return found.value.text if found is not None else None


def has_first_kind(catalog: Catalog, model: str | None) -> bool | None:
    """Whether a session with `model` has agent tools of the first kind; None if it is unknown."""
    second = setting(catalog, _V2)
    if second is not None and second.value.value is True:
        return False
    if model is None:
        return None
    known = {one.name for one in facts.MODELS} | facts.HIDDEN
    return model in facts.FIRST_KIND or model not in known


def notes(catalog: Catalog) -> tuple[str, ...]:
    """What decides about all agents of a session, in our words."""
    failed = failure(as_trusted(catalog))
    if failed is not None:
        first = failed.message.partition("\n")[0]
        return (f"Codex does not start, so there are no agents: {first}",)
    found = trust(catalog)
    said = [] if not found.why else [found.why]
    if not found.counts:
        said = [f"the agents of the project do not exist in a session: {found.why}"]
    inner = as_trusted(catalog)
    is_first = has_first_kind(inner, model(inner))
    off = switched_off(inner, is_first=is_first) or (
        "" if is_first is not None else _if_first(inner)
    )
    return (*said, *([off] if off else []))


def _if_first(catalog: Catalog) -> str:
    off = switched_off(catalog, is_first=True)
    return f"with a model whose agent tools are of the first kind: {off}" if off else ""
