"""Runs the program with the planted system in its list, as if `agent_lsp.dialects` named it.

python -m tests.planted PYTHON -m agent_lsp ARGUMENT…
"""

import sys

from agent_lsp import dialects
from tests.planted import SYSTEMS

if __name__ == "__main__":
    # Before anything else reads the list.
    dialects.SYSTEMS = (*dialects.SYSTEMS, *SYSTEMS)
    from agent_lsp.cli import main

    sys.exit(main(sys.argv[4:]))
