"""Checks how an agent can be spawned: its name, its effort, and an allow list without entries."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agent_lsp.analysis.checks import coerce, header, tool_policy
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.preview import as_written
from agent_lsp.model.check import Finding, Related
from agent_lsp.model.runtime import Call, Origin, ResolvedSetting, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.syntax.nodes import Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, in_reach

# A name with eight signs has as many spellings; nobody calls an agent like that.
_MOST_SPELLINGS = 256


def ambiguous_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding for all agents of one name, on the first file that a session finds."""
    if file.name is None or file.dialect.names.spellings is None or not header.is_seen(file):
        return
    spelt = tuple(islice(file.dialect.names.spellings(file.name), _MOST_SPELLINGS))
    # With two spellings an agent has each of them, or there is only one agent.
    if len(spelt) <= 2:  # noqa: PLR2004
        return
    alike = in_reach(file, spelt)
    names = {found.name for found in alike}
    asked = next((name for name in spelt if name not in names), None)
    if len(alike) <= 1 or asked is None or alike[0].path != file.path:
        return
    which = f"it can mean {listed(sorted(names), 'and')}"
    related = tuple(
        Related(other.path, Span(0, 0), f"this is {code(other.name)}") for other in alike[1:]
    )
    message = f"a call for {code(asked)} fails with `ambiguous agent_type`: {which}"
    yield Finding(header.opening(file), message, related=related)


def never_spawned(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for the file that defines the agent of no template."""
    if (
        file.name is None
        or file.name != file.dialect.names.default_name
        or not header.is_seen(file)
    ):
        return
    listing, spawning = code(file.dialect.calls.list_call), code(file.dialect.calls.spawn_call)
    why = f"because {code(file.name)} is an agent without a template"
    loss = f"{spawning} never uses this file, {why}; {listing} still lists it"
    yield Finding(header.opening(file), f"{loss}: give it another name")


@dataclass(frozen=True, slots=True)
class _Clash:
    """A call that is refused for its effort: for whom, in which words, and what decided.

    `model` is where the file sets the model, and None where something else does.
    """

    whom: str
    message: str
    effort: Span
    model: Span | None


def unsupported_effort(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding for each effort with which a spawn of this file is refused."""
    key = file.dialect.key_with_role(KeyRole.EFFORT)
    model = file.dialect.key_with_role(KeyRole.MODEL)
    if key is None or model is None or file.name == file.dialect.names.default_name:
        return
    settled = header.as_settled(file, (key.name, model.name))
    if settled is None or not _is_doubtful(settled, key):
        return
    names = (None, *_spawnable(file))
    clashes = [clash for name in names if (clash := _clash(settled, key, name)) is not None]
    for place in dict.fromkeys(clash.effort for clash in clashes):
        here = [clash for clash in clashes if clash.effort == place]
        said: dict[str, list[str]] = {}
        for clash in here:
            said.setdefault(clash.message, []).append(clash.whom)
        refusals = (f"refuses {' and '.join(who)}: {message}" for message, who in said.items())
        models = dict.fromkeys(clash.model for clash in here if clash.model is not None)
        related = tuple(Related(file.path, model, "the model is set here") for model in models)
        message = f"{code(file.dialect.calls.spawn_call)} {'; and '.join(refusals)}"
        yield Finding(place, message, related=related)


def _spawnable(file: TemplateFile) -> Iterator[str]:
    """The names of the blocks of a file; of a refused one, those that are soundly declared."""
    held, errors = header.held(file), file.reading.errors
    sound = {
        persona.name
        for persona in held.personas
        if not any(persona.span.covers(error.span.start) for error in errors)
    }
    for block in held.blocks[1:]:
        if block.name is not None and (not errors or block.name in sound):
            yield block.name


def _is_doubtful(file: TemplateFile, key: Key) -> bool:
    """Whether the file sets an effort that some known model does not support."""
    held, models = file.reading.effective, file.dialect.models.listed
    for settings in (held.settings, *(persona.settings for persona in held.personas)):
        effort = settings.get(key.name)
        if effort is not None and any(effort.text not in model.efforts for model in models):
            return True
    return False


def _clash(file: TemplateFile, key: Key, persona: str | None) -> _Clash | None:
    refusal = _spawned(file, persona, None)
    if not isinstance(refusal, RuntimeRefusal) or not key.choices:
        return None
    # With an effort that every model accepts, only what is refused for its effort goes through.
    sound = _spawned(file, persona, key.choices[0].name)
    if isinstance(sound, RuntimeRefusal):
        return None
    model_key = file.dialect.key_with_role(KeyRole.MODEL)
    model = as_written.setting(sound, model_key) if model_key else None
    effort = _own(file, as_written.setting(sound, key))
    if effort is None:
        return None
    whom = f"persona {code(persona)}" if persona else "the agent"
    place = _set_at(file, model.origin) if model else None
    # A model that the file does not name surprises who reads it.
    source = f"; the model is that of {model.origin.label}" if model and place is None else ""
    return _Clash(whom, f"{refusal.message}{source}", effort, place)


def _spawned(file: TemplateFile, persona: str | None, effort: str | None) -> Spawn | RuntimeRefusal:
    arguments = as_written.arguments(file.dialect, file.name, persona, effort)
    return file.dialect.calls.spawn(as_written.alone(file, file.reading), Call(arguments))


def _own(file: TemplateFile, effort: ResolvedSetting | None) -> Span | None:
    """The span of the effort that applies if the call does not name one."""
    links = effort.chain if effort else ()
    decides = next((link for link in links if link.value is not None and not link.wins), None)
    return _set_at(file, decides.origin) if decides else None


def _set_at(file: TemplateFile, origin: Origin) -> Span | None:
    return origin.span if origin.path == file.path else None


def empty_allow_list(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an allow list that is there and has no entries."""
    key, top = file.dialect.key_with_role(KeyRole.ALLOW), header.root(file)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.parses(file) or _is_set(file, key.name):
        return
    node = resolve(entry.value)
    gets = "the agent gets every tool"
    if tool_policy.entries(file, KeyRole.DENY):
        gets += " that is not denied"
    if isinstance(node, Scalar):
        message = f"{code(key.name)} has no value: {gets}"
        yield Finding(entry.key.span, message, Severity.INFORMATION)
    elif isinstance(node, Sequence):
        thing = f"an empty {code(key.name)} counts as none"
        if node.items:
            thing = f"{code(key.name)} has only blank entries, which are dropped"
        yield Finding(entry.key.span, f"{thing}: {gets}; write entries{_or_deny(file)}")


def _is_set(file: TemplateFile, name: str) -> bool:
    """Whether the list has entries, or another finding says what becomes of it."""
    return (
        bool(tool_policy.entries(file, KeyRole.ALLOW))
        or any(error.key.partition("[")[0] == name for error in file.reading.errors)
        or tool_policy.denier(file) is not None
        or any(
            coerce.tag(file, i) or coerce.anchor(file, i)
            for i in tool_policy.items(file, KeyRole.ALLOW)
        )
    )


def _or_deny(file: TemplateFile) -> str:
    deny = file.dialect.key_with_role(KeyRole.DENY)
    return f', or `{deny.name}: ["*"]` to allow nothing' if deny else ""
