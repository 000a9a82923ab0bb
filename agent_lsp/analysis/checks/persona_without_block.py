"""A declared persona has no block in the body."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import coerce, header, personas
from agent_lsp.analysis.checks.lookalikes import by_persona
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.model.template import LoadError
from agent_lsp.syntax.nodes import Scalar, Style, resolve
from agent_lsp.syntax.yaml.quote import quote
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_NULLS = ("~", "null", "Null", "NULL")


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each persona without a block: on a line meant for it, or on its name."""
    lacking = personas.lacking(file)
    meant, unnamed = by_persona(file), personas.unnamed(file) if lacking else {}
    for fault in lacking:
        alike = meant.get(fault)
        marker = code(file.dialect.marker(fault.got)) if file.dialect.marker else ""
        if alike is None:
            thing, fix = _unmarked(file, fault, marker, unnamed.get(fault, ()))
            related = _repeated(file, fault) if len(lacking) == 1 else ()
            yield Finding(_place(file, fault), refused(file, thing, fix), related=related)
            continue
        written = code(alike.span.of(file.document.text))
        thing = f"{written} starts no block, and persona {code(fault.got)} has no other"
        fix = f"write {marker}{'' if alike.alone else ' on a line of its own'}"
        related = (Related(file.path, fault.span, "this persona has no block"),)
        yield Finding(alike.span, refused(file, thing, fix), related=related)


def _place(file: TemplateFile, fault: LoadError) -> Span:
    """The name of a persona, or its key where nothing is written behind it."""
    node, entry = header.node_at(file, fault.span)
    return entry.key.span if entry is not None and header.is_empty(node) else fault.span


def _unmarked(
    file: TemplateFile, fault: LoadError, marker: str, unnamed: tuple[str, ...]
) -> tuple[str, str]:
    """What is wrong with a persona for which no line was meant, and what to write."""
    node = resolve(header.node_at(file, fault.span)[0])
    names = [quote(name) for name in unnamed]
    comment = coerce.comment(file, node)
    if not fault.got:
        fix = f"write {listed(names)}" if names else "write one"
        return f"the name of this persona is {coerce.blank(file, node)}", fix
    if names and comment is not None:
        words = code(comment.of(file.document.text))
        thing = f"unquoted, {words} is a comment, and this persona is called {code(fault.got)}"
        return thing, f"write {listed(names)}"
    if isinstance(node, Scalar) and node.style is Style.PLAIN and node.value in _NULLS:
        return f"{code(node.value)} is a name here, and no null: it has no block", "write a name"
    return f"persona {code(fault.got)} has no block", f"add {marker} with its prompt below"


def _repeated(file: TemplateFile, fault: LoadError) -> tuple[Related, ...]:
    """The further marker of another persona that may be a copy with the old name."""
    blocks = file.reading.declared.blocks
    copies = [(span, block.name) for block in blocks for span in block.markers[1:]]
    if len(copies) != 1:
        return ()
    span, name = copies[0]
    message = f"continues the block of {code(name or '')}; is it meant for {code(fault.got)}?"
    return (Related(file.path, span, message),)


RULE = Rule("persona-without-block", check)
