"""Fixes for words that the author meant to be other ones, and for invisible characters.

Invariants: a finding without a suggestion gets no fix here. Only invisible characters are deleted.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, unknown_key
from agent_lsp.analysis.checks.hidden_text import places, together
from agent_lsp.analysis.checks.messages import code, listed, unquoted
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import (
    key_for,
    keys_of_any_system,
    node_path,
    removed,
    reworded,
)
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.check import Proposal
from agent_lsp.model.schema import ValueKind
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import characters
from agent_lsp.syntax.nodes import Node, NodePath, Scalar, path_at
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote, quote_key
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile, as_others_read

_ARGUMENTS = regex(r"\w\(")
_OF_TOOLS = ("unknown-tool", "renamed-tool")
_OF_MODELS = "unknown-model"
# Keys that many systems have, so that they identify none.
_OF_ANYBODY = {"name", "description", "version", "model", "color"}
# Words that need no escape in any style of text, and characters that may be escapes.
_NAME = regex(r"(?:\.{1,2}/)*\.?\w+(?:/?[-.:/]\w+)*")
_ESCAPES = frozenset("'\"\\\n\r")


def replaced(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Replaces a word by the suggestion, or an item of a list by several."""
    if not diagnostic.meant:
        return
    if diagnostic.related and len(diagnostic.meant) == len(diagnostic.related) + 1:
        yield from _each_replaced(file, diagnostic)
        return
    word, was = diagnostic.meant[0], diagnostic.span.of(file.document.text)
    if diagnostic.span.start >= file.document.frontmatter.body.start:
        edits = (TextEdit(diagnostic.span, word),)
        yield Proposal(f"Replace {code(was)} with {code(word)}", edits, safe=True)
        return
    at = node_path(file, diagnostic.span)
    is_guess = diagnostic.code == _OF_MODELS and nearest(unquoted(was), (word,)) is None
    others = _others(file) if is_guess or diagnostic.code in _OF_TOOLS else ""
    title = f"Replace {code(was)} with {code(word)}"
    if len(diagnostic.meant) > 1:
        split = f"Split it into {listed(diagnostic.meant, 'and')}"
        yield Proposal(split, _split(file, at, diagnostic), safe=not others, caveat=others)
        return
    if at is None:
        if (
            _is_in_text(file, diagnostic.span)
            and (_NAME.fullmatch(word) or word == f"{was})")
            and _ESCAPES.isdisjoint(was)
        ):
            yield Proposal(
                title, (TextEdit(diagnostic.span, word),), safe=not others, caveat=others
            )
        return
    # An entry with arguments allows less than the whole tool does.
    is_safe = not others and not _ARGUMENTS.search(was)
    yield Proposal(title, reworded(at, word), is_safe, caveat=others)


def _each_replaced(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Replaces each of the words in the places that one finding reports."""
    spans = (diagnostic.span, *(other.span for other in diagnostic.related))
    edits: list[TextEdit] = []
    for span, word in zip(spans, diagnostic.meant, strict=True):
        at = node_path(file, span)
        if at is not None:
            edits += reworded(at, word)
        elif _is_in_text(file, span):
            edits.append(TextEdit(span, word))
        else:
            return
    others = _others(file) if diagnostic.code in _OF_TOOLS else ""
    words = tuple(dict.fromkeys(diagnostic.meant))
    title = f"Write {listed(words, 'and')}"
    yield Proposal(title, tuple(edits), safe=not others, caveat=others)


def renamed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Corrects a misspelled key; one of another system becomes ours, with our type.

    Keys with like names rarely mean the same in two systems, so the author has to decide.
    """
    at = node_path(file, diagnostic.span)
    if at is None or at.entry is None or not diagnostic.meant:
        return
    # Another fix migrates such a key, depending on its value.
    if at.entry.name in file.dialect.schema.renamed:
        return
    name, entry = diagnostic.meant[0], at.entry
    if at.mapping is None or at.mapping.get(name) is not None:
        return
    rename = TextEdit(entry.key.span, quote_key(name))
    title = f"Rename {code(entry.name or '')} to {code(name)}"
    is_slip = nearest(entry.name or "", (name,)) is not None
    yield Proposal(title, (rename,), safe=is_slip)
    level, value = header.level_at(file, at.mapping.span), entry.value
    key = level.named(name) if level is not None else None
    if key is not None and key.kind is ValueKind.LIST and isinstance(value, Scalar):
        items = tuple(coerce.names(value.value))
        if items:
            listing = edit.replace_value(file.document.text, entry, items, flow=at.flow)
            yield Proposal(f"{title} and make it a list", (rename, *listing))


def ignored(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes an entry that the runtime ignores, unless another program of the file uses it.

    If the runtime refuses the file because of it, the removal loses only a restriction that the
    author may have meant.
    """
    at = node_path(file, diagnostic.span)
    if at is not None and at.is_key and at.entry is not None and not diagnostic.meant:
        name, refused = at.entry.name or "", LoadErrorKind.FORBIDDEN
        others = as_others_read(file)
        if file.scope.is_borrowed or any(name in one.dialect.schema.by_name() for one in others):
            return
        is_refused = any(
            error.kind is refused and error.span == diagnostic.span for error in file.reading.errors
        )
        is_safe = is_refused and not unknown_key.may_restrict(name)
        yield Proposal(f"Remove {code(name)}", removed(file, at), is_safe)


def renamed_after_file(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Replaces a name that the runtime does not read by the one that counts: that of the file."""
    at = node_path(file, diagnostic.span)
    if at is not None and file.name is not None:
        yield Proposal(
            f"Write {code(file.name)}, the name of the file", reworded(at, file.name), True
        )


def chosen(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Proposes each word that the key takes; verification finds those that the model supports."""
    at = node_path(file, diagnostic.span)
    key = key_for(file, at.entry) if at is not None and at.entry is not None else None
    if at is not None and key is not None and not diagnostic.meant:
        for choice in key.choices:
            yield Proposal(f"Write {code(choice.name)}", reworded(at, choice.name), equal=True)


def _others(file: TemplateFile) -> str:
    """The other systems that may read the tool names in a file without conversion.

    A system that refuses the file because of a key is not one of them.
    """
    if any(error.kind is LoadErrorKind.FORBIDDEN for error in file.reading.errors):
        return ""
    *others, last = file.dialect.references.reach.readers or ("",)
    if last:
        named = f"{', '.join(others)} and {last} read" if others else f"{last} reads"
        return f"{named} it, too"
    top = None if file.dialect.is_toml else header.root(file)
    own = {key.name for key in file.dialect.schema.keys} | _OF_ANYBODY
    names = [entry.name or "" for entry in top.entries] if top is not None else []
    told = next(
        (
            name
            for name in names
            if name not in own and name in keys_of_any_system(file.workspace.systems)
        ),
        None,
    )
    return f"{code(told)} is a key of another system" if told is not None else ""


def _is_in_text(file: TemplateFile, span: Span) -> bool:
    """Whether `span` is a part of a text, such as a name between commas."""
    node = path_at(file.document.tree.root, span.start).node
    within = isinstance(node, Scalar) and node.span.start <= span.start
    return within and node is not None and span.end <= node.span.end


def _split(
    file: TemplateFile, at: NodePath[Node] | None, diagnostic: Diagnostic
) -> tuple[TextEdit, ...]:
    """Splits an item of a list into several, in the style of the list or of the text."""
    text, span, words = file.document.text, diagnostic.span, diagnostic.meant
    if at is None or at.sequence is None:
        is_plain = _ESCAPES.isdisjoint(span.of(text)) and all(map(_NAME.fullmatch, words))
        is_text = is_plain and _is_in_text(file, span)
        return (TextEdit(span, ", ".join(words)),) if is_text else ()
    if at.sequence.flow:
        return (TextEdit(span, ", ".join(quote(word, flow=True) for word in words)),)
    start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    before = text[start : span.start]
    if before.strip(" \t-"):
        return ()
    ends = "\r\n" if "\r\n" in text else "\n"
    return (TextEdit(span, f"{ends}{before}".join(map(quote, words))),)


def hidden_removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes a run of invisible characters, or every run that the finding reports."""
    if diagnostic.meant:
        return
    runs = tuple(places(file))
    gone = runs if together(runs) else tuple(run for run in runs if run == diagnostic.span)
    edits = tuple(TextEdit(run, "") for run in gone)
    safe = not any(characters.may_be_needed(run.of(file.document.text)) for run in gone)
    yield Proposal("Remove invisible characters", edits, safe)


def server_renamed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Corrects the name of a server in each of the entries that one finding reports."""
    spans = (diagnostic.span, *(other.span for other in diagnostic.related))
    if len(spans) != len(diagnostic.meant):
        return
    was, word = diagnostic.span.of(file.document.text), diagnostic.meant[0]
    edits = tuple(TextEdit(span, word) for span in spans)
    title = f"Replace {code(was)} with {code(word)}"
    if not _NAME.fullmatch(word) or not _ESCAPES.isdisjoint(was):
        return
    # A name with other letters may be a server that somebody configures elsewhere.
    yield Proposal(title, edits, safe=fold(was) == fold(word))
