"""Checks for invisible characters and for confusables."""

from collections.abc import Collection, Iterator
from itertools import islice

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.model.check import Check, Field, Finding, Trait
from agent_lsp.model.schema import Severity
from agent_lsp.syntax import characters
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# More runs than this share one finding.
_MOST = 20
_MOST_COUNTED = 1_000
_MOST_NAMED = 3
_OR = "or the text is not what it looks like"


def hidden_text(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each run of invisible characters, and each name with confusables."""
    runs = tuple(islice(places(file), _MOST_COUNTED))
    if together(runs):
        signs = "".join(run.of(file.document.text) for run in runs)
        many = f"{len(signs)} characters in {len(runs)} places"
        many = many if len(runs) < _MOST_COUNTED else f"what is in {_MOST_COUNTED} or more places"
        thing = f"{many} are invisible, and this is one of them"
        yield Finding(runs[0], f"{thing}, {_described(signs)}: remove them, {_OR}")
        runs = ()
    for run in runs:
        signs = run.of(file.document.text)
        if len(signs) == 1:
            message = f"invisible character {characters.name(signs)}: remove it, {_OR}"
        else:
            thing = f"{len(signs)} invisible characters, {_described(signs)}"
            message = f"{thing}: remove them, {_OR}"
        yield Finding(run, message)
    yield from _lookalikes(file)


def places(file: TemplateFile) -> Iterator[Span]:
    """The runs of invisible characters, except those for which a header is refused."""
    if file.source.problem is not None:
        return
    head, is_broken = file.document.frontmatter.inner, header.is_broken(file)
    for run in characters.invisible(file.document.text):
        # A parser stops at a control character, and the message is then the parser's.
        if not (is_broken and head.covers(run.start) and _is_control(file, run)):
            yield run


def together(runs: Collection[Span]) -> bool:
    """Whether all `runs` share one finding."""
    return len(runs) > _MOST


def _is_control(file: TemplateFile, run: Span) -> bool:
    return any(sign < "\xa0" for sign in run.of(file.document.text))


def _described(signs: str) -> str:
    """The text that `signs` spell, or the names of the first few of them."""
    spelt = characters.spelt(signs)
    if spelt:
        return f"which spell {code(spelt)}"
    different = tuple(dict.fromkeys(signs))
    names = ", ".join(map(characters.name, different[:_MOST_NAMED]))
    return names if len(different) <= _MOST_NAMED else f"{names} and others"


def _lookalikes(file: TemplateFile) -> Iterator[Finding]:
    """The names with letters of another alphabet that could deceive a reader."""
    # An escape in a quoted name counts as well, but its author hides nothing.
    if file.document.text.isascii():
        return
    known = {key.name for key in file.dialect.schema.keys} | set(tool_policy.policy(file).names)
    for span, word in dict.fromkeys(_names(file)):
        plain = characters.skeleton(word, known)
        if plain is not None:
            thing = f"{code(word)} is not {code(plain)}"
            why = f"as it has {_described(characters.confusables(word))}"
            yield Finding(span, f"{thing}, {why}: write it in plain letters", meant=(plain,))


def _names(file: TemplateFile) -> Iterator[tuple[Span, str]]:
    """The keys of a header, the items of its lists that are one word, and its tools."""
    waiting: list[Node | None] = [file.document.tree.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            for entry in node.entries:
                waiting.append(entry.value)
                if entry.name is not None:
                    yield entry.key.span, entry.name
        elif isinstance(node, Sequence):
            waiting += node.items
            for item in node.items:
                if isinstance(item, Scalar) and not item.value.split()[1:]:
                    yield item.span, item.value
    if header.parses(file):
        for entries in tool_policy.policy(file).entries.values():
            yield from ((entry.span, entry.text) for entry in entries)


HIDDEN = "hidden-text"
CHECK = Check(
    (HIDDEN,),
    hidden_text,
    severity=Severity.WARNING,
    changes=frozenset({Field.KEY, Field.NAME, Field.PROMPT}),
    needs=(Trait.UNPRINTED,),
)
