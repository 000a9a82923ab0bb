"""`graph`: draws the agents of a session as a Mermaid flowchart.

Invariant: no name can end a label or begin one.

Source: mermaid.js.org, "Flowcharts - Basic Syntax" (entity codes in labels); read 2026-11-28.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.navigation.call_hierarchy import Graph, graph
from agent_lsp.analysis.preview.call_arguments import Arguments
from agent_lsp.cli.arguments import add_dialect, add_for, examples
from agent_lsp.cli.resolve import (
    chosen,
    current_folder,
    request_for,
    session,
    shown,
    tell,
    tell_uncounted,
)
from agent_lsp.cli.terminal import for_programs, visible
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.workspace.catalogs import catalog


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `graph`."""
    command.description = (
        "Prints a Mermaid flowchart of the agents that a session finds. It shows which\n"
        "file overrides which, which agent may start which, and which agents a prompt mentions."
    )
    command.epilog = examples("graph", "graph --root services/billing > agents.mmd")
    add_dialect(command)
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )
    add_for(command)


def run(arguments: Namespace) -> int:
    """Prints the flowchart."""
    here = current_folder()
    workspace, start = session(arguments.root, here, getattr(arguments, "for"))
    taken = chosen(workspace, arguments.dialect, start)
    if arguments.dialect is not None:
        tell_uncounted(workspace, taken.dialect, start)
    tell(taken)
    dialect = taken.dialect
    given = {"dialect": arguments.dialect} if arguments.dialect else {}
    asked: Arguments = request_for(
        workspace, given, start, lambda one: (one.calls.list_call, one.calls.list_parameters)
    )
    found = catalog(workspace, dialect, asked.root)
    for_programs(sys.stdout)
    print("flowchart LR")
    for line in _chart(found, graph(workspace, dialect, found), here):
        print(f"  {line}")
    return 0


def _chart(catalog: Catalog, drawn: Graph, here: Path) -> Iterator[str]:
    ids = {one: f"n{number}" for number, one in enumerate(drawn.nodes)}
    for number, scope in enumerate(catalog.scopes):
        inside = [one for one in drawn.nodes if one.scope == scope]
        if not inside:
            continue
        # The files of built-in agents are our stand-ins; the runtime's own have no known path.
        where = "" if scope.builtin else f": {shown(scope.folder, here)}"
        yield f"subgraph s{number}[{_label(scope.label + where)}]"
        for one in inside:
            yield f"  {ids[one]}[{_label(one.name)}]"
        yield "end"
    for winner, other in drawn.hides:
        yield f"{ids[winner]} -. instead of .-> {ids[other]}"
    for one, other in drawn.starts:
        yield f"{ids[one]} == may start ==> {ids[other]}"
    for one, other in drawn.mentions:
        yield f"{ids[one]} -- mentions --> {ids[other]}"
    yield from _dimmed(drawn, ids)


def _dimmed(drawn: Graph, ids: dict[Candidate, str]) -> Iterator[str]:
    hidden = [ids[other] for _, other in drawn.hides]
    if hidden:
        yield "classDef hidden stroke-dasharray: 4 4,opacity: 0.6"
        yield f"class {','.join(hidden)} hidden"


def _label(text: str) -> str:
    escaped = "".join(
        character if character.isalnum() or character in " ._-/:~()" else f"#{ord(character)};"
        for character in visible(text)
    )
    return f'"{escaped}"'
