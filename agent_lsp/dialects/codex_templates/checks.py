"""The checks of `codex-templates` alone: personas and their blocks, names, efforts, tool lists."""

from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.checks import coerce, header, personas, tool_policy, unknown_key
from agent_lsp.analysis.checks.messages import code, guess, listed, refused
from agent_lsp.analysis.checks.personas import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.preview import as_written
from agent_lsp.data_classes import dataclass
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Trait
from agent_lsp.model.runtime import Call, Origin, ResolvedSetting, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import LoadError, LoadErrorKind, Persona
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Scalar, Sequence, Style, path_to, resolve
from agent_lsp.syntax.yaml.edit import quote
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
    key = file.dialect.schema.by_role.get(KeyRole.EFFORT)
    model = file.dialect.schema.by_role.get(KeyRole.MODEL)
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
    model_key = file.dialect.schema.by_role.get(KeyRole.MODEL)
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
    key, top = file.dialect.schema.by_role.get(KeyRole.ALLOW), header.root(file)
    entry = top.get(key.name) if key and top else None
    if key is None or entry is None or not header.parses(file) or _is_set(file, key.name):
        return
    node = resolve(entry.value)
    gets = "the agent gets every tool"
    if tool_policy.policy(file).entries[KeyRole.DENY]:
        gets += " that is not denied"
    if isinstance(node, Scalar):
        message = f"{code(key.name)} has no value: {gets}"
        yield Finding(entry.key.span, message, Severity.INFORMATION)
    elif isinstance(node, Sequence):
        thing = f"the runtime ignores an empty {code(key.name)}"
        if node.items:
            thing = f"{code(key.name)} has only blank entries, which are dropped"
        yield Finding(entry.key.span, f"{thing}: {gets}; write entries{_or_deny(file)}")


def _is_set(file: TemplateFile, name: str) -> bool:
    """Whether the list has entries, or another finding says what becomes of it."""
    own = tool_policy.policy(file)
    return (
        bool(own.entries[KeyRole.ALLOW])
        or any(error.key.partition("[")[0] == name for error in file.reading.errors)
        or own.denier is not None
        or any(coerce.tag(file, i) or coerce.anchor(file, i) for i in own.items[KeyRole.ALLOW])
    )


def _or_deny(file: TemplateFile) -> str:
    deny = file.dialect.schema.by_role.get(KeyRole.DENY)
    return f', or `{deny.name}: ["*"]` to allow nothing' if deny else ""


_NULLS = ("~", "null", "Null", "NULL")


def persona_without_block(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each persona without a block: on a line meant for it, or on its name."""
    lacking = personas.lacking(file)
    meant, unnamed = by_persona(file), personas.unnamed(file) if lacking else {}
    for error in lacking:
        alike = meant.get(error)
        marker = code(file.dialect.format.marker(error.got)) if file.dialect.format.marker else ""
        if alike is None:
            thing, fix = _unmarked(file, error, marker, unnamed.get(error, ()))
            related = _repetitions(file, error) if len(lacking) == 1 else ()
            yield Finding(_declared_at(file, error), refused(file, thing, fix), related=related)
            continue
        written = code(alike.span.of(file.document.text))
        thing = f"{_no_start(written)}, and persona {code(error.got)} has no other"
        fix = f"write {marker}{'' if alike.alone else ' on its own line'}"
        related = (Related(file.path, error.span, "this persona has no block"),)
        yield Finding(alike.span, refused(file, thing, fix), related=related)


def _declared_at(file: TemplateFile, error: LoadError) -> Span:
    """The name of a persona, or its key where nothing is written behind it."""
    path = path_to(file.document.tree.root, error.span)
    if path is None or path.entry is None or not header.is_empty(path.node):
        return error.span
    return path.entry.key.span


def _unmarked(
    file: TemplateFile, error: LoadError, marker: str, unnamed: tuple[str, ...]
) -> tuple[str, str]:
    """Reports a persona for which there is no line, and what to write."""
    path = path_to(file.document.tree.root, error.span)
    node = resolve(path.node) if path is not None else None
    names = [quote(name) for name in unnamed]
    comment = coerce.comment(file, node)
    if not error.got:
        fix = f"write {listed(names)}" if names else "write one"
        return f"the name of this persona is {coerce.blank(file, node)}", fix
    if names and comment is not None:
        words = code(comment.of(file.document.text))
        thing = f"unquoted, {words} is a comment, and this persona is called {code(error.got)}"
        return thing, f"write {listed(names)}"
    if isinstance(node, Scalar) and node.style is Style.PLAIN and node.value in _NULLS:
        return f"{code(node.value)} is a name here, not null: it has no block", "write a name"
    return f"persona {code(error.got)} has no block", f"add {marker} with its prompt below"


def _repetitions(file: TemplateFile, error: LoadError) -> tuple[Related, ...]:
    """The further marker of another persona that may be a copy with the old name."""
    blocks = file.reading.declared.blocks
    copies = [(span, block.name) for block in blocks for span in block.markers[1:]]
    if len(copies) != 1:
        return ()
    span, name = copies[0]
    message = f"continues the block of {code(name or '')}; is it meant for {code(error.got)}?"
    return (Related(file.path, span, message),)


def block_without_persona(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the marker of each block that no persona declares."""
    key = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
    if key is None:
        return
    meant = personas.pairs(file)
    in_code = personas.markers_in_code(file)
    for error in personas.undeclared(file):
        persona = meant.get(error)
        thing = f"{code(key.name)} has no {code(error.got)}"
        if persona is not None:
            thing += guess(persona.got)
            fix = "write the same name in both places"
            related = (Related(file.path, persona.span, "this persona has no block"),)
            yield Finding(error.span, refused(file, thing, fix), related=related)
        elif error.span in in_code:
            thing = f"a marker works in a code block, too, and {thing}"
            yield Finding(error.span, refused(file, thing, f"{personas.EXAMPLE}, else declare it"))
        else:
            yield Finding(error.span, refused(file, thing, "declare it"))
    if header.parses(file) and unknown_key.has_undeclared_blocks(file):
        yield _without_key(file, key)


def _without_key(file: TemplateFile, key: Key) -> Finding:
    """Reports all blocks of a file that declares no personas, at once."""
    blocks = header.held(file).blocks[1:]
    names = listed((block.name or "" for block in blocks), "and")
    listing, spawning = code(file.dialect.calls.list_call), code(file.dialect.calls.spawn_call)
    them = "it" if len(blocks) == 1 else "them"
    loss = f"{listing} refuses the template, while {spawning} takes {them} by name"
    top = next(iter(header.levels(file)), None)
    misspelt = unknown_key.misspelt(file, top, key.name) if top else None
    if misspelt is not None:
        thing = f"unknown key {code(misspelt.name or '')}, and no {code(key.name)} for {names}"
        message = f"{thing}: {loss}; did you mean {code(key.name)}?"
        return Finding(misspelt.key.span, message, meant=(key.name,))
    message = f"{names} without {code(key.name)}: {loss}; declare {them}"
    in_code = personas.markers_in_code(file)
    if all(span in in_code for block in blocks for span in block.markers):
        thing = f"{names} in a code block, where a marker works, too, without {code(key.name)}"
        message = f"{thing}: {loss}; {personas.EXAMPLE}"
    return Finding(blocks[0].markers[0], message)


def duplicate_persona(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the name of each declaration that is not the first one of its name."""
    # A name that stands twice may be meant for a block that has no persona.
    if not header.parses(file) or personas.undeclared(file):
        return
    listing, spawning = code(file.dialect.calls.list_call), code(file.dialect.calls.spawn_call)
    first: dict[str, Persona] = {}
    for persona in header.held(file).personas:
        counts = first.setdefault(persona.name, persona)
        if counts is not persona and persona.name:
            thing = f"{code(persona.name)} is declared above"
            loss = f"{spawning} never uses this declaration, while {listing} shows both"
            related = (Related(file.path, counts.name_span, "this declaration is used"),)
            yield Finding(persona.name_span, f"{thing}: {loss}", related=related)


def marker_lookalike(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each comment that was meant to start a block and harms no header."""
    if not header.parses(file):
        return
    elsewhere = set(by_persona(file).values())
    for alike in lookalikes(file):
        if alike not in elsewhere:
            yield Finding(alike.span, _lookalike(file, alike))


def _lookalike(file: TemplateFile, alike: Lookalike) -> str:
    block = personas.block_at(file, alike.span.start)
    above = "the default prompt" if block is None else f"the prompt of {code(block)}"
    written = code(alike.span.of(file.document.text))
    thing = f"{_no_start(written)}, and it and the text below go to {above}"
    marker = (
        code(file.dialect.format.marker(alike.name or "NAME")) if file.dialect.format.marker else ""
    )
    if not alike.name:
        return f"{thing}; write the name of a persona into it, as in {marker}"
    return f"{thing}; did you mean {marker}{'' if alike.alone else ' on its own line'}?"


# The marker of the fork from 2026-02-28 on; this version has another one.
_LATER = regex(r"<!--\s*agent_nickname\b")


def _no_start(written: str) -> str:
    if _LATER.search(written):
        return f"{written} starts a block only in later versions of the runtime"
    return f"{written} starts no block"


def marker_in_code(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each marker of a declared persona in a fenced code block."""
    in_code = personas.markers_in_code(file)
    for block in personas.declared_blocks(file) if in_code else ():
        thing = "a marker works in a code block, too: the text from here on is the prompt of"
        message = f"{thing} {code(block.name or '')}; {personas.EXAMPLE}"
        for span in block.markers:
            if span in in_code:
                yield Finding(span, message)


def repeated_block(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each further marker of a declared persona, unless it is in code."""
    # A repetition may be a copy that still has the old name.
    if personas.lacking(file):
        return
    in_code = personas.markers_in_code(file)
    for block in personas.declared_blocks(file):
        first, *others = block.markers
        for span in others:
            if in_code.isdisjoint((first, span)):
                thing = f"continues the block of {code(block.name or '')} above"
                related = (Related(file.path, first, "the block starts here"),)
                message = f"{thing}: the prompt of the persona is both texts together"
                yield Finding(span, message, related=related)


def empty_block(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first marker of each declared persona without a prompt."""
    for block in personas.declared_blocks(file):
        if not block.text.strip():
            thing = f"the block of {code(block.name or '')} is empty"
            loss = f"{code(file.dialect.calls.spawn_call)} starts the persona without a prompt"
            yield Finding(block.markers[0], f"{thing}: {loss}, not with the default one")


CHECKS: tuple[Check, ...] = (
    Check(("ambiguous-name",), ambiguous_name, basis=Basis.FILE),
    Check(("never-spawned",), never_spawned, basis=Basis.FILE),
    Check(
        ("unsupported-effort",),
        unsupported_effort,
        changes=frozenset({Field.KEY}),
        basis=Basis.ABSENCE,
        needs=(KeyRole.EFFORT,),
    ),
    Check(
        ("persona-without-block",),
        persona_without_block,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        needs=(LoadErrorKind.BLOCKLESS,),
    ),
    Check(
        ("block-without-persona",),
        block_without_persona,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        basis=Basis.ABSENCE,
        needs=(LoadErrorKind.UNDECLARED, Trait.COMMENTS),
    ),
    Check(
        ("duplicate-persona",),
        duplicate_persona,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        needs=(KeyRole.PERSONAS,),
    ),
    Check(
        ("marker-lookalike",),
        marker_lookalike,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        needs=(Trait.COMMENTS,),
    ),
    Check(
        ("marker-in-code",),
        marker_in_code,
        changes=frozenset({Field.LOADS, Field.PERSONAS, Field.PROMPT}),
        basis=Basis.ABSENCE,
        needs=(Trait.COMMENTS,),
    ),
    Check(
        ("repeated-block",),
        repeated_block,
        changes=frozenset({Field.PROMPT}),
        basis=Basis.ABSENCE,
        needs=(Trait.COMMENTS,),
    ),
    Check(
        ("empty-block",),
        empty_block,
        changes=frozenset({Field.PROMPT}),
        basis=Basis.ABSENCE,
        needs=(Trait.COMMENTS,),
    ),
    Check(
        ("empty-allow-list",),
        empty_allow_list,
        changes=frozenset({Field.TOOLS}),
        basis=Basis.ABSENCE,
        needs=(KeyRole.ALLOW,),
    ),
)
