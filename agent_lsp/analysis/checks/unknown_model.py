"""Checks for a model name that is a slip, or that cannot be a name."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, unquoted
from agent_lsp.analysis.suggest import known_models, near_id, near_miss
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import Value
from agent_lsp.workspace.snapshot import TemplateFile

_NULLS = ("null", "Null", "NULL", "~")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each model whose name is certainly or probably a mistake."""
    key = file.dialect.key_with_role(KeyRole.MODEL)
    if key is None or not header.parses(file):
        return
    yield from _model(file, key, file.reading.declared.settings.get(key.name), "the agent")
    for persona in file.reading.declared.personas:
        yield from _model(
            file, key, persona.settings.get(key.name), f"persona {code(persona.name)}"
        )


def _model(file: TemplateFile, key: Key, value: Value | None, whom: str) -> Iterator[Finding]:
    models = known_models(file.dialect, file.options)
    if value is None or value.text in models:
        return
    refuses = (
        file.dialect.models.if_unknown or f"{code(file.dialect.calls.spawn_call)} refuses {whom}"
    )
    thing = f"unknown {key.name} {code(value.text)}"
    mistake, word = _mistake(file, value)
    if mistake:
        message = f"{thing}: {refuses}; {mistake}"
        yield Finding(value.span, message, Severity.WARNING, meant=(word,) if word else ())
        return
    words = file.dialect.models.words
    meant = near_miss(value.text, models)
    if meant is None and words is not None:
        meant = near_id(value.text, words(value.text))
    if meant is not None:
        message = f"{thing}: unless the provider has it, {refuses}; did you mean {code(meant)}?"
        yield Finding(value.span, message, meant=(meant,))


def _mistake(file: TemplateFile, value: Value) -> tuple[str, str]:
    """Why the value cannot be the name of a model, and the word to write if there is one."""
    name = value.text
    if name in _NULLS:
        return "in quotes it is a name, write it without them", ""
    bare = unquoted(name)
    if bare != name:
        return f"the quotes are part of the name, write {code(bare)}", bare
    if "\n" in value.span.of(file.document.text).strip() and re.search(r"\s", name):
        return "its lines are one name, write one model on one line", ""
    dash = _DASHES.search(name)
    if dash is not None:
        plain = _DASHES.sub("-", name)
        return f"U+{ord(dash[0]):04X} only looks like `-`, write {code(plain)}", plain
    hidden = next((sign for sign in name if not sign.isprintable()), None)
    if hidden is not None:
        return f"U+{ord(hidden):04X} is part of the name, remove it", name.replace(hidden, "")
    return "", ""


CHECK = Check(("unknown-model",), unknown_model, changes=frozenset({Field.KEY, Field.EFFORT}))
