"""`schema`: prints a JSON Schema of the headers of one agent system, for other programs."""

import sys
from argparse import ArgumentParser, Namespace

from agent_lsp.analysis.schema import schema
from agent_lsp.cli.arguments import CommandError, dialects, examples
from agent_lsp.cli.resolve import chosen, current_folder, dialect_named, session, tell
from agent_lsp.cli.terminal import as_json
from agent_lsp.model.dialect import Dialect


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `schema`."""
    command.description = (
        "Prints a JSON Schema (draft 7) for the header of a system's agent files. It\n"
        "accepts everything that the runtime loads, including keys that it ignores."
    )
    command.epilog = examples("schema claude")
    command.add_argument(
        "dialect",
        metavar="DIALECT",
        nargs="?",
        help=f"the agent system, one of {dialects()} (default: the system of this folder)",
    )


def run(arguments: Namespace) -> int:
    """Prints the schema."""
    dialect = _dialect(arguments.dialect)
    printed = schema(dialect)
    if printed is None:
        raise CommandError(
            f"templates of {dialect.id} have no YAML header, so there is no JSON Schema for them"
        )
    # First the title, which says whose schema it is.
    print(as_json({"title": printed["title"], **printed}, sys.stdout))
    return 0


def _dialect(written: str | None) -> Dialect:
    """The dialect that was `written`, or else that of the folder, which is printed as a note."""
    if written is not None:
        return dialect_named(written)
    workspace, start = session(None, current_folder())
    taken = chosen(workspace, None, start)
    if not taken.is_sure:
        raise CommandError(f"no agent system has a template here; name one of {dialects()}")
    print(f"note: the schema of {taken.dialect.id}", file=sys.stderr)
    tell(taken)
    return taken.dialect
