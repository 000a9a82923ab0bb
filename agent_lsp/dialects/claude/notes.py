"""Whether a file in a folder of agents is documentation, or was meant to be an agent.

Invariant: where no header is read, only what can be nothing else was meant to be one.
Facts: code.claude.com/docs/sub-agents as of 2026-10-08, read 2026-11-28; that a header defines no
agent which is a list or a text, or goes on behind one: Claude Code 2.1.332, measured 2026-11-28.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.dialects.answers import Scope
from agent_lsp.dialects.claude import recovery
from agent_lsp.dialects.claude.facts import KNOWN, TELLING
from agent_lsp.dialects.template import Value
from agent_lsp.syntax import unseen
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence, resolve
from agent_lsp.text import Span

# A line of more words is no key that is only begun, nor is one that is in bold type or a quotation.
_WORDS = 3
_PROSE = re.compile(r"\*\*|>[ \t]|[*+][ \t]|-[ \t]+(?!name:)")
# A header that is not on the first line, with nothing of weight above it.
_LATE = re.compile(
    r"(?:[ \t]*\r?\n|[ \t]*<!--[^\n]*-->[ \t]*\r?\n|(?:`{3,}|~{3,})[\w-]*[ \t]*\r?\n|#[^\n]*\n)+"
    r"---[ \t]*\r?\n(?P<header>(?:(?!---)[^\n]*\n)+)---[ \t]*(?:\r?\n|\Z)"
)
# A header whose first line is not there, or only looks like `---`.
_NEAR = re.compile(
    r"(?:[ \t]*[-–—]{2,}[ \t]*(?:ya?ml)?[ \t]*\r?\n)?"
    r"(?P<header>(?:name|description):[^\n]*\n(?:(?![ \t]*[-–—]{3})[^\n]*\n)+?)"
    r"[ \t]*[-–—]{3,}[ \t]*(?:\r?\n|\Z)"
)
# A header whose lines end in CR alone, once they end in LF: the first line has no end otherwise.
_OLD_ENDS = re.compile(r"\r(?!\n)")
_WHOLE = re.compile(r"---[ \t]*\n(?P<header>(?:(?!---[ \t]*\n)[^\n]*\n)+)---[ \t]*(?:\n|\Z)")
_NAME = re.compile(
    r"^name:[ \t]*[\"']?(?P<name>[^\s\"'#][^\n\"'#]*?)[\"']?[ \t]*\r?$", re.MULTILINE
)
_LOOKED_AT = 5_000
# A key at the start of a line, also as an item, or behind a bracket or a quote that opens the line.
_LINE_KEY = re.compile(
    r"^[ \t]*(?:-[ \t]+)*[\[{\"']?[ \t]*(?P<key>[A-Za-z][\w-]*)[\"']?:(?=[ \t\r\n]|\Z)",
    re.MULTILINE,
)
# A single one may be a word of a text, or of a list of anything.
_FEW = 2


def is_note(document: Document, _scope: Scope) -> bool:
    """Whether the file has no header, or one that does not speak of an agent."""
    if document.frontmatter.fence is FenceKind.ABSENT:
        return bool(document.text.strip("\ufeff \t\r\n")) and below(document) is None
    if document.tree.problem is not None and _begins_with_prose(document):
        return True
    if is_no_mapping(document):
        return False
    top = resolve(document.tree.root)
    keys = set(_keys(top.entries if isinstance(top, Mapping) else ()))
    keys |= {key for key, *_ in recovery.values(document)}
    if not keys:
        # What is only begun may become one; a rule above a text does not.
        is_begun = (
            document.frontmatter.fence is FenceKind.CLOSED
            or not document.frontmatter.body.of(document.text)
        )
        inner = document.frontmatter.inner.of(document.text).strip()
        return not is_begun or not any(key.startswith(inner) for key in KNOWN)
    # Letters that changed places make a word that nobody uses for anything else.
    is_named = any(sorted(key.lower()) == sorted("name") for key in keys)
    is_agent = is_named or not keys.isdisjoint(TELLING)
    return not is_agent and not keys <= KNOWN


def is_no_mapping(document: Document) -> bool:
    """Whether the header has the keys of an agent and is no mapping, so that nobody reads them."""
    if isinstance(resolve(document.tree.root), Mapping) and document.tree.rest is None:
        return False
    inner = document.frontmatter.inner
    keys = {found["key"] for found in _LINE_KEY.finditer(document.text, inner.start, inner.end)}
    keys |= set(_in_items(document.tree.root))
    return "name" in keys or len(keys & KNOWN) >= _FEW


def below(document: Document) -> Value | None:
    """The name in a header that does not begin as it has to in the first line, or None."""
    if document.frontmatter.fence is not FenceKind.ABSENT:
        return None
    begin, hidden = document.text[:_LOOKED_AT], unseen.leading(document.text[:_LOOKED_AT])
    if len(hidden):
        # Signs that nobody sees stand above the header as a blank line does.
        begin = f"{' ' * (hidden.end - 1)}\n{begin[hidden.end :]}"
    begin, ends = _OLD_ENDS.subn("\n", begin)
    found = (_WHOLE.match(begin) if ends else None) or _LATE.match(begin) or _NEAR.match(begin)
    if found is None or "\ndescription:" not in f"\n{found['header']}":
        return None
    name = _NAME.search(begin, found.start("header"), found.end("header"))
    return Value(name["name"], Span(*name.span("name"))) if name is not None else None


def _keys(found: Iterable[Entry]) -> Iterator[str]:
    """The keys of a header; a line without a colon has none but what begins like one of ours."""
    for entry in found:
        name = entry.name or ""
        word = name if entry.value else re.split(r"[\s:]", name, maxsplit=1)[0]
        if word and (entry.value or word in KNOWN):
            yield word


def _in_items(root: Node | None) -> Iterator[str]:
    """The keys of mappings in a list."""
    top = resolve(root)
    for item in top.items if isinstance(top, Sequence) else ():
        inner = resolve(item)
        if isinstance(inner, Mapping):
            yield from (entry.name for entry in inner.entries if entry.name)


def _begins_with_prose(document: Document) -> bool:
    """Whether the first line below a rule is a sentence, as in a text that begins with one."""
    lines = document.frontmatter.inner.of(document.text).splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return bool(_PROSE.match(first)) or (":" not in first and len(first.split()) > _WORDS)
