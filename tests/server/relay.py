"""Asks a waiting process to be a server, and stands for that server until it ends.

It is run by its path in a Python without packages, so that it starts fast. The server gets its
streams, environment and folder, and it exits with the server's exit code.
"""

# `socket`, the module in Python, takes as long to import as everything else.
import _socket
import os
import sys

STREAMS = b"".join(stream.to_bytes(4, sys.byteorder) for stream in (0, 1, 2))


def main() -> int:
    address, *arguments = sys.argv[1:]
    line = _socket.socket(_socket.AF_UNIX)
    line.connect(address)
    here = os.getcwd()  # noqa: PTH109 # as `socket`
    variables = (part for pair in os.environb.items() for part in pair)
    parts = (os.fsencode(here), b"%d" % len(arguments), *map(os.fsencode, arguments), *variables)
    said = b"\0".join(parts)
    line.sendmsg(
        [len(said).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, STREAMS)]
    )
    line.sendall(said)
    # The answer is empty if the server was killed.
    return int.from_bytes(line.recv(1) or b"\1", "big")


raise SystemExit(main())
