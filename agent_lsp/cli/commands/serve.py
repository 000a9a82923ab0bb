"""`serve`: runs the language server on standard input and output, or on a TCP port.

Invariant: this module imports little, because an editor waits for it.
"""

from argparse import ArgumentParser, Namespace

from agent_lsp.cli.arguments import CommandError, examples
from agent_lsp.server import app

_LAST_PORT, _DIGITS = 65535, 5


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `serve`."""
    command.description = "Starts the language server. Editors do this for you."
    command.epilog = examples("serve --stdio", "serve --tcp localhost:9257")
    channel = command.add_mutually_exclusive_group()
    channel.add_argument(
        "--stdio", action="store_true", help="use standard input and output (default)"
    )
    channel.add_argument("--tcp", metavar="HOST:PORT", help="listen for one editor on this address")


def run(arguments: Namespace) -> int:
    """Serves one editor until it disconnects."""
    return app.serve_stdio() if arguments.tcp is None else _serve_tcp(arguments.tcp)


def _serve_tcp(address: str) -> int:
    from agent_lsp.cli.terminal import visible  # noqa: PLC0415 - few editors use TCP

    shown = visible(address)
    host, port = _address(address, shown)
    try:
        return app.serve_tcp(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"--tcp {shown}: cannot listen there: {reason}") from error


def _address(written: str, shown: str) -> tuple[str, int]:
    host, separator, port = written.rpartition(":")
    # Python reads no number of thousands of digits.
    is_port = port.isdecimal() and len(port) <= _DIGITS and int(port) <= _LAST_PORT
    if not separator or not host or not is_port:
        raise CommandError(
            f"--tcp {shown}: expected HOST:PORT with a port up to {_LAST_PORT}, "
            "as in localhost:9257"
        )
    return host.removeprefix("[").removesuffix("]"), int(port)
