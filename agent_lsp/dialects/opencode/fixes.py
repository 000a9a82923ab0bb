"""Fixes for agents of OpenCode alone.

Invariant: what changes which tools an agent has is not safe.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from agent_lsp.analysis.checks import coerce
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import line_start, node_path, whole_line
from agent_lsp.analysis.fixes.replace import renamed
from agent_lsp.dialects.opencode import reading
from agent_lsp.dialects.opencode.facts import ALLOW, DENY, EVERY
from agent_lsp.dialects.opencode.generations import as_first, as_second, mapped
from agent_lsp.dialects.opencode.rules import Rule, of_permission, of_tools, rules
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Node, Scalar, Sequence, resolve
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote_key
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

# Tools of other systems, in lower case, by what they are here.
_HERE = {
    **{name: name for name in ("bash", "read", "glob", "grep", "edit", "webfetch", "websearch")},
    **{name: name for name in ("task", "todowrite", "skill", "question")},
    **dict.fromkeys(("write", "multiedit", "notebookedit", "patch", "apply_patch"), "edit"),
    **dict.fromkeys(("agent", "subagent"), "task"),
    **dict.fromkeys(("web_fetch", "fetch"), "webfetch"),
    **dict.fromkeys(("web_search",), "websearch"),
    **dict.fromkeys(("shell", "execute", "run", "runcommands", "terminal"), "bash"),
    **dict.fromkeys(("search", "codebase"), "grep"),
    **dict.fromkeys(("todo", "todos"), "todowrite"),
    **dict.fromkeys(("ls", "list"), "read"),
}


def quoted(_file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A value with a colon gets quotes."""
    for word in diagnostic.meant:
        yield Proposal("Put it in quotes", (TextEdit(diagnostic.span, word),), safe=True)


# The program skips tabs in front of a key, so that the lines below a key are none of its value.
_TABBED = regex(r"(?:[ ]*\t[ \t]*[^\s][^\r\n]*(?:\r?\n|\Z)|[ \t]*\r?\n)+")
_TABS = regex(r"^ *\t[ \t]*(?=\S)", re.MULTILINE)


def indented(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The lines below a key without a value get blanks instead of the tabs in front of them."""
    text, inner = file.document.text, file.document.frontmatter.inner
    if _is_json(file):
        return
    start = line_start(text, diagnostic.span.start)
    while start > inner.start and _TABS.match(text, start):
        start = line_start(text, start - 1)
    below = _TABBED.match(text, whole_line(text, start).end, inner.end)
    if below is None or not whole_line(text, start).of(text).rstrip().endswith(":"):
        return
    edits = tuple(
        TextEdit(Span(*one.span()), one[0].replace("\t", "  "))
        for one in _TABS.finditer(text, below.start(), below.end())
    )
    yield Proposal("Use spaces instead of tabs", edits, safe=True)


def rules_for_tools(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A list of tools becomes rules that allow these and nothing else."""
    at = node_path(file, diagnostic.span)
    entry = at.entry if at is not None else None
    if at is None or entry is None or entry.name != "tools" or at.mapping is None:
        return
    if at.mapping.get("permission") is not None or at.flow:
        return
    names = tuple(_listed(resolve(entry.value)))
    found = tuple(dict.fromkeys(_HERE.get(name.lower(), "") for name in names))
    if not names or "" in found:
        return
    lines = [f"  '{EVERY}': {DENY}", *(f"  {name}: {ALLOW}" for name in found)]
    yield _as_permission(file, entry, lines, "Allow these tools and nothing else, by `permission`")


def migrated(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """The older `tools` becomes `permission`, before the rules that are there already."""
    at = node_path(file, diagnostic.span)
    entry = at.entry if at is not None else None
    if at is None or entry is None or entry.name != "tools" or at.mapping is None:
        return
    beside = at.mapping.get("permission")
    older = of_tools(entry)
    newer = of_permission(beside) if beside is not None else None
    if older is None or not older.records or (beside is not None and newer is None):
        return
    title, text = "Write it as `permission`", file.document.text
    names = _by_name(rules({"tools": older}))
    if beside is None and not at.flow:
        yield _as_permission(file, entry, list(mapped(names)), title)
        return
    removal = () if beside is None else edit.remove_entry(text, entry)
    node = resolve(beside.value) if beside is not None else None
    is_block = isinstance(node, NodeMapping) and not node.flow and not at.flow and node.entries
    if beside is not None and is_block and isinstance(node, NodeMapping):
        own = {one.name for one in node.entries}
        start = node.entries[0].key.span.start
        indent = text[text.rfind("\n", 0, start) + 1 : start]
        if own.isdisjoint(names) and not indent.strip(" "):
            line_end = f"{_line_end(text)}{indent}"
            first = line_end.join(one.removeprefix("  ") for one in mapped(names))
            edits = (*removal, TextEdit(Span(start, start), f"{first}{line_end}"))
            yield Proposal(title, tuple(sorted(edits, key=lambda one: one.span)))
            return
    both = {"tools": older} if newer is None else {"tools": older, "permission": newer}
    whole = _by_name(rules(both))
    if at.flow:
        place = beside or entry
        made = f"{_key(file, 'permission')}: {_braces(file, whole)}"
        edits = (*removal, TextEdit(place.span, made))
        yield Proposal(title, tuple(sorted(edits, key=lambda one: one.span)))
    elif beside is not None:
        [change] = _as_permission(file, beside, list(mapped(whole)), title).edits
        is_lossy = "#" in change.span.of(text)
        edits = tuple(sorted((*removal, change), key=lambda one: one.span))
        yield Proposal(f"{title}, without some comments" if is_lossy else title, edits)


def _by_name(found: Iterable[Rule]) -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = {}
    for rule in found:
        names.setdefault(rule.permission, {})[rule.pattern] = rule.action
    return names


def _braces(file: TemplateFile, found: Mapping[str, Mapping[str, str]]) -> str:
    """The rules between braces, in the notation of a file."""
    parts = (
        f"{_key(file, name)}: "
        + (_key(file, uses[EVERY]) if tuple(uses) == (EVERY,) else _in_braces(file, uses))
        for name, uses in found.items()
    )
    return f"{{{', '.join(parts)}}}"


def _in_braces(file: TemplateFile, uses: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{_key(file, use)}: {_key(file, do)}' for use, do in uses.items())}}}"


def _key(file: TemplateFile, word: str) -> str:
    return json.dumps(word, ensure_ascii=False) if _is_json(file) else quote_key(word)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _as_permission(file: TemplateFile, entry: Entry, lines: list[str], title: str) -> Proposal:
    text = _line_end(file.document.text).join(("permission:", *lines))
    end = entry.value.span.end if entry.value is not None else entry.key.span.end
    written = file.document.text[entry.key.span.start : end]
    kept = len(written) - len(written.rstrip("\r\n \t"))
    return Proposal(title, (TextEdit(Span(entry.key.span.start, end - kept), text),))


def _listed(node: Node | None) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield from coerce.names(node.value)
    elif isinstance(node, Sequence):
        for item in map(resolve, node.items):
            yield item.value.strip() if isinstance(item, Scalar) else ""


def reworded(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A value becomes the word that was meant."""
    at = node_path(file, diagnostic.span)
    entry = at.entry if at is not None else None
    if at is None or entry is None or len(diagnostic.meant) != 1:
        return
    word = diagnostic.meant[0]
    if word in ("true", "false"):
        was = diagnostic.span.of(file.document.text)
        edits: tuple[TextEdit, ...] = (TextEdit(diagnostic.span, word),)
        yield Proposal(f"Replace {code(was)} with {code(word)}", edits, safe=True)
    elif word.startswith("#"):
        edits = edit.replace_value(file.document.text, entry, word, flow=at.flow)
        yield Proposal(f"Write {code(word)}", edits, safe=True)


def renamed_in_table(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A key of a JSON file gets the name that was meant."""
    at = node_path(file, diagnostic.span)
    if at is None or at.entry is None or at.entry.key.span != diagnostic.span:
        return
    is_free = at.mapping is not None and all(
        at.mapping.get(one) is None for one in diagnostic.meant
    )
    if file.dialect.schema.is_tables and len(diagnostic.meant) == 1 and is_free:
        name = diagnostic.meant[0]
        edits = (TextEdit(diagnostic.span, json.dumps(name)),)
        is_slip = diagnostic.code == "unknown-key"
        title = f"Rename {code(at.entry.name or '')} to {code(name)}"
        yield Proposal(title, edits, safe=is_slip)


def as_first_generation(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A list of rules of the second generation becomes a mapping of the first one."""
    at = node_path(file, diagnostic.span)
    entry = at.entry if at is not None else None
    if at is None or entry is None or entry.name != "permissions" or at.flow:
        return
    if at.mapping is None or at.mapping.get("permission") is not None or _is_json(file):
        return
    _, *lines = as_first(entry) or ("",)
    if lines:
        yield _as_permission(file, entry, lines, "Write its rules as `permission`")


def as_second_generation(file: TemplateFile, _diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A header of the first generation becomes one of the second."""
    top = reading.root(file.document)
    inner = file.document.frontmatter.inner
    is_yaml = reading.language(file.document) in ("", "yaml", "yml")
    if top is None or not is_yaml or reading.fate(file.document) is not reading.Fate.READ:
        return
    made = as_second(file.document.text, inner, top)
    if made is not None:
        lost = [*map(code, made.lost), *(["some comments"] if made.loses_comments else [])]
        without = f", without {' and '.join(lost)}" if lost else ""
        title = f"Write the header for OpenCode 2{without}"
        yield Proposal(title, (TextEdit(inner, made.text),), caveat="OpenCode 1 reads less of it")


_DOUBLE, _SINGLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb", "'\u2018\u2019\u201a\u201b"
# What JSON has, closed or not, and behind it texts in quotes of another kind with no escapes.
_IN_QUOTES = regex(
    r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)'
    rf'|(?P<odd>[{_DOUBLE}](?P<double>[^"{_DOUBLE}\\\n]*)[{_DOUBLE}]'
    rf'|[{_SINGLE}](?P<single>[^"{_SINGLE}\\\n]*)[{_SINGLE}])',
    re.DOTALL,
)


def straightened(file: TemplateFile, _diagnostic: Diagnostic) -> Iterator[Proposal]:
    """All texts of a JSON file that have other quotes get straight double ones."""
    if not _is_json(file):
        return
    inner = file.document.frontmatter.inner
    span = inner if len(inner) else Span(0, len(file.document.text))
    edits = tuple(
        TextEdit(
            Span(*one.span("odd")),
            json.dumps(one["double"] or one["single"] or "", ensure_ascii=False),
        )
        for one in _IN_QUOTES.finditer(file.document.text, span.start, span.end)
        if one["odd"]
    )
    if edits:
        yield Proposal("Use straight double quotes", edits, safe=True)


def _is_json(file: TemplateFile) -> bool:
    return file.dialect.schema.is_tables or reading.language(file.document) == "json"


FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "deprecated-key": (migrated, renamed_in_table),
    "header-invalid": (straightened,),
    "ignored-key": (as_first_generation, renamed_in_table, renamed),
    "other-generation": (as_second_generation,),
    "unknown-key": (indented, renamed_in_table),
    "unknown-tool": (renamed_in_table,),
    "invalid-value": (reworded,),
    "unquoted-text": (quoted,),
    "wrong-type": (indented, rules_for_tools, reworded),
}
