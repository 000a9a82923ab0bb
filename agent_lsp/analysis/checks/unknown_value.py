"""A key has a word that is none of those it is known to take."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.schema import Key, Severity, ValueKind
from agent_lsp.model.template import Value
from agent_lsp.syntax.nodes import Scalar, resolve
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each word that a key is not known to take."""
    if not header.loads(file):
        return
    for key in file.dialect.keys:
        value = file.reading.declared.settings.get(key.name)
        if (
            value is not None
            and key.kind is ValueKind.CHOICE
            and key.name not in file.dialect.any_word
        ):
            yield from _unknown(key, value)
    idle = (
        tuple(file.dialect.no_effect(file.document, file.scope)) if file.dialect.no_effect else ()
    )
    for level in header.levels(file):
        if level.within is not None and not idle:
            yield from _inside(level)


def _inside(level: header.Level) -> Iterator[Finding]:
    """The findings on the values in a mapping inside of the header."""
    for entry in level.mapping.entries:
        key = next((key for key in level.keys if key.name == entry.name), None)
        node = resolve(entry.value)
        if key is not None and key.kind is ValueKind.CHOICE and isinstance(node, Scalar):
            yield from _unknown(key, Value(node.value.strip(), node.span))


def _unknown(key: Key, value: Value) -> Iterator[Finding]:
    names = [choice.name for choice in key.choices]
    word = value.text
    if not word or word in names or re.fullmatch(r"\d+", word):
        return
    thing = f"unknown {code(key.name)} {code(word)}: the runtime may ignore it"
    meant = nearest(word, names)
    if meant is not None:
        message = f"{thing}; did you mean {code(meant)}?"
        yield Finding(value.span, message, Severity.WARNING, meant=(meant,))
        return
    yield Finding(value.span, f"{thing}; known are {listed(names, 'and')}")


RULE = Rule("unknown-value", check)
