"""`schema`: prints a JSON Schema of the headers of one agent system, for other programs."""

import sys
from argparse import ArgumentParser, Namespace

from agent_lsp.analysis.schema import schema
from agent_lsp.cli.arguments import CommandError, examples
from agent_lsp.cli.resolve import dialect_named
from agent_lsp.cli.terminal import as_json


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `schema`."""
    command.description = (
        "Prints a JSON Schema (draft 7) of the header of an agent system, for other\n"
        "programs. It accepts what the runtime loads, including keys that it ignores."
    )
    command.epilog = examples("schema codex-templates")
    command.add_argument("dialect", metavar="DIALECT", help="the agent system")


def run(arguments: Namespace) -> int:
    """Prints the schema."""
    dialect = dialect_named(arguments.dialect)
    printed = schema(dialect)
    if printed is None:
        raise CommandError(
            f"templates of {dialect.id} have no YAML header, so there is no JSON Schema for them"
        )
    print(as_json(printed, sys.stdout))
    return 0
