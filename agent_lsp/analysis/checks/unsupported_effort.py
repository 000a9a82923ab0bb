"""A model does not support the effort that it is asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.analysis.preview import as_written
from agent_lsp.model.runtime import Call, Origin, ResolvedSetting, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class _Clash:
    """A call that is refused for its effort: for whom, in which words, and what decided.

    `model` is where the file sets the model, and None where something else does.
    """

    whom: str
    message: str
    effort: Span
    model: Span | None


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding for each effort with which a spawn of this file is refused."""
    key = file.dialect.key_with_role(KeyRole.EFFORT)
    if key is None or not _can_be_spawned(file) or not _is_doubtful(file, key):
        return
    names = (None, *(block.name for block in file.reading.effective.blocks[1:]))
    clashes = [clash for name in names if (clash := _clash(file, key, name)) is not None]
    for place in dict.fromkeys(clash.effort for clash in clashes):
        here = [clash for clash in clashes if clash.effort == place]
        said: dict[str, list[str]] = {}
        for clash in here:
            said.setdefault(clash.message, []).append(clash.whom)
        refusals = (f"refuses {' and '.join(who)}: {message}" for message, who in said.items())
        models = dict.fromkeys(clash.model for clash in here if clash.model is not None)
        related = tuple(Related(file.path, model, "the model is set here") for model in models)
        message = f"{code(file.dialect.spawn_call)} {'; and '.join(refusals)}"
        yield Finding(place, message, related=related)


def _can_be_spawned(file: TemplateFile) -> bool:
    return header.loads(file) and file.name != file.dialect.default_name


def _is_doubtful(file: TemplateFile, key: Key) -> bool:
    """Whether the file sets an effort that some known model does not support."""
    held, models = file.reading.effective, file.dialect.models
    for settings in (held.settings, *(persona.settings for persona in held.personas)):
        effort = settings.get(key.name)
        if effort is not None and any(effort.text not in model.efforts for model in models):
            return True
    return False


def _clash(file: TemplateFile, key: Key, persona: str | None) -> _Clash | None:
    refusal = _spawn(file, persona, None)
    if not isinstance(refusal, RuntimeRefusal) or not key.choices:
        return None
    # With an effort that every model accepts, only what is refused for its effort goes through.
    sound = _spawn(file, persona, key.choices[0].name)
    if isinstance(sound, RuntimeRefusal):
        return None
    model_key = file.dialect.key_with_role(KeyRole.MODEL)
    model = as_written.setting(sound, model_key) if model_key else None
    effort = _own(file, as_written.setting(sound, key))
    if effort is None:
        return None
    whom = f"persona {code(persona)}" if persona else "the agent"
    place = _place(file, model.origin) if model else None
    # A model that the file does not name surprises who reads it.
    source = f"; the model is that of {model.origin.label}" if model and place is None else ""
    return _Clash(whom, f"{refusal.message}{source}", effort, place)


def _spawn(file: TemplateFile, persona: str | None, effort: str | None) -> Spawn | RuntimeRefusal:
    arguments = as_written.arguments(file.dialect, file.name, persona, effort)
    return file.dialect.spawn(as_written.alone(file, file.reading), Call(arguments))


def _own(file: TemplateFile, effort: ResolvedSetting | None) -> Span | None:
    """Where the file sets the effort that decides when the call does not name one."""
    links = effort.chain if effort else ()
    decides = next((link for link in links if link.value is not None and not link.wins), None)
    return _place(file, decides.origin) if decides else None


def _place(file: TemplateFile, origin: Origin) -> Span | None:
    return origin.span if origin.path == file.path else None


RULE = Rule("unsupported-effort", check)
