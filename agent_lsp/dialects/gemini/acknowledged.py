"""Reads which agents a person has confirmed, and which ones and which servers settings switch off.

Facts: Gemini CLI 0.61.0, measured 2026-11-28 and 2026-11-29. An agent of a project is registered
only if `acknowledgments/agents.json` has, under the path of the project and the name of the agent,
the SHA-256 of the file's text; for a remote agent it is the address of its card. An interactive
session asks, and another one goes on without the agent and says nothing. The settings of a project
have precedence over those of a person, unless the folder is not trusted: then they do not count,
and neither do the agents of the project. Of the entries in `trustedFolders.json` above a folder the
one with the longest path counts. The settings of the system are not looked at.
A name of an MCP server in lower case and without blanks around it is looked up as it is in
`mcp-server-enablement.json`, which is JSON without comments: measured 2026-11-30, as all of these.
`mcp.excluded` of the settings of a person and a project are joined, and `*` excludes all. Of the
lists `mcp.allowed` those entries of the person's count that the project's has, too, without regard
to case, and an empty list allows all. A name is compared with both lists as it is.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import PurePath

from agent_lsp.decoders.gemini_settings import at, is_enabled, settings
from agent_lsp.dialects.gemini import ENABLEMENT, MANIFEST, js_yaml, reading
from agent_lsp.model.availability import Availability, Confirmation
from agent_lsp.model.runtime import Candidate
from agent_lsp.syntax import document

_WORD = "confirmed"
# What JSON can say that JavaScript takes for false; `null` counts as nothing said.
_FALSY = (False, 0, "")
_SETTINGS, _TRUSTED = ".gemini/settings.json", ".gemini/trustedFolders.json"


def standing(
    texts: tuple[str | None, ...], folders: tuple[str, ...], candidate: Candidate, text: str
) -> Availability | None:
    """Whether a session has the agent; None for an agent that nobody has to confirm."""
    record, own, shared, trusted, enablement, manifest = texts
    is_project = candidate.scope.label == "project"
    user = settings(own)
    is_distrusted = _is_distrusted(user, settings(trusted), folders)
    off = _switched_off(candidate.name, {} if is_distrusted else settings(shared), user)
    if off is not None:
        return off
    if candidate.scope.label == "extension" and candidate.scope.kind == "user":
        return _of_extension(settings(enablement), settings(manifest), folders, candidate)
    if is_project and is_distrusted:
        loss = "a session skips the agents of the project, and one without a terminal ends at once"
        return Availability("trusted", False, f"`{_TRUSTED}` does not trust the folder: {loss}")
    return _confirmed(record, folders, candidate, text) if is_project else None


def _confirmed(
    record: str | None, folders: tuple[str, ...], candidate: Candidate, text: str
) -> Availability:
    """Whether a person has confirmed the agent with this text."""
    kept = next((own for folder in folders if (own := _of(record, folder)) is not None), {})
    hashed = kept.get(candidate.name)
    if hashed == _mark(candidate.name, text):
        return Availability(_WORD, True, "a person has confirmed this exact text")
    loss = "an interactive session asks, and one without a terminal has no such agent"
    if hashed is None:
        return Availability(_WORD, False, f"nobody has confirmed it on this machine: {loss}")
    return Availability(_WORD, False, f"a different text was confirmed: {loss}")


def _switched_off(
    name: str, project: Mapping[str, object], user: Mapping[str, object]
) -> Availability | None:
    """The setting that keeps the agent from a session, or None; built-in ones obey it, too."""
    for keys, loss in (
        (("experimental", "enableAgents"), "a session has no agents at all"),
        (("agents", "overrides", name, "enabled"), "no session has the agent"),
    ):
        found = ((at(values, *keys), where) for values, where in ((project, "."), (user, "~")))
        value, where = next((one for one in found if one[0] is not None), (None, ""))
        if value is False:
            place = _SETTINGS if where == "." else f"{where}/{_SETTINGS}"
            reason = f"`{'.'.join(keys)}` is `false` in `{place}`: {loss}"
            return Availability("available", False, reason)
    return None


def _of_extension(
    enablement: Mapping[str, object],
    manifest: Mapping[str, object],
    folders: tuple[str, ...],
    candidate: Candidate,
) -> Availability | None:
    """That the extension is disabled in the folder of the session, or None."""
    called = _called(manifest, candidate.path.parent.parent.name)
    if _is_on(enablement, called, folders):
        return None
    return Availability("available", False, f"the extension `{called}` is disabled in this folder")


def is_extension_on(
    texts: tuple[str | None, ...], folders: tuple[str, ...], manifest: str, folder: str
) -> bool:
    """Whether a session has the extension with the text of a `manifest` in `folder`.

    `texts` are those of `ENABLEMENT`. A manifest without a `version` is skipped with a warning.
    """
    [enablement] = texts
    values = settings(manifest)
    is_loaded = isinstance(values.get("version"), str)
    return is_loaded and _is_on(settings(enablement), _called(values, folder), folders)


def is_server_on(texts: tuple[str | None, ...], name: str) -> bool:
    """Whether a session has the MCP server with a `name`.

    `texts` are those of `mcp-server-enablement.json` and of the settings of a person and a project.
    """
    off, allowed, excluded = _of_servers(texts)
    is_allowed = not allowed or name in allowed
    return is_allowed and not {name, "*"} & excluded and name.lower().strip() not in off


# Asked for each server of each file, and the texts seldom change.
@lru_cache(maxsize=8)
def _of_servers(
    texts: tuple[str | None, ...],
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The servers that are switched off, those that alone are allowed, and those excluded."""
    try:
        switched = json.loads(texts[0] or "")
    except (ValueError, RecursionError):
        switched = None
    states = switched.items() if isinstance(switched, dict) else ()
    words = ((name, at(state, "enabled")) for name, state in states if isinstance(state, dict))
    off = frozenset(name for name, word in words if word in _FALSY)
    every = [settings(text) for text in texts[1:]]
    excluded = (_words(at(one, "mcp", "excluded")) or () for one in every)
    lists = [own for one in every if (own := _words(at(one, "mcp", "allowed"))) is not None]
    return off, frozenset(_in_all(lists)), frozenset(chain.from_iterable(excluded))


def _in_all(lists: list[list[str]]) -> Iterator[str]:
    """The entries of the first of `lists` that each of them has in some case."""
    first, *more = lists or [[]]
    plain = [{word.lower().strip() for word in one} for one in more]
    yield from (word for word in first if all(word.lower().strip() in one for one in plain))


def _words(value: object) -> list[str] | None:
    """The texts in a list, or None for anything else."""
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else None


def _called(manifest: Mapping[str, object], folder: str) -> str:
    name = manifest.get("name")
    return name if isinstance(name, str) else folder


def _is_on(enablement: Mapping[str, object], called: str, folders: tuple[str, ...]) -> bool:
    rules = at(enablement, called, "overrides")
    return is_enabled(rules if isinstance(rules, list) else (), folders)


def _is_distrusted(
    user: Mapping[str, object], trusted: Mapping[str, object], folders: tuple[str, ...]
) -> bool:
    """Whether a person has said that the folder is not trusted, and trust matters."""
    if at(user, "security", "folderTrust", "enabled") is False:
        return False
    levels = {path: level for path, level in trusted.items() if isinstance(level, str)}
    found = [path for path, level in levels.items() if _covers(path, level, folders)]
    return bool(found) and levels[max(found, key=len)] == "DO_NOT_TRUST"


def _covers(path: str, level: str, folders: tuple[str, ...]) -> bool:
    place = PurePath(path).parent if level == "TRUST_PARENT" else PurePath(path)
    return any(place in (PurePath(one), *PurePath(one).parents) for one in folders)


def _of(record: str | None, folder: str) -> Mapping[str, object] | None:
    """What the record has of the agents of one project."""
    try:
        own = json.loads(record).get(folder) if record else None
    except (ValueError, AttributeError, RecursionError):
        return None
    return own if isinstance(own, dict) else None


def _mark(name: str, text: str) -> str:
    """What the runtime notes of an agent: the hash of its file, or the address of its card."""
    parsed = document.parse(text, reading.split, read=js_yaml.parse)
    card = reading.read(parsed, name).effective.settings.get("agent_card_url")
    return card.text if card is not None else sha256(text.encode("utf-8", "replace")).hexdigest()


def _own(name: str) -> tuple[str, str]:
    return f"$GEMINI_CLI_HOME/{name}", f"~/{name}"


CONFIRMATION = Confirmation(
    (
        _own(".gemini/acknowledgments/agents.json"),
        _own(_SETTINGS),
        (_SETTINGS,),
        _own(_TRUSTED),
        ENABLEMENT,
    ),
    standing,
    MANIFEST,
)
