"""The text of `docs/dialects/README.md`: all systems side by side, from the tables in the code."""

from collections.abc import Callable, Iterable
from pathlib import Path

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import ValueKind
from tests.systems import DIALECTS

PAGE = Path(__file__).parents[1] / "docs" / "dialects" / "README.md"
_NONE = "–"

FEATURES: tuple[tuple[str, Callable[[Dialect], str]], ...] = (
    ("runtime", lambda dialect: dialect.runtime),
    ("source", lambda dialect: f"{dialect.source.where}, read {dialect.source.read}"),
    ("scopes, the first one wins", lambda dialect: "<br>".join(_places(dialect))),
    ("keys", lambda dialect: _codes(key.name for key in dialect.schema.keys)),
    ("lists of mappings", lambda dialect: _codes(_holding(dialect, ValueKind.RECORDS))),
    ("keys that it ignores", lambda dialect: _codes(dialect.schema.ignored)),
    ("without a header", lambda dialect: dialect.format.consequence.header_absent),
    ("with a header that it refuses", lambda dialect: dialect.format.consequence.header_refused),
    (
        "personas",
        lambda dialect: f"`{dialect.format.marker('NAME')}`" if dialect.format.marker else _NONE,
    ),
    ("a name without a template", lambda dialect: _code(dialect.names.default_name)),
    ("patterns for tools", lambda dialect: _codes(glob.name for glob in dialect.tools.globs)),
    ("tools", lambda dialect: str(len(dialect.tools.listed))),
    (
        "tools that no agent has",
        lambda dialect: _codes(tool.name for tool in dialect.tools.withheld),
    ),
    ("models that it ships", lambda dialect: str(len(dialect.models.listed) or _NONE)),
    ("lists agents with", lambda dialect: _code(dialect.calls.list_call)),
    ("describes one with", lambda dialect: _code(dialect.calls.describe_call)),
    ("starts one with", lambda dialect: _code(dialect.calls.spawn_call)),
    (
        "arguments of that",
        lambda dialect: _codes(one.name for one in dialect.calls.spawn_parameters),
    ),
    ("shares its folders", lambda dialect: "yes" if dialect.system.shared else "no"),
    ("diagnostics", lambda dialect: str(len(dialect.findings.severities))),
)


def comparison() -> str:
    """The page: a row for each feature, a column for each system."""
    named = [f"[{dialect.id}]({dialect.id}.md)" for dialect in DIALECTS]
    rows = [
        "# The systems side by side",
        "",
        "This page compares the systems, feature by feature. The page of each system has the",
        "details, and [the list of rules](../rules/README.md) compares their diagnostics.",
        "",
        f"| | {' | '.join(named)} |",
        f"|---|{'---|' * len(DIALECTS)}",
    ]
    for title, of in FEATURES:
        cells = (of(dialect).replace("|", "\\|") for dialect in DIALECTS)
        rows.append(f"| {title} | {' | '.join(cells)} |")
    pages = {page.stem for page in PAGE.parent.glob("*.md")} - {"README"}
    unoffered = sorted(pages - {dialect.id for dialect in DIALECTS})
    if unoffered:
        links = ", ".join(f"[{name}]({name}.md)" for name in unoffered)
        rows += ["", f"Known, but not offered yet: {links}."]
    return "\n".join((*rows, ""))


def _places(dialect: Dialect) -> list[str]:
    files = sorted(dialect.system.files) or ["*.md"]
    found = []
    for rule in dialect.system.scopes:
        own = rule.folders if rule.may_be_file else ()
        below = (f"{folder}/{name}" for folder in rule.folders for name in files)
        paths = _codes(own or below)
        found.append(rule.label if rule.builtin else f"{rule.label}: {paths}")
    return found


def _holding(dialect: Dialect, kind: ValueKind) -> list[str]:
    return [key.name for key in dialect.schema.keys if key.kind is kind]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or _NONE


def _code(name: str | None) -> str:
    return f"`{name}`" if name else _NONE
