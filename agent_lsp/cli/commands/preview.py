"""`preview`: shows what a spawn call resolves to, each value with its origin.

Invariants: the command takes every argument of the runtime's call, and rejects all others. `--json`
prints the result of `agentTemplates.previewSpawn`, and nothing else. Artifacts are written only
into the folder that the user names.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from agent_lsp.analysis.preview import commands
from agent_lsp.analysis.preview.call_arguments import Arguments
from agent_lsp.analysis.suggest import nearest
from agent_lsp.cli.arguments import CommandError, add_session, examples
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.resolve import (
    Chosen,
    chosen,
    current_folder,
    did_you_mean,
    kept_in,
    path_to_write,
    request_for,
    session,
    session_place,
    shown,
    tell,
    tell_uncounted,
)
from agent_lsp.cli.terminal import Look, as_json, look, quoted, visible, wrapped
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.environment import path_from
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Catalog
from agent_lsp.model.schema import KeyRole, Parameter
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.placement import uncounted
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    as_system_reads,
    root_for,
    template_file,
)

# The argument of a call that says in which way an agent runs.
_WAY = "as"
# Options for arguments that runtimes' calls name differently, with their role.
_HOLDING = (
    ("AGENT", "agent", KeyRole.AGENT),
    ("--persona", "persona", KeyRole.PERSONA_NAME),
    ("--task", "task", KeyRole.TASK),
    ("--model", "model", KeyRole.MODEL),
    ("--effort", "effort", KeyRole.EFFORT),
)
# Options for other arguments, each with the names that calls have for it.
_NAMED = (
    ("context", ("context", "context_summary")),
    ("background", ("background",)),
    ("as", (_WAY,)),
    ("env", ("env",)),
    ("thread_note", ("thread_note",)),
    ("working_directory", ("working_directory",)),
)
_TYPES = {bool: "true or false", list: "a list in JSON", dict: "an object in JSON"}


def spawn_argument(arguments: Namespace, dialect: Dialect) -> dict[str, object]:
    """The argument of `previewSpawn`; the runtime's own arguments have the runtime's names.

    Raises `CommandError` if the runtime's call does not have an argument.
    """
    parent = {
        "model": arguments.parent_model,
        "effort": arguments.parent_effort,
        "sandbox": arguments.parent_sandbox,
        "tools": _words(arguments.parent_tools),
        "depth": arguments.parent_depth,
    }
    given = dict(_options(arguments, dialect))
    for written in arguments.argument or ():
        name, value = _written(written, dialect)
        if name in given:
            raise CommandError(f"--argument: `{name}` is given twice")
        given[name] = value
    given |= {
        "dialect": arguments.dialect,
        "parent": {key: value for key, value in parent.items() if value is not None} or None,
    }
    return {key: value for key, value in given.items() if value is not None}


def _options(arguments: Namespace, dialect: Dialect) -> Iterator[tuple[str, object]]:
    for option, member, holds in _HOLDING:
        value, name = getattr(arguments, member), dialect.spawn_argument(holds)
        if value is not None:
            yield _taken(option, name, dialect), value
    for member, names in _NAMED:
        value = getattr(arguments, member)
        taken = (one.name for one in dialect.calls.spawn_parameters if one.name in names)
        if value is not None:
            option = f"--{member.replace('_', '-')}"
            name = _taken(option, next(taken, None), dialect)
            yield name, _variables(value) if member == "env" else value


def _taken(option: str, name: str | None, dialect: Dialect) -> str:
    if name is None:
        raise CommandError(
            f"{option}: `{dialect.calls.spawn_call}` of {dialect.id} has no such argument"
        )
    return name


def _written(written: str, dialect: Dialect) -> tuple[str, object]:
    """The name and the value in `NAME=VALUE`; the value has the type of the argument."""
    name, value = _parted("--argument", written)
    takes = {one.name: one for one in dialect.calls.spawn_parameters}
    if name not in takes:
        what = f"`{dialect.calls.spawn_call}` of {dialect.id} has no argument `{visible(name)}`"
        raise CommandError(f"--argument: {what}{did_you_mean(name, takes)}")
    return name, _value(takes[name], value)


def _value(parameter: Parameter, written: str) -> object:
    if parameter.type is str:
        return written
    try:
        value: object = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, parameter.type):
        raise CommandError(f"--argument: `{parameter.name}` is {_TYPES[parameter.type]}")
    return value


def _variables(written: list[str]) -> dict[str, str]:
    """The variables of `--env`, each as `NAME=VALUE`."""
    return dict(_parted("--env", one) for one in written)


def _parted(option: str, written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise CommandError(f"{option}: `{visible(written)}` is not of the form NAME=VALUE")
    return name, value


def _words(written: str | None) -> list[str] | None:
    if written is None:
        return None
    return [word for word in (part.strip() for part in written.split(",")) if word]


def write_artifacts(
    dialect: Dialect, artifacts: Mapping[str, object], folder: Path, here: Path
) -> None:
    """Writes the prompt of a spawn as the runtime logs it, and overwrites older files.

    Raises `CommandError` if the runtime logs no prompts, or a file cannot be written.
    """
    if dialect.calls.artifact_files is None:
        raise CommandError(f"--artifacts: it is not known that {dialect.id} logs its prompts")
    files = dialect.calls.artifact_files(artifacts)
    for name, text in files.items():
        path = folder / name
        try:
            data = text.encode("utf-8", "surrogatepass")
            write_atomically(path, data, within=kept_in(path, here), makes_folder=True)
        except OSError as error:
            raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error
    print(f"wrote {len(files)} files into {shown(folder, here)}", file=sys.stderr)


_REFUSED = 1
_INDENT = 2
_ALWAYS = ("name", "persona", "template", "lost", "programs", "depth", "tools", "prompt", "notes")
_STAND_IN = "stand-in for the runtime's own text"

_Json = Mapping[str, Any]


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `preview`."""
    command.description = (
        "Shows what an agent would get if it started now: the model, the sandbox, the\n"
        "tools and the prompt, and where each value comes from."
    )
    command.epilog = examples(
        "preview reviewer",
        "preview reviewer --persona security --effort high",
        "preview worker --parent-model gpt-5.2-codex --parent-depth 1 --json",
        "preview reviewer --dialect kodacode --task 'Find it.' --context 'Since Monday.'",
        "preview reviewer --dialect kodacode --argument 'source_handoff_ids=[\"h1\"]'",
        "preview planner --argument mode=IMPLEMENTATION --artifacts prompt",
    )
    command.add_argument(
        "agent",
        metavar="AGENT",
        nargs="?",
        help="the agent to spawn, by its name or its file (default: the runtime's default agent)",
    )
    command.add_argument("--persona", metavar="NAME", help="the persona of the agent")
    add_session(command)
    call = command.add_argument_group("arguments of the spawn call")
    call.add_argument("--task", metavar="TEXT", help="the task of the agent")
    call.add_argument("--context", metavar="TEXT", help="additional context for the agent")
    call.add_argument("--model", metavar="M", help="use this model instead of the template's")
    call.add_argument(
        "--effort", metavar="E", help="use this reasoning effort instead of the template's"
    )
    call.add_argument("--thread-note", metavar="TEXT", help="the note by which the thread is known")
    call.add_argument("--working-directory", metavar="DIR", help="another folder to work in")
    call.add_argument(
        "--background", action="store_const", const=True, help="run the agent in the background"
    )
    call.add_argument(
        "--as",
        metavar="WAY",
        help="`session`: run the agent as the session itself, not as a sub-agent",
    )
    call.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        help="an environment variable of the session",
    )
    call.add_argument(
        "--argument",
        metavar="NAME=VALUE",
        action="append",
        help="any other argument of the call, by its name; lists and objects are JSON",
    )
    command.add_argument(
        "--artifacts",
        metavar="DIR",
        help="write the prompt, its blocks and their hashes into this folder, as the runtime logs"
        " them",
    )
    parent = command.add_argument_group("the agent that spawns")
    parent.add_argument("--parent-model", metavar="M", help="its model")
    parent.add_argument("--parent-effort", metavar="E", help="its reasoning effort")
    parent.add_argument("--parent-sandbox", metavar="S", help="its sandbox")
    parent.add_argument(
        "--parent-tools", metavar="NAMES", help="the tools of its session, separated by commas"
    )
    parent.add_argument(
        "--parent-depth", metavar="N", type=int, help="its own nesting depth (default: 0)"
    )


def run(arguments: Namespace) -> int:
    """Prints the preview; if the runtime refuses the call, prints why and returns exit code 1."""
    here = current_folder()
    workspace, start = session(arguments.root, here, getattr(arguments, "for"))
    file = _file(workspace, arguments.agent, here)
    start = start or (file.path if file else None)
    taken = chosen(workspace, arguments.dialect, start)
    if arguments.dialect is not None:
        tell_uncounted(workspace, taken.dialect, start)
    if file is None and arguments.agent is not None:
        taken = _having(taken, arguments.agent, workspace, start)
        arguments.dialect = taken.dialect.id
    dialect = taken.dialect
    arguments.agent = _name_in(workspace, file, dialect) if file else arguments.agent
    argument = spawn_argument(arguments, dialect)
    asked = request_for(workspace, argument, start, spawn_call)
    tell(taken)
    answer = commands.preview_spawn(workspace, argument, start)
    result: Any = answer["result"]
    if answer["error"] is not None:
        _print_refusal(answer, catalog(workspace, asked.dialect, asked.root), arguments.agent, here)
        if arguments.agent and _runs_as_session(workspace, argument, start, dialect):
            print("  `--as session` shows it as the session itself", file=sys.stderr)
        return _REFUSED
    if arguments.artifacts:
        write_artifacts(asked.dialect, result, path_to_write(arguments.artifacts, here), here)
    if arguments.json:
        print(as_json(result, sys.stdout))
        return 0
    for line in spawned(result, asked, here):
        print(line)
    return 0


def _runs_as_session(
    workspace: Workspace, argument: dict[str, object], start: Path | None, dialect: Dialect
) -> bool:
    """Whether an agent that a call refuses runs as the session itself."""
    has_ways = any(one.name == _WAY for one in dialect.calls.spawn_parameters)
    if not has_ways or _WAY in argument:
        return False
    again = {**argument, _WAY: "session"}
    return commands.preview_spawn(workspace, again, start)["error"] is None


def spawned(result: _Json, asked: Arguments, here: Path) -> Iterator[str]:
    """The lines about the `result` of a spawn call, which is JSON; paths are shown from `here`."""
    page = _Page(here, look(sys.stdout))
    yield from _head(page, result, asked)
    for title, lines in (
        ("settings", _settings(page, result)),
        ("tools", _tools(page, result["tools"])),
        ("prompt", _prompt(page, result["prompt"])),
        *((name, _artifact(value)) for name, value in result.items() if _is_artifact(name, value)),
        ("notes", (wrapped(f"- {note}", _INDENT, page.look.width) for note in result["notes"])),
    ):
        rows = list(lines)
        if rows:
            yield from ("", page.look.paint(title, "bold"), *rows)


def _having(taken: Chosen, agent: str, workspace: Workspace, start: Path | None) -> Chosen:
    """`taken`, or the first of its others that has the agent if only an other one has it."""
    for one in taken.every:
        root = root_for(workspace, one.system, start)
        if agent in catalog(workspace, one, root).names:
            others = tuple(other for other in taken.every if other is not one)
            return replace(taken, dialect=one, others=others)
    return taken


def _print_refusal(answer: _Json, found: Catalog, agent: str | None, here: Path) -> None:
    """Prints the runtime's answer, the file that is the reason, and the name that was meant."""
    print(f"error: {visible(str(answer['error']))}", file=sys.stderr)
    if "file" in answer:
        where = shown(Path(str(answer["file"])), here)
        print(f"  no agent loads because of {where}", file=sys.stderr)
        return
    for one in answer.get("skipped", ()):
        where = shown(Path(one["file"]), here)
        print(f"  skipped by the runtime: {where}: {visible(one['message'])}", file=sys.stderr)
    near = nearest(agent or "", found.names)
    if agent not in found.names and near:
        print(f"  did you mean `{near}`?", file=sys.stderr)


def _file(workspace: Workspace, written: str | None, here: Path) -> TemplateFile | None:
    """The template that a user has named by its path, or None."""
    path = path_from(written, here) if written and "/" in Path(written).as_posix() else None
    return template_file(workspace, path) if path is not None else None


def _name_in(workspace: Workspace, file: TemplateFile, dialect: Dialect) -> str:
    """What `dialect` calls the agent of `file`; raises `CommandError` if it has none of it."""
    read = as_system_reads(file, dialect.system)
    if read is None:
        is_left_out = dialect.system in uncounted(workspace, file.path.parent)
        does = "is skipped here, so it has no agent of" if is_left_out else "does not read"
        raise CommandError(f"{dialect.runtime} {does} {visible(str(file.path))}")
    if read.name is None:
        raise CommandError(f"{dialect.runtime} has no agent of {visible(str(file.path))}")
    return read.name


def spawn_call(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    """The name and the parameters of the runtime's call."""
    return dialect.calls.spawn_call, dialect.calls.spawn_parameters


@dataclass(frozen=True, slots=True)
class _Page:
    """The current folder, and the layout."""

    here: Path
    look: Look


def _head(page: _Page, result: _Json, asked: Arguments) -> Iterator[str]:
    name = page.look.paint(visible(result["name"]), "bold")
    persona = f", persona {visible(result['persona'])}" if result["persona"] else ""
    template = result["template"]
    source = "no template"
    if template is not None:
        source = f"{shown(Path(template['file']), page.here)} ({template['label']})"
    yield f"{name} of {asked.dialect.system.heading}{persona}  {source}"
    place = session_place(asked.root, page.here)
    yield f"for a session in {place}, at depth {result['depth']}"
    for said in result.get("programs", ()):
        yield wrapped(f"read by {said}", 0, page.look.width)
    for said in result["lost"]:
        yield page.look.paint(wrapped(f"warning: {said}", 0, page.look.width), "warning")


def _settings(page: _Page, result: _Json) -> Iterator[str]:
    """Each setting with the step of its chain that decides, and the values of other steps."""
    settings = {
        name: value
        for name, value in result.items()
        if isinstance(value, Mapping) and "chain" in value
    }
    margin = max(map(len, settings), default=0) + 2
    for name, setting in settings.items():
        value = "inherited" if setting["value"] is None else visible(setting["value"])
        origin = _origin(page, setting["origin"])
        yield f"  {name:{margin}}{page.look.paint(value, 'bold')}  ({origin})"
        if setting.get("note"):
            yield wrapped(setting["note"], margin + _INDENT, page.look.width)
        for link in setting["chain"]:
            if link["value"] is not None and not link["wins"]:
                yield f"  {'':{margin}}instead of {visible(link['value'])}  ({_origin(page, link)})"


def _tools(page: _Page, tools: _Json) -> Iterator[str]:
    kept = [verdict["tool"] for verdict in tools["kept"]]
    known = len(kept) + len(tools["removed"])
    width = page.look.width
    yield wrapped(f"keeps {len(kept)} of {known}: {', '.join(kept) or 'none'}", _INDENT, width)
    if tools["open_patterns"]:
        patterns = ", ".join(tools["open_patterns"])
        yield wrapped(f"and any other tool that matches {patterns}", _INDENT, width)

    def reason(verdict: _Json) -> str:
        place = _place(page, verdict)
        return f"{verdict['reason']} ({place})" if place else str(verdict["reason"])

    for why, verdicts in groupby(sorted(tools["removed"], key=reason), key=reason):
        names = ", ".join(verdict["tool"] for verdict in verdicts)
        yield wrapped(f"removed, {why}: {names}", _INDENT, width)


def _prompt(page: _Page, parts: Iterable[_Json]) -> Iterator[str]:
    for part in parts:
        kind = "verbatim" if part["verbatim"] else page.look.paint(_STAND_IN, "warning")
        yield f"  {part['title']}, {_origin(page, part['origin'])}, {kind}"
        yield from quoted(part["text"], _INDENT)


def _is_artifact(name: str, value: object) -> bool:
    """Whether a member is neither a setting nor one that every preview has.

    The place of each key is shown where several files decide.
    """
    if name == "definition" and isinstance(value, Mapping) and len(value["files"]) == 1:
        return False
    return name not in _ALWAYS and not (isinstance(value, Mapping) and "chain" in value)


def _artifact(value: object) -> Iterator[str]:
    yield from quoted(json.dumps(value, indent=2, ensure_ascii=False), _INDENT)


def _origin(page: _Page, origin: _Json) -> str:
    return ", ".join(filter(None, (visible(origin["label"]), _place(page, origin))))


def _place(page: _Page, origin: _Json) -> str:
    """`path:line` of an origin in a file, otherwise an empty text."""
    if origin["file"] is None or origin["line"] is None:
        return ""
    return f"{shown(Path(origin['file']), page.here)}:{origin['line']}"
