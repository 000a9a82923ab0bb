"""Checks a configuration of Moltis: the whole file, and its `[agents]`."""

from collections.abc import Callable, Iterator
from functools import partial

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, finding, listed, shown
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.decoders import serde_toml
from agent_lsp.dialects.moltis import keys, reading
from agent_lsp.dialects.moltis.catalog import has_definitions
from agent_lsp.dialects.moltis.checks.presets import keys as keys_of
from agent_lsp.dialects.moltis.checks.presets import tools
from agent_lsp.dialects.moltis.facts import BUILT_IN
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.reading import TABLES, Config, Preset
from agent_lsp.model.check import Basis, Check, Field, Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadError, LoadErrorKind
from agent_lsp.syntax import toml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Sequence, resolve
from agent_lsp.syntax.toml.edit import quote_key
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of, hidden_by, hiding_config

_BUILT_IN = tuple(preset.name for preset in BUILT_IN)


def agents(config: Config, document: Document) -> Iterator[Finding]:
    """The remarks on a file as a whole."""
    yield from _default(config)
    if config.generation is Generation.TODAY:
        yield from _hidden(config)
        yield from _unprotected(config, document)


def _default(config: Config) -> Iterator[Finding]:
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
    which = f"`{key}` is `{value.text}`, which is not a preset of this file"
    loss = "a call without a preset " + ("is refused" if today else "gets none")
    yield finding("unknown-default", value.span, f"{which}: {loss}", None, value.text, known)


def _hidden(config: Config) -> Iterator[Finding]:
    for preset in config.presets:
        if preset.name in _BUILT_IN:
            yield finding(
                "hides-builtin",
                preset.label,
                f"`{preset.name}` replaces the whole built-in preset of this name: what it does "
                "not set itself, such as the prompt and the identity, is lost",
            )


def _unprotected(config: Config, document: Document) -> Iterator[Finding]:
    """The warning of the current runtime that presets do not protect the main session."""
    if _has_policy(document):
        return
    for preset in config.presets:
        for line in preset.lines:
            value = preset.settings.get(line.name)
            if line.name in ("tools.allow", "tools.deny") and value is not None and value.items:
                yield finding(
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


@dataclass(frozen=True, slots=True)
class StandIn:
    """A list or a date in the place of a table, whose key is at `span`."""

    span: Span
    what: str
    node: Node


def stand_ins(document: Document) -> Iterator[Finding]:
    """What the runtime makes of each: loss, since no key counts."""
    for found in _found(document):
        if isinstance(found.node, Sequence):
            loss = "it takes the items by their position, and ignores the keys in them"
        else:
            loss = "it reads it as an empty table"
        yield finding("no-effect", found.span, f"{found.what}: {loss}")


def list_around(span: Span, document: Document) -> StandIn | None:
    """The list in the place of a table in which `span` is."""
    for found in _found(document):
        items = found.node.items if isinstance(found.node, Sequence) else ()
        if any(item.span.start <= span.start and span.end <= item.span.end for item in items):
            return found
    return None


def _found(document: Document) -> Iterator[StandIn]:
    root = resolve(document.tree.root)
    agents = root.get("agents") if isinstance(root, Mapping) else None
    if agents is not None:
        yield from _stand_in(agents.key.span, "agents", "[agents]", resolve(agents.value))
    for preset in reading.config_of(document).presets:
        header = f"[agents.presets.{quote_key(preset.name)}]"
        yield from _stand_in(preset.label, preset.name, header, preset.node)
        for line in preset.lines:
            if line.name in TABLES:
                header = f"[agents.presets.{quote_key(preset.name)}.{line.name}]"
                value = resolve(line.entry.value)
                yield from _stand_in(line.entry.key.span, line.name, header, value)


def _stand_in(span: Span, name: str, header: str, node: Node | None) -> Iterator[StandIn]:
    if isinstance(node, Sequence) or (node is not None and serde_toml.is_date(node)):
        kind = "list" if isinstance(node, Sequence) else "date"
        wanted = f"but the runtime expects a table, `{header}`"
        yield StandIn(span, f"`{name}` is a {kind}, {wanted}", node)


RUNTIME = "the runtime"


def _loss(who: str = RUNTIME) -> str:
    """The consequence, in a sentence that has named `who` unless it is any runtime."""
    subject = RUNTIME if who == RUNTIME else "it"
    return f"{subject} drops the whole configuration and continues with its defaults"


def dropped(document: Document, generation: Generation | None = None) -> Iterator[Finding]:
    """Each error where it stands; the runtime itself stops at the first one."""
    if document.tree.problem is not None:
        yield from _of_syntax(document)
        return
    own = reading.config_of(document, generation).generation or Generation.SEED
    others = set(_refused(document, own.other))
    for span, remark in _refused(document, generation).items():
        yield remark(RUNTIME if span in others else own.short)


def refused_today(document: Document, generation: Generation | None = None) -> Iterator[Finding]:
    """What the current runtime alone refuses, in a file that nothing tells to be written for it."""
    if generation or document.tree.problem or reading.config_of(document).generation:
        return
    old = _refused(document, Generation.SEED)
    for span, remark in _refused(document, Generation.TODAY).items():
        if span in old:
            continue
        said = remark(Generation.TODAY.short)
        message = f"{said.message}; {Generation.SEED.short} takes it"
        yield replace(said, message=message, severity=Severity.WARNING)


def _refused(
    document: Document, generation: Generation | None
) -> dict[Span, Callable[[str], Finding]]:
    """What to say of each place that a generation refuses, given who it is that refuses it."""
    found: dict[Span, Callable[[str], Finding]] = {}
    for error in reading.errors(document, generation):
        listed = list_around(error.span, document)
        if listed is None:
            found.setdefault(error.span, partial(_remark, error))
        else:
            found.setdefault(listed.span, partial(_listed, listed))
    return found


def _listed(found: StandIn, who: str) -> Finding:
    what = found.what.replace(RUNTIME, who)
    return finding("config-dropped", found.span, f"{what}: {_loss(who)}")


def _of_syntax(document: Document) -> Iterator[Finding]:
    """What is no TOML, each place once; what has no end is marked where it begins."""
    damage = document.tree.damage or tuple(filter(None, (document.tree.problem,)))
    said: set[Span] = set()
    for problem in damage:
        what = ": ".join(filter(None, (problem.context, problem.message))) or "invalid TOML"
        opened = toml.unclosed(problem, document.text)
        span = opened or problem.span
        if opened is not None:
            what = f"`{opened.of(document.text)}` is not closed"
        if span not in said:
            yield finding("config-dropped", span, f"{what}: {_loss()}")
        said.add(span)


def _remark(error: LoadError, who: str) -> Finding:
    if error.kind is LoadErrorKind.FORBIDDEN:
        return finding("preset-conflict", error.span, f"{error.message}: {_loss()}")
    # The word that was meant, where there are only certain ones.
    is_choice = error.kind is LoadErrorKind.CHOICE
    word, meant = (error.got, tuple(error.expected.split(", "))) if is_choice else ("", ())
    message = f"{_reason(error).replace(RUNTIME, who)}: {_loss(who)}"
    return finding("config-dropped", error.span, message, word=word, candidates=meant)


def _reason(error: LoadError) -> str:
    if error.kind is LoadErrorKind.MISSING:
        return f"`{error.key}` has no `{error.expected}`, which the runtime requires"
    if error.kind is LoadErrorKind.CHOICE:
        return f"`{error.key}` is `{error.got}`, but the runtime accepts only {error.expected}"
    name = error.key or "agents"
    return f"`{name}` is {_article(error.got)}, but the runtime expects {error.expected}"


def _article(got: str) -> str:
    """The value that was found, in everyday words."""
    if got in _ALONE:
        return _ALONE[got]
    found = next((name for name in _NAMED if got.startswith(name)), "")
    return f"{_NAMED.get(found, '')}{got.removeprefix(found)}".strip()


_ALONE = {"map": "a table", "sequence": "a list", "date": "a date"}
_NAMED = {
    "string": "the text",
    "integer": "the number",
    "floating point": "the number",
    "boolean": "the boolean",
}


def settings(config: Config, preset: Preset) -> Iterator[Finding]:
    """The remarks on the values of one preset."""
    values = preset.settings
    creature, iterations = values.get("identity.creature"), values.get("max_iterations")
    if creature is not None and creature.text and "identity.name" not in values:
        yield finding(
            "no-effect",
            creature.key or creature.span,
            "`creature` has no effect without `identity.name`: the prompt has it after the name",
        )
    if iterations is not None and iterations.value == 0:
        yield finding(
            "preset-conflict",
            iterations.span,
            "`max_iterations` is 0, so the sub-agent gets no turns: it must be at least 1",
            Severity.WARNING,
        )
    if config.generation is Generation.TODAY:
        yield from _forced(preset)


def _forced(preset: Preset) -> Iterator[Finding]:
    values = preset.settings
    kind, name = (values.get(f"tool_controls.tool_choice.{key}") for key in ("type", "name"))
    if kind is None or kind.text != "tool" or name is None:
        return
    if not name.text:
        message = "forced tool_choice requires a non-empty name"
        yield finding("preset-conflict", name.span, message)
        return
    shown = values.get("tool_controls.active_tools")
    active = [item.text for item in shown.items] if shown is not None else [name.text]
    if name.text not in active and not any(map(serde_toml.VARIABLE.search, (*active, name.text))):
        message = f"forced tool_choice `{name.text}` must be included in active_tools"
        yield finding("preset-conflict", name.span, message)


def config_hidden(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the file that a session reads, and one on a file that it does not."""
    first = header.first_line(file)
    used = hiding_config(file)
    if used is None:
        return
    if used != file.path:
        there = (Related(used, Span(0, 0), "the configuration that is read"),)
        where, what = code(shown(file, file.root)), code(shown(file, used))
        message = f"sessions that start in {where} read {what} and nothing of this file"
        yield Finding(first, message, related=there)
        return
    for path, names in hidden_by(file):
        lost = f", not even its {listed(names, 'and')}" if names else ""
        message = f"sessions that start here read nothing of {code(shown(file, path))}{lost}"
        yield Finding(first, message, related=(Related(path, Span(0, 0), "not read here"),))


def other_generation(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # Another check reports the keys of the other generation in a configuration.
    if file.dialect.variants.forms is None or file.dialect.schema.is_tables or file.name is None:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    used = catalog_of(file).candidates(file.name)
    if file.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(file, file.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is for "
            "an older runtime, which does not support such files"
        )
        yield Finding(header.first_line(file), message)


def presets(file: TemplateFile, generation: Generation | None = None) -> Iterator[Finding]:
    """The findings on all presets of a file, and on what concerns them all."""
    if file.source.problem is not None:
        return
    found = catalog_of(file)
    if generation is None and has_definitions(found):
        generation = reading.config_of(file.document).generation or Generation.TODAY
    for one in _presets(file.document, generation):
        # The default may be defined elsewhere, in a file of another form.
        if one.code != "unknown-default" or not _is_defined(file, one.word):
            yield one


def _is_defined(file: TemplateFile, name: str) -> bool:
    return bool(catalog_of(file).candidates(name))


def _presets(document: Document, generation: Generation | None) -> Iterator[Finding]:
    found = reading.config_of(document, generation)
    lost = (*dropped(document, generation), *refused_today(document, generation))
    yield from lost
    if document.tree.problem is not None:
        return
    said = {one.span for one in lost}
    yield from (one for one in stand_ins(document) if one.span not in said)
    yield from keys_of(found)
    yield from agents(found, document)
    for preset in found.presets:
        yield from settings(found, preset)
        yield from tools(found, preset)


_OF_PRESETS = (
    "config-dropped",
    "unknown-default",
    "no-effect",
    "renamed-tool",
    "sessions-without-list",
    "preset-conflict",
    "hides-builtin",
    "main-session-unprotected",
    "other-generation",
    "unknown-key",
    "unknown-tool",
    "redundant-entry",
    "no-tools",
)
_OF_KEY = frozenset({Field.KEY})
_CHANGES = {
    **dict.fromkeys(_OF_PRESETS, _OF_KEY),
    "config-dropped": frozenset({Field.LOADS, Field.KEY}),
    "renamed-tool": frozenset({Field.TOOLS}),
    "unknown-tool": frozenset({Field.TOOLS}),
    "no-effect": frozenset[Field](),
    "redundant-entry": frozenset[Field](),
    "no-tools": frozenset({Field.TOOLS}),
}
_BASIS = {
    **dict.fromkeys(("unknown-default", "no-effect", "no-tools"), Basis.ABSENCE),
    **dict.fromkeys(("main-session-unprotected", "other-generation"), Basis.ABSENCE),
    "hides-builtin": Basis.FILE,
}
_FILES = (
    Check(("config-hidden",), config_hidden, basis=Basis.FILE),
    Check(
        ("other-generation",),
        other_generation,
        changes=frozenset({Field.KEY}),
        basis=Basis.FILE,
    ),
)


def of_presets(generation: Generation | None = None) -> tuple[Check, ...]:
    """The checks of a configuration, for one generation, or for any."""
    run = partial(presets, generation=generation)
    return (*_FILES, Check(_OF_PRESETS, run, changes=_CHANGES, basis=_BASIS))
