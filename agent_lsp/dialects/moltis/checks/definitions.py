"""Checks a Markdown definition for what the checks of every header do not cover."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import finding
from agent_lsp.data_classes import replace
from agent_lsp.dialects.moltis import definitions, policy
from agent_lsp.dialects.moltis.checks.config import other_generation, settings
from agent_lsp.dialects.moltis.checks.presets import tools
from agent_lsp.dialects.moltis.facts import BUILT_IN
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.policy import SPAWN
from agent_lsp.dialects.moltis.reading import Config, Preset
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.template import LoadErrorKind, Reading
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

# The findings that the checks of headers make on tools. Of a pattern, and of a tool that is in a
# list twice, they make one as well.
_SAID = frozenset({"unknown-tool", "renamed-tool", "no-tools"})


def definition(file: TemplateFile) -> Iterator[Finding]:
    """The findings on what a definition sets; of one that is skipped, only the one conflict."""
    if file.source.problem is not None:
        return
    reading = definitions.read(file.document)
    for error in reading.errors:
        if error.kind is LoadErrorKind.FORBIDDEN:
            message = f"{error.message}: the runtime skips the file"
            yield finding("preset-conflict", error.span, message)
    if header.is_broken(file):
        return
    yield from _hidden(reading)
    found, preset = _as_config(reading)
    yield from settings(found, preset)
    is_said = _SAID if not _allows_spawn(preset) else _SAID - {"no-tools"}
    twice = {entry.span for covered in tool_policy.covering(file).values() for entry, _ in covered}
    for remark in tools(found, preset):
        is_pattern = policy.looks_like_pattern(remark.span.of(file.document.text))
        is_told = remark.code == "redundant-entry" and remark.span in twice
        is_told = is_told or (remark.code == "no-effect" and is_pattern)
        if remark.code not in is_said and not is_told:
            yield replace(remark, message=definitions.in_its_words(remark.message))


def _allows_spawn(preset: Preset) -> bool:
    """Whether what is always removed is allowed: the rules for headers do not count that."""
    allow, deny = (policy.items(preset.settings, name) for name in (policy.ALLOW, policy.DENY))
    names = [entry.text for entry in allow]
    return SPAWN in names and not {*names} <= {entry.text for entry in deny}


def _hidden(reading: Reading) -> Iterator[Finding]:
    name = reading.declared.settings.get("name")
    if name is not None and name.text in [preset.name for preset in BUILT_IN]:
        message = (
            f"`{name.text}` replaces the whole built-in preset of this name: what the file does "
            "not set itself is lost"
        )
        yield finding("hides-builtin", name.span, message)


def _as_config(reading: Reading) -> tuple[Config, Preset]:
    """The definition as the only preset of a configuration for the current runtime."""
    values = dict(definitions.as_preset(reading).declared.settings)
    preset = Preset("", Span(0, 0), None, values, ())
    return Config(Generation.TODAY, None, (preset,), (), ()), preset


CHECKS: tuple[Check, ...] = (
    Check(
        ("other-generation",), other_generation, changes=frozenset({Field.KEY}), basis=Basis.FILE
    ),
    Check(
        (
            "preset-conflict",
            "hides-builtin",
            "no-effect",
            "sessions-without-list",
            "redundant-entry",
            "other-generation",
        ),
        definition,
        changes={
            "preset-conflict": frozenset({Field.KEY}),
            "no-effect": frozenset(),
            "redundant-entry": frozenset(),
            "other-generation": frozenset({Field.KEY}),
        },
        basis={
            "hides-builtin": Basis.FILE,
            "no-effect": Basis.ABSENCE,
            "other-generation": Basis.FILE,
        },
    ),
)
