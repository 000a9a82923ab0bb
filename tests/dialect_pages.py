"""The text of `docs/dialects/README.md`: all systems side by side, from the tables in the code."""

from collections.abc import Callable, Iterable
from pathlib import Path

from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Kind

PAGE = Path(__file__).parents[1] / "docs" / "dialects" / "README.md"
_NONE = "–"

FEATURES: tuple[tuple[str, Callable[[Dialect], str]], ...] = (
    ("runtime", lambda known: known.runtime),
    ("source", lambda known: f"{known.source.where}, read {known.source.read}"),
    ("places, the first one wins", lambda known: "<br>".join(_places(known))),
    ("keys", lambda known: _codes(key.name for key in known.keys)),
    ("lists of mappings", lambda known: _codes(_holding(known, Kind.RECORDS))),
    ("keys that it ignores", lambda known: _codes(known.ignored)),
    ("without a header", lambda known: known.consequence.header_absent),
    ("with a header that it refuses", lambda known: known.consequence.header_refused),
    ("personas", lambda known: f"`{known.marker('NAME')}`" if known.marker else _NONE),
    ("a name without a template", lambda known: _code(known.default_name)),
    ("patterns for tools", lambda known: _codes(glob.name for glob in known.globs)),
    ("tools", lambda known: str(len(known.tools))),
    ("tools that no agent has", lambda known: _codes(tool.name for tool in known.withheld)),
    ("models that it ships", lambda known: str(len(known.models) or _NONE)),
    ("lists agents with", lambda known: _code(known.list_call)),
    ("describes one with", lambda known: _code(known.describe_call)),
    ("starts one with", lambda known: _code(known.spawn_call)),
    ("arguments of that", lambda known: _codes(one.name for one in known.spawn_parameters)),
    ("shares its folders", lambda known: "yes" if known.shared else "no"),
    ("diagnostics", lambda known: str(len(known.severities))),
)


def comparison() -> str:
    """The page: a row for each feature, a column for each system."""
    named = [f"[{known.id}]({known.id}.md)" for known in DIALECTS]
    rows = [
        "# The systems side by side",
        "",
        "What each system does differently, feature by feature. The page of a system has the rest,",
        "and [the list of rules](../rules/README.md) compares them mistake by mistake.",
        "",
        f"| | {' | '.join(named)} |",
        f"|---|{'---|' * len(DIALECTS)}",
    ]
    for title, of in FEATURES:
        cells = (of(known).replace("|", "\\|") for known in DIALECTS)
        rows.append(f"| {title} | {' | '.join(cells)} |")
    pages = {page.stem for page in PAGE.parent.glob("*.md")} - {"README"}
    unoffered = sorted(pages - {known.id for known in DIALECTS})
    if unoffered:
        links = ", ".join(f"[{name}]({name}.md)" for name in unoffered)
        rows += ["", f"Known, but not offered yet: {links}."]
    return "\n".join((*rows, ""))


def _places(known: Dialect) -> list[str]:
    files = sorted(known.files) or ["*.md"]
    found = []
    for rule in known.scopes:
        paths = _codes(f"{folder}/{name}" for folder in rule.folders for name in files)
        found.append(rule.label if rule.builtin else f"{rule.label}: {paths}")
    return found


def _holding(known: Dialect, kind: Kind) -> list[str]:
    return [key.name for key in known.keys if key.kind is kind]


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or _NONE


def _code(name: str | None) -> str:
    return f"`{name}`" if name else _NONE
