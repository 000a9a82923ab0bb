"""Hover on the name of an agent in a file of several, and on the table that holds all of them."""

from collections.abc import Iterator
from itertools import chain

from agent_lsp.analysis.hover import policy
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render.markdown import count
from agent_lsp.analysis.render.markup import code, codes, fence, link, words
from agent_lsp.model.runtime import Call, Spawn
from agent_lsp.model.schema import Key
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    as_template,
    candidates,
    catalog,
    hidden_by,
    hiding_config,
    template_file,
)


def summary(file: TemplateFile) -> Iterator[str]:
    """A template in short: who it is, what decides, and what it gets."""
    answer = as_written.spawned(file)
    if answer is None:
        yield "No template of this file has this name"
        return
    if file.reading.errors:
        yield f"**{_sentence(file.dialect.format.consequence.header_refused)}**"
        yield code(file.reading.errors[0].message)
        yield "As it is written:"
    yield f"**{code(file.name or '')}**: {count(answer.toolset)}"
    if answer.prompt:
        yield fence(answer.prompt[0].text.strip())
    rows = [
        f"- {code(one.name)}: {code(one.value) if one.value is not None else 'inherited'}, "
        f"from {words(one.origin.label)}"
        for one in answer.settings
    ]
    yield "\n".join(rows)
    yield from policy.toolset(file)


def of_file(file: TemplateFile, key: Key) -> Iterator[str]:
    """The role of the file in the sessions that read it."""
    used = hiding_config(file)
    if used is not None and used != file.path:
        yield f"**Not used**: sessions in this folder read {link(file.workspace, used)} instead"
    names = [one.name for one in file.names]
    yield f"{len(names)} templates: {codes(names)}" if names else "No templates"
    for path, lost in hidden_by(file):
        beside = f", with {codes(list(lost))}" if lost else ""
        yield f"Nothing is read of {link(file.workspace, path)}{beside}"
    yield words(key.meaning)


def called(file: TemplateFile, name: str) -> Iterator[str]:
    """The template called `name`, of this file or another one, or what the runtime does without."""
    own = tuple(one for one in file.names if one.name == name)
    if own:
        return summary(as_template(file, own))
    winner = next(iter(candidates(file.workspace, file.dialect, file.root, name)), None)
    other = template_file(file.workspace, winner.path) if winner is not None else None
    if other is not None:
        return chain((f"It is defined in {link(file.workspace, other.path)}",), summary(other))
    return _nobody(file, name)


def _nobody(file: TemplateFile, name: str) -> Iterator[str]:
    call = Call(as_written.arguments(file.dialect, name, None, None))
    answer = file.dialect.calls.spawn(catalog(file.workspace, file.dialect, file.root), call)
    notes = answer.notes if isinstance(answer, Spawn) else ()
    said = next((note for note in notes if code(name) in note), "")
    yield words(said) if said else "No template has this name"


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{words(said[1:])}"
