"""A system that no real program has, to show that the core takes one without knowing it.

An agent is a Markdown file in `.planted/agents`, a table in `planted.json` or `planted.toml`, or
several of these, setting by setting. Two programs read the Markdown files, and they do not agree.
Nothing in `agent_lsp` names it: `SYSTEMS` here is all that `python -m tests.planted` adds to the
list of systems.
"""

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import ScopeRule
from agent_lsp.model.system import System

FILES, TABLES, TOML = "planted", "planted-tables", "planted-toml"
CONFIG, TOML_CONFIG = "planted.json", "planted.toml"


def _load() -> Dialect:
    from tests.planted.dialect import FILE  # noqa: PLC0415 - when a file is met

    return FILE


def _load_tables() -> Dialect:
    from tests.planted.dialect import TABLE  # noqa: PLC0415 - when a file is met

    return TABLE


def _load_toml() -> Dialect:
    from tests.planted.dialect import TOML_TABLE  # noqa: PLC0415 - when a file is met

    return TOML_TABLE


SYSTEMS = (
    System(
        id=TABLES,
        title="Planted tables",
        runtime="Planted",
        family="planted",
        load=_load_tables,
        scopes=(ScopeRule("project", "project", (".",), marker=CONFIG, form=TABLES),),
        files=frozenset({CONFIG}),
    ),
    System(
        id=FILES,
        title="Planted agents",
        runtime="Planted",
        family="planted",
        load=_load,
        scopes=(ScopeRule("project", "project", (".planted/agents",), form=FILES),),
    ),
    System(
        id=TOML,
        title="Planted tables in TOML",
        runtime="Planted",
        family="planted",
        load=_load_toml,
        scopes=(ScopeRule("project", "project", (".",), marker=TOML_CONFIG, form=TOML),),
        files=frozenset({TOML_CONFIG}),
    ),
)
