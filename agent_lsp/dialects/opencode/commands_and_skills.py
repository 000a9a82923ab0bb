"""Reads what OpenCode reads beside its agents: commands, and skills.

A file counts here only if it does harm: its header is run, or keeps the program from starting. All
other files are no templates.

Facts: OpenCode 1.18.33, measured 2026-11-29: the header of a command is read as that of an agent. A
value of a wrong type stops the program, null as well, and any other key is taken. A skill stops
nothing. The header of either is run if its language is JavaScript.
"""

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import COMMANDS, SKILLS, header_text, reading
from agent_lsp.dialects.opencode.checks import headers, refusals
from agent_lsp.dialects.opencode.dialect import DIALECT
from agent_lsp.dialects.opencode.facts import STOPS
from agent_lsp.dialects.opencode.reading import Fate, fate
from agent_lsp.dialects.opencode.validation import OF_COMMAND, validate
from agent_lsp.model.check import Basis, Check
from agent_lsp.model.dialect import FileFormat, Findings, Names, References, Schema, Variants
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Consequence, IfWrong, Key, RefusedFile, Severity, ValueKind
from agent_lsp.model.template import LoadError, Reading
from agent_lsp.syntax.document import Document

_NO_AGENT = "it is no agent"
_KEYS = (
    Key("description", ValueKind.TEXT, "what the command is for", "none", nullable=False),
    Key("agent", ValueKind.TEXT, "the agent that runs it", "the current one", nullable=False),
    Key("model", ValueKind.TEXT, "the model as `provider/model`", "the agent's", nullable=False),
    Key("variant", ValueKind.TEXT, "a variant of the model", "none", nullable=False),
    Key(
        "subtask",
        ValueKind.BOOL,
        "whether a sub-agent runs it",
        "as the mode of the agent says",
        nullable=False,
    ),
)


def read_command(document: Document, name: str) -> Reading:
    """What keeps the program from starting in the header of a command."""
    found = replace(reading.read(document, name), errors=(), possible_errors=())
    top = reading.root(document) if fate(document) in (Fate.READ, Fate.MENDED) else None
    errors = tuple(
        LoadError(one.kind, one.span, one.message, ".".join(one.path), one.expected, one.got)
        for one in (validate(top, OF_COMMAND) if top is not None else ())
    )
    return replace(found, errors=errors)


def read_skill(document: Document, name: str) -> Reading:
    """A skill, which keeps nothing from starting."""
    return replace(reading.read(document, name), errors=(), possible_errors=())


def _is_harmless_command(document: Document, _scope: Scope) -> bool:
    return fate(document) is not Fate.RUN and not read_command(document, "").errors


def _is_harmless_skill(document: Document, _scope: Scope) -> bool:
    return fate(document) is not Fate.RUN


OF_COMMANDS = replace(
    DIALECT,
    system=COMMANDS,
    format=FileFormat(
        consequence=Consequence(
            header_refused=STOPS, header_absent=_NO_AGENT, file=RefusedFile.CATALOG
        ),
        replaces_bytes=True,
        split=reading.split,
        syntax=header_text.parse,
        read=read_command,
        is_header_optional=True,
        is_note=_is_harmless_command,
        merges=True,
    ),
    names=Names(name_of=reading.name_of, names_in=reading.path_name),
    schema=Schema(keys=_KEYS, if_wrong=IfWrong.STOPS, open_keys=True),
    references=References(),
    variants=Variants(),
    conversion=None,
    findings=Findings(
        severities={
            "executed-header": Severity.ERROR,
            "wrong-type": Severity.ERROR,
        },
        checks=(
            Check(
                ("executed-header",),
                headers.executed_header,
                basis=Basis.FILE,
                warns_of_author=True,
            ),
            Check(("wrong-type",), refusals.refused_values),
        ),
    ),
)
OF_SKILLS = replace(
    OF_COMMANDS,
    system=SKILLS,
    format=replace(
        OF_COMMANDS.format,
        consequence=Consequence(header_refused=_NO_AGENT, header_absent=_NO_AGENT),
        read=read_skill,
        is_note=_is_harmless_skill,
    ),
    schema=Schema(keys=(), if_wrong=IfWrong.IGNORED, open_keys=True),
)
