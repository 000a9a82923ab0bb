"""`schema`: a JSON Schema of the header of one agent system, for other programs."""

import sys
from argparse import Namespace

from agent_lsp.analysis.schema import schema
from agent_lsp.cli.command_error import CommandError
from agent_lsp.cli.resolve import dialect_named
from agent_lsp.cli.terminal import as_json


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
