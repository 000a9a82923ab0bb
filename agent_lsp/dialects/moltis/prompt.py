"""The system prompt of a sub-agent, part by part.

Facts: `build_system_prompt` in crates/tools/src/spawn_agent.rs of moltis-org/moltis at
33737298547866 and 6bd2d118, read 2026-11-27.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.decoders import rust
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.model.runtime import Origin, PromptPart
from agent_lsp.model.template import Value

NOBODY = "You are a sub-agent spawned to handle a specific task. "
BASE = "Complete the task thoroughly and return a clear result."
UNKNOWN = "…"
SUFFIX = "system_prompt_suffix"
_PRESET = "the preset's identity"


def identity(settings: Mapping[str, Value], generation: Generation | None) -> str:
    """The sentences about who the sub-agent is; empty where the preset says nothing of it."""
    if generation is Generation.TODAY:
        emoji, theme = _text(settings, "emoji"), _text(settings, "theme")
        name = _sentence("You are {}", _text(settings, "name"), f" ({emoji})" if emoji else "")
        return name + _sentence("Your style is {}", theme)
    creature = _text(settings, "creature")
    named = _sentence("You are {}", _text(settings, "name"), f", a {creature}" if creature else "")
    soul = _text(settings, "soul")
    return (
        named
        + _sentence("Your style is {}", _text(settings, "vibe"))
        + (f"{soul} " if soul else "")
    )


def parts(
    settings: Mapping[str, Value],
    generation: Generation | None,
    said: Mapping[str, str | None],
    path: Path | None,
) -> Iterator[PromptPart]:
    """The prompt for a call with the `task` and the `context` in `said`."""
    runtime = Origin("the runtime")
    who = identity(settings, generation)
    if who:
        first = next(value for name, value in settings.items() if name.startswith("identity."))
        yield PromptPart("identity", who, True, Origin(_PRESET, path, first.span))
    else:
        yield PromptPart("identity", NOBODY, True, runtime)
    yield PromptPart("base instruction", BASE, True, runtime)
    if generation is Generation.TODAY:
        yield PromptPart("managed files", "\n\nManaged Files: …", False, runtime)
        if "memory.scope" in settings or "memory" in settings:
            where = Origin("the preset's memory file, if there is one", path, None)
            yield PromptPart("memory", "\n\n# Agent Memory\n…", False, where)
    task, context = said.get("task"), said.get("context")
    call = Origin("the call")
    yield PromptPart(
        "task", f"\n\nTask: {UNKNOWN if task is None else task}", task is not None, call
    )
    if context is not None:
        yield PromptPart("context", f"\n\nContext: {context}", True, call)
    yield from _suffix(settings, generation, path)


def _suffix(
    settings: Mapping[str, Value], generation: Generation | None, path: Path | None
) -> Iterator[PromptPart]:
    value = settings.get(SUFFIX)
    if value is None:
        return
    text = rust.trim(value.text) if generation is Generation.TODAY else value.text
    if text or generation is not Generation.TODAY:
        yield PromptPart("suffix", f"\n\n{text}", True, Origin("the preset", path, value.span))


def _sentence(form: str, text: str | None, more: str = "") -> str:
    return f"{form.format(text)}{more}. " if text is not None else ""


def _text(settings: Mapping[str, Value], name: str) -> str | None:
    value = settings.get(f"identity.{name}")
    return value.text if value is not None else None
