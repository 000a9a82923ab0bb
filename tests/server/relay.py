"""Asks a process that waits for it to be a server, and stands for that server until it ends.

It is run by its path, in a Python without packages, so that it starts in no time. Its streams, its
environment and its folder become those of the server, and the server's exit code becomes its own.
"""

import json
import os
import socket
import sys


def main() -> int:
    address, *arguments = sys.argv[1:]
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        here = os.getcwd()  # noqa: PTH109 # pathlib would take as long as all the rest
        said = json.dumps([arguments, dict(os.environ), here]).encode()
        socket.send_fds(line, [len(said).to_bytes(8, "big")], [0, 1, 2])
        line.sendall(said)
        # Nothing comes if the server was killed.
        return int.from_bytes(line.recv(1) or b"\1", "big")


raise SystemExit(main())
