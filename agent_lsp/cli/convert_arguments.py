"""What can be written after `agent-template-lsp convert`, with its help text."""

from argparse import ArgumentParser
from collections.abc import Callable

from agent_lsp.cli.examples import examples


def add_convert(add: Callable[..., ArgumentParser]) -> None:
    """Adds the command `convert`."""
    command = add(
        "convert",
        help="convert a template to another agent system, and say what is lost",
        description="Prints a template as a file of another agent system, and says on standard\n"
        "error what that system cannot express. What would let the agent do more is left out\n"
        "where the system can be told to, and reported first where it cannot.\n\n"
        "exit codes: 0 the new agent may do no more than the old one; 1 it may do more, as the\n"
        "report says; 2 it cannot be converted, a wrong call, or a file is there already",
        epilog=examples(
            "convert .claude/agents/reviewer.md --to codex-templates",
            "convert .codex/.agents/reviewer.md --to claude --persona strict --scope project",
            "convert .claude/agents/reviewer.md --to kodacode --format json",
            "convert moltis.toml --preset reviewer --to claude",
        ),
    )
    command.add_argument("file", metavar="FILE", help="the template")
    command.add_argument("--to", metavar="DIALECT", required=True, help="the other agent system")
    command.add_argument(
        "--from", metavar="DIALECT", help="the system of FILE, if its place does not tell"
    )
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        help="write it where the system looks: in the project, or among your own templates",
    )
    command.add_argument("--persona", metavar="NAME", help="only this persona of the template")
    command.add_argument(
        "--preset", metavar="NAME", help="this preset of a file with several, as `moltis.toml`"
    )
    command.add_argument(
        "--output", metavar="FILE", help="write it to FILE; `-` is standard output (default)"
    )
    command.add_argument("--force", action="store_true", help="write over a file that is there")
    command.add_argument(
        "--format", choices=("text", "json"), default="text", help="the answer as text (default)"
    )
