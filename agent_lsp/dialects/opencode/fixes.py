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
from agent_lsp.dialects.opencode.facts import ALLOW, AS_EDIT, DENY, EVERY
from agent_lsp.dialects.opencode.generations import as_first, as_second, mapped
from agent_lsp.dialects.opencode.rules import Rule, of_permission, of_tools, rules
from agent_lsp.dialects.opencode.values import value_of
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Node, Scalar, Sequence, resolve
from agent_lsp.syntax.nodes import Mapping as NodeMapping
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote_key
from agent_lsp.text import Span, TextEdit, apply
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
    lines = [
        *(f"  {comment}" for comment in _comments(file, entry.span)),
        f"  '{EVERY}': {DENY}",
        *(f"  {name}: {ALLOW}" for name in found),
    ]
    yield _as_permission(file, entry, lines, "Allow only these tools, with `permission`")


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
    node = resolve(entry.value)
    are_apart = isinstance(node, NodeMapping) and len(node.entries) == len(older.records)
    if beside is None and are_apart and isinstance(node, NodeMapping):
        renaming = TextEdit(entry.key.span, _key(file, "permission"))
        yield Proposal(title, (renaming, *_actions(file, node)))
        return
    removal = () if beside is None else edit.remove_entry(text, entry)
    there = resolve(beside.value) if beside is not None else None
    if are_apart and isinstance(node, NodeMapping) and isinstance(there, NodeMapping):
        names = {one.permission for one in rules({"tools": older})}
        insertion = _moved(file, entry, node, there) if names.isdisjoint(_names(there)) else None
        if insertion is not None:
            yield Proposal(title, tuple(sorted((*removal, insertion), key=lambda one: one.span)))
            return
    both = {"tools": older} if newer is None else {"tools": older, "permission": newer}
    found, place = _by_name(rules(both)), beside or entry
    is_line = beside is not None and not at.flow
    end = whole_line(text, entry.span.end).end if is_line else entry.span.end
    comments = _comments(file, Span(entry.span.start, end)) if beside is not None else []
    comments += _comments(file, place.span)
    if at.flow:
        made = f"{_key(file, 'permission')}: {_braces(file, found)}"
        start = text.rfind("\n", 0, place.span.start) + 1
        column = text[start : place.span.start]
        is_alone = not column.strip()
        above = "".join(f"{one}{_line_end(text)}{column}" for one in comments) if is_alone else ""
        change = TextEdit(place.span, f"{above}{made}")
        title += ", without some comments" if comments and not is_alone else ""
    else:
        lines = [*(f"  {one}" for one in comments), *mapped(found)]
        [change] = _as_permission(file, place, lines, title).edits
    yield Proposal(title, tuple(sorted((*removal, change), key=lambda one: one.span)))


def _names(node: NodeMapping) -> Iterator[str]:
    return (one.name for one in node.entries if one.name)


def _actions(file: TemplateFile, node: NodeMapping) -> Iterator[TextEdit]:
    """The edits that make rules of the entries of a mapping `tools`, and leave all else."""
    for one in node.entries:
        name = "edit" if one.name in AS_EDIT else one.name
        if name != one.name and name:
            yield TextEdit(one.key.span, _key(file, name))
        if one.value is not None:
            action = ALLOW if value_of(one.value) is True else DENY
            yield TextEdit(one.value.span, _key(file, action))


def _moved(
    file: TemplateFile, entry: Entry, node: NodeMapping, there: NodeMapping
) -> TextEdit | None:
    """The edit that writes the entries of `tools` as the first of another mapping, or None.

    Their comments come with them.
    """
    text = file.document.text
    if node.flow != there.flow or not node.entries or not there.entries:
        return None
    if node.flow:
        inside = Span(node.span.start + 1, node.span.end - 1)
        end = node.entries[-1].span.end
        rest = _COMMENT_OR_TEXT[_is_json(file)].sub("", text[end : inside.end])
        comma = () if "," in rest else (TextEdit(Span(end, end), ","),)
        edits = (*_actions(file, node), *comma)
        made = _applied(text, inside, edits).rstrip(" \t\r\n")
        after = text[there.span.start + 1 :]
        if _comments(file, inside) and not after.lstrip(" \t").startswith(("\r", "\n")):
            made += _line_end(text)
        elif not after[:1].isspace():
            made += " "
        place = there.span.start + 1
        return TextEdit(Span(place, place), made)
    first = node.entries[0].key.span.start
    inside = Span(whole_line(text, entry.key.span.start).end, whole_line(text, node.span.end).end)
    old, new = (
        text[line_start(text, one.entries[0].key.span.start) : one.entries[0].key.span.start]
        for one in (node, there)
    )
    place = line_start(text, there.entries[0].key.span.start)
    while place > 0 and text[line_start(text, place - 1) : place].lstrip().startswith("#"):
        place = line_start(text, place - 1)
    if old.strip() or new.strip() or not inside.start <= first < inside.end:
        return None
    beside = _comments(file, Span(entry.key.span.end, inside.start))
    lines = _applied(text, inside, tuple(_actions(file, node))).splitlines()
    written = (
        *(f"{new}{one}" for one in beside),
        *(f"{new}{one.removeprefix(old)}" for one in lines),
    )
    return TextEdit(Span(place, place), "".join(f"{one}{_line_end(text)}" for one in written))


def _applied(text: str, span: Span, edits: tuple[TextEdit, ...]) -> str:
    """The part of `text` at `span` after edits inside of it."""
    moved = (
        TextEdit(Span(one.span.start - span.start, one.span.end - span.start), one.text)
        for one in edits
    )
    return apply(span.of(text), tuple(sorted(moved, key=lambda one: one.span)))


# Texts in quotes, and comments: in YAML, and in JSON.
_COMMENT_OR_TEXT = (
    regex(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*')|(?P<said>(?<!\S)\#[^\r\n]*)"""),
    regex(r'"(?:[^"\\\n]|\\.)*"|(?P<said>//[^\r\n]*|/\*.*?\*/)', re.DOTALL),
)


def _comments(file: TemplateFile, span: Span) -> list[str]:
    """The comments at `span`, in their order."""
    pattern = _COMMENT_OR_TEXT[_is_json(file)]
    found = pattern.finditer(file.document.text, span.start, span.end)
    return [one["said"].rstrip() for one in found if one["said"]]


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
    "unknown-skill": (renamed_in_table, renamed),
    "unknown-tool": (renamed_in_table,),
    "invalid-value": (reworded,),
    "unquoted-text": (quoted,),
    "wrong-type": (indented, rules_for_tools, reworded),
}
