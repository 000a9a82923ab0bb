"""`serve`: the language server, on standard input and output or on a TCP port.

Invariant: an editor waits for what is imported here, so it is little.
"""

from argparse import Namespace

from agent_lsp.cli.command_error import CommandError
from agent_lsp.server import app

_LAST_PORT = 65535


def run(arguments: Namespace) -> int:
    """Serves one editor until it is done."""
    return app.serve_stdio() if arguments.tcp is None else _serve_tcp(arguments.tcp)


def _serve_tcp(address: str) -> int:
    from agent_lsp.cli.terminal import visible  # noqa: PLC0415 - few editors come this way

    shown = visible(address)
    host, port = _address(address, shown)
    try:
        return app.serve_tcp(host, port)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandError(f"--tcp {shown}: cannot listen there: {reason}") from error


def _address(written: str, shown: str) -> tuple[str, int]:
    host, separator, port = written.rpartition(":")
    if not separator or not host or not port.isdecimal() or int(port) > _LAST_PORT:
        raise CommandError(
            f"--tcp {shown}: expected HOST:PORT with a port up to {_LAST_PORT}, "
            "as in localhost:9257"
        )
    return host.removeprefix("[").removesuffix("]"), int(port)
