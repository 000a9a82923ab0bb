"""What can be written after `preview`, and of the session that a command is about.

Invariant: nothing of the core is imported here, as in `arguments`.
"""

from argparse import ArgumentParser
from collections.abc import Callable

from agent_lsp.cli.examples import examples


def add_preview(add: Callable[..., ArgumentParser]) -> None:
    """Adds the command to those that `add` makes."""
    command = add(
        "preview",
        help="show what a spawn call would start",
        description="Shows what a spawn call would start: model, sandbox, tools and prompt, and\n"
        "where each value comes from.",
        epilog=examples(
            "preview reviewer",
            "preview reviewer --persona security --effort high",
            "preview worker --parent-model gpt-5.2-codex --parent-depth 1 --json",
            "preview reviewer --dialect kodacode --task 'Find it.' --context 'Since Monday.'",
            "preview reviewer --dialect kodacode --argument 'source_handoff_ids=[\"h1\"]'",
            "preview planner --argument mode=IMPLEMENTATION --artifacts prompt",
        ),
    )
    command.add_argument(
        "agent", metavar="AGENT", nargs="?", help="the agent to spawn (default: as the call has it)"
    )
    command.add_argument("--persona", metavar="NAME", help="the persona of the agent")
    add_session(command)
    call = command.add_argument_group("arguments of the spawn call")
    call.add_argument("--task", metavar="TEXT", help="what the agent shall do")
    call.add_argument("--context", metavar="TEXT", help="what it should know besides")
    call.add_argument("--model", metavar="M", help="instead of the template's model")
    call.add_argument("--effort", metavar="E", help="instead of the template's reasoning effort")
    call.add_argument("--thread-note", metavar="TEXT", help="the note by which the thread is known")
    call.add_argument("--working-directory", metavar="DIR", help="another folder to work in")
    call.add_argument(
        "--background", action="store_const", const=True, help="run it in the background"
    )
    call.add_argument(
        "--env", metavar="NAME=VALUE", action="append", help="a variable that the session has"
    )
    call.add_argument(
        "--argument",
        metavar="NAME=VALUE",
        action="append",
        help="any argument by the name that the call has for it; lists and objects are JSON",
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
        "--parent-tools", metavar="NAMES", help="what its session offers, separated by commas"
    )
    parent.add_argument(
        "--parent-depth", metavar="N", type=int, help="how deep it was spawned itself (default: 0)"
    )


def add_session(command: ArgumentParser) -> None:
    """Adds what says which session a command is about."""
    command.add_argument("--dialect", metavar="D", help="the agent system, as in codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="where the session starts (default: this folder)"
    )
    command.add_argument("--json", action="store_true", help="the answer as JSON")
