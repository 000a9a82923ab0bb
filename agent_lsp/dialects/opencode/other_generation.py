"""Says for which generation of OpenCode a file is written, and what the other one makes of it.

Facts: the loader of the second generation inside of OpenCode 1.18.33, measured 2026-11-28, and
opencode.ai/docs (permissions, migrate-v1), read on the same day: without a rule that matches, the
second generation asks a person.
"""

from agent_lsp.analysis.checks.messages import some
from agent_lsp.dialects.opencode import AGENTS, config, header_text, reading, second
from agent_lsp.dialects.opencode.facts import FIRST, SECOND
from agent_lsp.dialects.opencode.generations import own_keys, written_for
from agent_lsp.dialects.opencode.second import DROPPED
from agent_lsp.dialects.opencode.values import members
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.syntax import json, nodes
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import whole
from agent_lsp.syntax.nodes import resolve

_MOST_NAMED = 4
_STOPS = "OpenCode 1 does not start in a project with this file"
_TRANSLATED = "written for OpenCode 1; OpenCode 2 translates it"
_ASKS = "asks a person where none of its rules matches"


def in_other(catalog: Catalog, candidate: Candidate) -> str:
    """What the generation that is not in use makes of an agent; empty if its file has no header.

    Of a header that cannot be read both make the same.
    """
    text = catalog.text(candidate.path)
    if not text:
        return ""
    if candidate.scope.form != AGENTS:
        is_second = catalog.read(candidate).generation == SECOND
        return _of_table(
            parse(text, whole, read=json.parse_open), candidate.name, is_second=is_second
        )
    has_mark = text.startswith("\ufeff")
    document = parse(text[has_mark:], reading.split, bom=has_mark, read=header_text.parse)
    top = reading.root(document)
    if top is None:
        return ""
    is_second = catalog.read(candidate).generation == SECOND
    return _in_first(document, top) if is_second else _in_second(document, top)


def _of_table(document: Document, name: str, *, is_second: bool) -> str:
    """What the other generation makes of an agent in a JSON file."""
    if is_second and config.read(document, name).errors:
        return _STOPS
    if not is_second and second.read_table(document, name).possible_errors:
        return f"{DROPPED}, and all of its agents"
    if second.is_newer(document, name):
        return "written for OpenCode 2; OpenCode 1 reads some of its keys, and no rules"
    if is_second:
        return _TRANSLATED
    entry = config.tables(document).get(name)
    node = resolve(entry.value) if entry is not None else None
    has_name = isinstance(node, nodes.Mapping) and "name" in members(node)
    lost = " without `name`," if has_name else ""
    kept = " leaves `{file:…}` as it is," if next(config.references(document.text), None) else ""
    return f"{_TRANSLATED},{lost}{kept} and {_ASKS}"


def _in_second(document: Document, top: nodes.Mapping) -> str:
    if any(one.message == DROPPED for one in second.read(document).possible_errors):
        return DROPPED
    if written_for(top) == FIRST:
        lost = " without `name`," if "name" in members(top) else ""
        return f"{_TRANSLATED},{lost} and {_ASKS}"
    if written_for(top) == SECOND:
        return _of_second(top)
    return f"both generations read it; OpenCode 2 {_ASKS}"


def _in_first(document: Document, top: nodes.Mapping) -> str:
    if reading.read(document).errors:
        return _STOPS
    if written_for(top) == SECOND:
        return _of_second(top)
    if written_for(top) == FIRST:
        return _TRANSLATED
    return "both generations read it; OpenCode 1 allows what no rule matches"


def _of_second(top: nodes.Mapping) -> str:
    names = some(own_keys(top), _MOST_NAMED, "and")
    return (
        f"written for OpenCode 2; OpenCode 1 sends {names} to the model, as options without effect"
    )
