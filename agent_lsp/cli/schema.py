"""`schema`: a JSON Schema of the header of one agent system, for other programs."""

import sys
from argparse import Namespace

from agent_lsp.analysis.schema import schema
from agent_lsp.cli.named import dialect_named
from agent_lsp.cli.terminal import as_json


def run(arguments: Namespace) -> int:
    """Prints the schema."""
    print(as_json(schema(dialect_named(arguments.dialect)), sys.stdout))
    return 0
