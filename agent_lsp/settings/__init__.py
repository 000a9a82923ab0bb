"""Checks what users wrote in a settings file or in their editor, and makes `Options` of it.

Invariants: a bad value makes one message and its default, and leaves every other value in
force; a setting is a name, a word or a folder, and none of them is ever executed.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from agent_lsp.options import Extras, Options
from agent_lsp.settings.checking import checked
from agent_lsp.settings.forms import EDITOR_SECTION, InEditor, InFile, Written
from agent_lsp.settings.wording import got
from agent_lsp.syntax.toml.bounds import excess

# The client's own setting in the same section: its language client's trace level.
_CLIENTS_OWN = frozenset({"trace"})


def from_file(text: str, path: Path) -> tuple[Options, tuple[str, ...]]:
    """The options that the settings file at `path` states, and what is wrong with it."""
    text = text.removeprefix("\ufeff")
    if problem := excess(text):
        return Options(), (f"{path}: no setting of this file counts: {problem}",)
    try:
        data = tomllib.loads(text)
    # Digits beyond Python's limit and brackets beyond its stack are no TOMLDecodeError.
    except (ValueError, RecursionError) as error:
        return Options(), (_syntax_message(error, text, path),)
    written, problems = checked(InFile, data)
    return _options(written, path.parent), tuple(f"{path}: {problem}" for problem in problems)


def from_editor(value: object, root: Path) -> tuple[Options, tuple[str, ...]]:
    """The options that an editor's section states for the folder `root`, and what is wrong."""
    if not isinstance(value, Mapping):
        said = f"`{EDITOR_SECTION}`: expected an object{got(value)}"
        return Options(), () if value is None else (said,)
    # Editors send null or an empty text for what their user has not set.
    data = {k: v for k, v in value.items() if k not in _CLIENTS_OWN and v not in (None, "")}
    written, problems = checked(InEditor, data)
    options = replace(
        _options(written, root),
        code_lens=written.code_lens,
        inlay_hints=written.inlay_hints,
        closed_files=written.diagnostic_mode,
    )
    return options, problems


def merge(base: Options, over: Options) -> Options:
    """`base` where `over` sets nothing: each rule, folder and list counts on its own."""
    extras = {
        name: _merged(base.extras.get(name, Extras()), over.extras.get(name, Extras()))
        for name in (*base.extras, *over.extras)
    }
    return Options(
        severity={**base.severity, **over.severity},
        extras=extras,
        folders={**base.folders, **over.folders},
        session_root=over.session_root or base.session_root,
        code_lens=base.code_lens and over.code_lens,
        inlay_hints=base.inlay_hints and over.inlay_hints,
        closed_files=base.closed_files and over.closed_files,
    )


def stated(options: Options) -> dict[str, object]:
    """The values that `options` set, each under its dotted name, as a person would write it."""
    found: dict[str, object] = {}
    for code, severity in options.severity.items():
        found[f"severity.{code}"] = "off" if severity is None else severity.name.lower()
    for folder, claim in options.folders.items():
        found[f"folders.{folder}"] = False if claim is None else claim
    for known, extras in options.extras.items():
        for name in ("tools", "keys", "models", "scopes"):
            if values := getattr(extras, name):
                found[f"dialects.{known}.{name}"] = [str(value) for value in values]
        if extras.generation is not None:
            found[f"dialects.{known}.generation"] = extras.generation
    if options.session_root is not None:
        found["session-root"] = str(options.session_root)
    switches = {
        "code-lens": options.code_lens,
        "inlay-hints": options.inlay_hints,
        "closed-files": options.closed_files,
    }
    return found | {name: value for name, value in switches.items() if not value}


def _merged(base: Extras, over: Extras) -> Extras:
    return Extras(
        over.tools or base.tools,
        over.keys or base.keys,
        over.models or base.models,
        over.scopes or base.scopes,
        over.generation or base.generation,
    )


def _options(written: Written, folder: Path) -> Options:
    def absolute(relative: str) -> Path:
        return Path(os.path.normpath(folder / relative))

    return Options(
        severity=written.severity,
        extras={
            name: Extras(
                tuple(extra.tools),
                tuple(extra.keys),
                tuple(extra.models),
                tuple(absolute(scope) for scope in extra.scopes),
                extra.generation,
            )
            for name, extra in written.dialects.items()
        },
        folders={absolute(relative): claim for relative, claim in written.folders.items()},
        session_root=absolute(written.session_root) if written.session_root else None,
    )


def _syntax_message(error: Exception, text: str, path: Path) -> str:
    said = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a value is too large"
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", said)
    place = ":".join(part for part in found.groups() if part) if found else ""
    if found and not place:
        place = str(len(text.rstrip().splitlines()) or 1)
    reason = said[: found.start()] if found else said
    where = f"{path}:{place}" if place else str(path)
    reason = f"{reason[:1].lower()}{reason[1:]}"
    return f"{where}: not valid TOML, so no setting of this file counts: {reason}"
