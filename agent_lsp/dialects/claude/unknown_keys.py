"""Finds keys without effect: keys of other kinds of files, and keys of the author's own.

Invariant: a key that several files of a folder have is a convention, and is not reported.
Facts: Claude Code 2.1.332, measured 2026-11-28: it ignores unknown keys, and logs each of them as
`has a frontmatter key Claude Code does not recognize or apply`. The keys of others: the
documentation of skills and commands at code.claude.com/docs, of OpenCode at opencode.ai/docs and of
VS Code at code.visualstudio.com/docs, read 2026-11-28.
"""

import re
from collections.abc import Iterator
from itertools import islice, takewhile

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks import unknown_key as shared
from agent_lsp.analysis.checks.header import Level
from agent_lsp.analysis.checks.messages import code, some
from agent_lsp.analysis.suggest import fold
from agent_lsp.dialects.claude.facts import KNOWN
from agent_lsp.model.check import Check, Field, Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Entry, Mapping
from agent_lsp.workspace.snapshot import TemplateFile

_SKILLS, _OPENCODE, _VSCODE = "skills and commands", "OpenCode", "VS Code"
# By the key without case and separators: its owner, and the key or the words to use here.
_BORROWED: dict[str, tuple[str, str, str]] = {
    "modeloverride": ("other systems", "model", ""),
    "preferredmodel": ("other systems", "model", ""),
    "modelname": ("other systems", "model", ""),
    "mode": (_OPENCODE, "", "any agent can be called, and can be the session with `--agent`"),
    "disabled": ("other systems", "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "disable": (_OPENCODE, "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "enabled": ("other systems", "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "hidden": (_OPENCODE, "", "every agent is listed"),
    "context": (_SKILLS, "", "an agent always has its own context"),
    "agent": (_SKILLS, "", "the file is the agent"),
    "argumenthint": (_SKILLS, "", "an agent takes its task from the call"),
    "userinvocable": (_SKILLS, "", "any agent can be called"),
    "disablemodelinvocation": (_SKILLS, "", "any agent can be called"),
    "whentouse": (_SKILLS, "description", ""),
    "when": ("other systems", "description", ""),
    "triggers": ("other systems", "", "`description` decides"),
    "globs": ("rules of Cursor", "", "`description` decides"),
    "alwaysapply": ("rules of Cursor", "", "`description` decides"),
    "applyto": (_VSCODE, "", "`description` decides"),
    "handoffs": (_VSCODE, "", "an agent calls others with `Agent`"),
    "agents": (_VSCODE, "", "`Agent` in `tools` lets an agent call others"),
    "target": (_VSCODE, "", ""),
    "temperature": (_OPENCODE, "", "`effort` sets how long the model thinks"),
    "topp": (_OPENCODE, "", "`effort` sets how long the model thinks"),
    "steps": (_OPENCODE, "maxTurns", ""),
    "maxsteps": (_OPENCODE, "maxTurns", ""),
    "reasoning": ("other systems", "effort", ""),
    "reasoningeffort": ("other systems", "effort", ""),
    "modelreasoningeffort": ("Codex CLI", "effort", ""),
    "thinking": ("other systems", "effort", ""),
    "thinkinglevel": ("other systems", "effort", ""),
    "prompt": ("other systems", "", "the text below the header is the prompt"),
    "systemprompt": ("other systems", "", "the text below the header is the prompt"),
    "developerinstructions": ("Codex CLI", "", "the text below the header is the prompt"),
    "instructions": ("other systems", "", "the text below the header is the prompt"),
}
# Words that begin the lines of an example; real files have it in the description.
_SPEAKERS = frozenset({"user", "assistant", "human", "commentary"})
_SHARED, _MOST = 3, 4
# A header is at the start of a file, so the rest is not read, and neither are hundreds of files.
_LOOKED_AT, _MOST_SIBLINGS = 4_000, 60


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on keys without effect; the author's own keys are one hint."""
    found = tuple(shared.unknown_key(file))
    yield from found
    top = header.root(file)
    if top is None or not header.parses(file) or header.is_note(file):
        return
    spoken = _spoken(top)
    if spoken:
        yield _lost(file, spoken)
    said, own = {one.span for one in (*found, *(entry.key for entry in spoken))}, []
    level = Level(top, file.dialect.schema.keys)
    for entry in shared.unknown(file, level):
        name, key = entry.name or "", shared.meant(level, entry)
        if key is not None and shared.is_reported_as_missing(file, level, entry, key):
            continue
        if name in KNOWN or entry.key.span in said or name == "<<" or _is_private(name):
            continue
        if name in file.dialect.schema.renamed or shared.holds_anchor(file, entry):
            continue
        if fold(name) in _BORROWED:
            yield _borrowed(entry, level)
        elif _sharing(file, name) < _SHARED:
            own.append(entry)
    if own:
        yield _own(file, own)


def _spoken(top: Mapping) -> tuple[Entry, ...]:
    """The entries right below the description whose keys are words of an example in it."""
    names = [entry.name or "" for entry in top.entries]
    at = names.index("description") + 1 if "description" in names else len(names)
    below = takewhile(lambda entry: entry.name not in KNOWN, top.entries[at:])
    found = tuple(below)
    is_dialogue = any((entry.name or "").lower() in _SPEAKERS for entry in found)
    return found if is_dialogue else ()


def _lost(file: TemplateFile, entries: tuple[Entry, ...]) -> Finding:
    """The finding on the lines of a description that are keys to the runtime."""
    related = tuple(Related(file.path, one.key.span, "this line too") for one in entries[1:])
    names = some(list(dict.fromkeys(one.name or "" for one in entries)), _MOST, "and")
    message = (
        f"{code('description')} ends above this line: the runtime reads {names} as keys, and "
        "ignores them; write `|` after the colon, and all of the text below it, indented"
    )
    return Finding(entries[0].key.span, message, Severity.WARNING, related=related)


def _is_private(name: str) -> bool:
    return name.startswith(("x-", "x_"))


def _borrowed(entry: Entry, level: Level) -> Finding:
    whose, key, instead = _BORROWED[fold(entry.name or "")]
    thing = f"{code(entry.name or '')} is a key of {whose} and has no effect here"
    if not key:
        fix = instead or "remove it"
        return Finding(entry.key.span, f"{thing}: {fix}", Severity.WARNING)
    if level.mapping.get(key) is not None:
        return Finding(entry.key.span, f"{thing}: only {code(key)} is used", Severity.WARNING)
    message = f"{thing}: use {code(key)}"
    return Finding(entry.key.span, message, Severity.WARNING, meant=(key,))


def _own(file: TemplateFile, entries: list[Entry]) -> Finding:
    related = tuple(Related(file.path, one.key.span, "also here") for one in entries[1:])
    different = list(dict.fromkeys(one.name or "" for one in entries))
    names = some(different, _MOST, "and")
    message = f"the runtime ignores {names}: it does not know this key"
    if len(different) > 1:
        message = f"the runtime ignores {names}: it does not know these keys"
    return Finding(entries[0].key.span, message, Severity.HINT, related=related)


def _sharing(file: TemplateFile, name: str) -> int:
    """The number of files in the folder with the key, this one included, up to `_SHARED`."""
    key, files = re.compile(rf"^{re.escape(name)}[ \t]*:", re.MULTILINE), file.workspace.files
    many = 1
    beside = (one for one in files.entries(file.path.parent) if one.endswith(".md"))
    for sibling in islice(beside, _MOST_SIBLINGS):
        path = file.path.parent / sibling
        source = files.read(path) if path != file.path else None
        is_there = source is not None and name in source.text[:_LOOKED_AT]
        many += (
            is_there and source is not None and key.search(source.text, 0, _LOOKED_AT) is not None
        )
        if many == _SHARED:
            break
    return many


CHECKS: tuple[Check, ...] = (
    Check(("unknown-key",), unknown_key, changes=frozenset({Field.LOADS, Field.KEY})),
)
