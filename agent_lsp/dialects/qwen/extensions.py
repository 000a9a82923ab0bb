"""Reads whether an installed extension is enabled in the folder of a session.

Facts: Qwen Code 0.24.4, read in its bundle and measured 2026-11-29. The program keeps what a person
has switched off in `extension-store/state.json`, by the `name` in the manifest, and begins that
file with the rules of the older `extensions/extension-enablement.json`. An entry for the very
folder has precedence over the rules. The extension's folder may have another name.
"""

from collections.abc import Mapping

from agent_lsp.decoders.gemini_settings import at, is_enabled, settings
from agent_lsp.dialects.qwen import MANIFEST, RECORDS
from agent_lsp.model.availability import Availability, Confirmation
from agent_lsp.model.runtime import Candidate

_ENABLED = "enabled"


def standing(
    texts: tuple[str | None, ...], folders: tuple[str, ...], candidate: Candidate, _text: str
) -> Availability | None:
    """That a session does not have the agent of a disabled extension; None for all others."""
    if candidate.scope.label != "extension" or candidate.scope.kind != "user":
        return None
    *records, manifest = texts
    folder = candidate.path.parent.parent.name
    if is_extension_on(tuple(records), folders, manifest or "", folder):
        return None
    called = _called(manifest or "", folder)
    return Availability("available", False, f"the extension `{called}` is disabled in this folder")


def is_extension_on(
    texts: tuple[str | None, ...], folders: tuple[str, ...], manifest: str, folder: str
) -> bool:
    """Whether a session has the extension with the text of a `manifest` in `folder`.

    `texts` are those of `RECORDS`.
    """
    state, enablement = map(settings, texts)
    called = _called(manifest, folder)
    return _is_enabled(_policy(state, called), at(enablement, called, "overrides"), folders)


def _called(manifest: str, folder: str) -> str:
    name = settings(manifest).get("name")
    return name if isinstance(name, str) else folder


def _policy(state: Mapping[str, object], name: str) -> Mapping[str, object] | None:
    extensions = state.get("extensions")
    found = extensions.values() if isinstance(extensions, dict) else ()
    own = (one for one in found if isinstance(one, dict) and one.get("name") == name)
    return next(own, None)


def _is_enabled(
    policy: Mapping[str, object] | None, older: object, folders: tuple[str, ...]
) -> bool:
    if policy is None:
        return is_enabled(older if isinstance(older, list) else (), folders)
    is_default = policy.get("defaultActivation") == _ENABLED
    exact = next(filter(None, (at(policy, "workspaceOverrides", one) for one in folders)), None)
    if exact is not None:
        return is_default if exact == "inherit" else exact == _ENABLED
    rules = policy.get("legacyPathRules")
    return is_enabled(rules if isinstance(rules, list) else (), folders, default=is_default)


CONFIRMATION = Confirmation(RECORDS, standing, MANIFEST)
