"""Answers the command for conversions: the new files, and the report as data or as text.

Invariants: any JSON is accepted, and an error in it is answered with a message. Losses that let the
agent do more come first, in bold.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis.conversion import SCOPES, convert, is_written, merged
from agent_lsp.analysis.conversion.pair import Converted, Loss, LossSeverity
from agent_lsp.analysis.preview.call_arguments import FORMATS
from agent_lsp.analysis.render import code, fence, line_of, link, words
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.system import System
from agent_lsp.workspace.placement import system_by_id
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

Answer = dict[str, object]
MEMBERS = ("to", "scope", "persona", "preset", "format")
_TITLES = {
    LossSeverity.WIDER: "**The new agent may do more than the old one**",
    LossSeverity.LOST: "Lost",
    LossSeverity.NOTE: "Notes",
}


def conversion(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """The conversion of the template at `start` by `argument`, or the reason for having none."""
    file = template_file(workspace, start) if start is not None else None
    system = system_by_id(workspace.systems, str(argument.get("to")))
    wrong = _wrong(workspace.systems, argument)
    if wrong or file is None or system is None:
        message = wrong or "`uri` is the URI of a template, as in `file:///project/agent.md`"
        return _answer(argument, RuntimeRefusal(message))
    given = (argument.get(name) for name in ("scope", "persona", "preset"))
    scope, persona, preset = (value if isinstance(value, str) else None for value in given)
    made = convert(file, system.dialect, scope, persona, preset)
    if isinstance(made, RuntimeRefusal):
        return _answer(argument, made)
    if argument.get("format") == "markdown":
        return {"markdown": report(file, system.dialect, made)}
    losses = [_loss(file, one) for one in merged(made)]
    files = [{"path": str(one.path), "name": one.name, "text": one.text} for one in made]
    return {"result": {"files": files, "losses": losses}, "error": None}


def report(file: TemplateFile, target: Dialect, files: tuple[Converted, ...]) -> str:
    """The result and the losses of a conversion, as Markdown."""
    losses = merged(files)
    wider = sum(one.weight is LossSeverity.WIDER for one in losses)
    said = "the new agent **may do more**" if wider else "the new agent may do no more than it"
    into = ", ".join(link(file.workspace, one.path) for one in files)
    blocks = [
        f"**{code(files[0].name)}** for {words(target.title)}: {said}",
        f"From {link(file.workspace, file.path)}, into {into}",
        *(block for weight in LossSeverity for block in _section(file, weight, losses)),
        *(block for one in files for block in (f"### {code(one.name)}", fence(one.text, "md"))),
    ]
    return "\n\n".join(blocks) + "\n"


def _section(file: TemplateFile, weight: LossSeverity, losses: tuple[Loss, ...]) -> Iterator[str]:
    found = [one for one in losses if one.weight is weight]
    if found:
        yield f"### {_TITLES[weight]}"
        yield "\n".join(
            f"- {words(one.message)} ({link(file.workspace, file.path, one.span)})" for one in found
        )


def _loss(file: TemplateFile, loss: Loss) -> Mapping[str, object]:
    line = line_of(file.workspace, file.path, loss.span)
    return {"weight": loss.weight.name.lower(), "line": line, "message": loss.message}


def _wrong(systems: Iterable[System], argument: Mapping[str, object]) -> str:
    """The error in the object, or nothing."""
    stranger = next((name for name in argument if name not in MEMBERS), None)
    if stranger is not None:
        near = nearest(stranger, MEMBERS)
        hint = f"did you mean `{near}`? " if near else ""
        return f"unknown argument `{stranger}`; {hint}a conversion takes {', '.join(MEMBERS)}"
    choices: dict[str, list[str | None]] = {
        "to": [one.id for one in systems if is_written(one.dialect)],
        "scope": [*SCOPES, None],
        "format": [*FORMATS, None],
    }
    for name, known in choices.items():
        if argument.get(name) not in known:
            shown = ", ".join(f"`{one}`" for one in known if one is not None)
            return f"`{name}` is one of {shown}"
    for name in ("persona", "preset"):
        if not isinstance(argument.get(name), str | None):
            return f"`{name}` is the name of a {name}"
    return ""


def _answer(argument: Mapping[str, object], refusal: RuntimeRefusal) -> Answer:
    if argument.get("format") == "markdown":
        return {"markdown": f"**No conversion**: {words(refusal.message)}\n"}
    return {"result": None, "error": refusal.message}
