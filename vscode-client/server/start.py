"""Starts the packed server: the modules beside this file's folder, and nothing else.

Invariant: nothing is imported before the module that has Ctrl-C end the process without words.
"""

import os.path
import sys

_HERE = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120 - pathlib takes long to load
sys.path.insert(0, os.path.join(os.path.dirname(_HERE), "bundled"))  # noqa: PTH118, PTH120
sys.argv[0] = "agent-template-lsp"

from agent_lsp.__main__ import program  # noqa: E402 - it is found now

program()
