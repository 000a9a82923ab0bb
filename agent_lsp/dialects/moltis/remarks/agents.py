"""What concerns the whole `[agents]`: the default, built-in names, the main session."""

from collections.abc import Iterator

from agent_lsp.dialects import serde_toml
from agent_lsp.dialects.moltis import keys
from agent_lsp.dialects.moltis.config import Config
from agent_lsp.dialects.moltis.facts import BUILT_IN
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.remark import Remark
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Sequence, resolve

_BUILT_IN = tuple(preset.name for preset in BUILT_IN)


def agents(config: Config, document: Document) -> Iterator[Remark]:
    """The remarks on a file as a whole."""
    yield from _default(config)
    if config.generation is Generation.TODAY:
        yield from _hidden(config)
        yield from _unprotected(config, document)


def _default(config: Config) -> Iterator[Remark]:
    value = config.default
    if value is None or not value.text or serde_toml.VARIABLE.search(value.text):
        return
    names = tuple(preset.name for preset in config.presets)
    # A variable in the place of a name may define the preset.
    written = (*names, *(entry.name or "" for entry in config.lines))
    if any(map(serde_toml.VARIABLE.search, written)):
        return
    today = config.generation is Generation.TODAY
    # Whoever writes a built-in name means that preset, in a file of an older runtime as well.
    if value.text in (*names, *_BUILT_IN):
        return
    known = (*names, *_BUILT_IN) if today else names
    key = keys.DEFAULT_PRESET.name if today else keys.DEFAULT.name
    which = f"`{key}` is `{value.text}`, which is no preset of this file"
    loss = "a call without a preset " + ("is refused" if today else "gets none")
    yield Remark("unknown-default", value.span, f"{which}: {loss}", None, value.text, known)


def _hidden(config: Config) -> Iterator[Remark]:
    for preset in config.presets:
        if preset.name in _BUILT_IN:
            yield Remark(
                "hides-builtin",
                preset.label,
                f"`{preset.name}` replaces the built-in preset of this name wholly: what it does "
                "not set itself, as the prompt and the identity, is lost",
            )


def _unprotected(config: Config, document: Document) -> Iterator[Remark]:
    """The warning of today's runtime that presets do not protect the main session, once a file."""
    if _has_policy(document):
        return
    for preset in config.presets:
        for line in preset.lines:
            value = preset.settings.get(line.name)
            if line.name in ("tools.allow", "tools.deny") and value is not None and value.items:
                yield Remark(
                    "main-session-unprotected",
                    line.entry.key.span,
                    "tool policies of presets apply only to sub-agents of `spawn_agent`: without "
                    "a `[tools.policy]` the main session has every tool",
                )
                return


def _has_policy(document: Document) -> bool:
    """Whether `[tools.policy]` sets anything, or may."""
    node = resolve(document.tree.root)
    for name in ("tools", "policy"):
        entry = node.get(name) if isinstance(node, Mapping) else None
        node = resolve(entry.value) if entry is not None else None
    if not isinstance(node, Mapping):
        return node is not None
    return any(map(_restricts, map(node.get, ("allow", "deny", "profile"))))


def _restricts(entry: Entry | None) -> bool:
    """Whether a key of the policy is there; an empty list is as if it were not."""
    value = resolve(entry.value) if entry is not None else None
    return entry is not None and not (isinstance(value, Sequence) and not value.items)
