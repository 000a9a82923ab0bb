"""Starts the packed server: the modules beside this file's folder, and nothing else."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bundled"))
sys.argv[0] = "agent-template-lsp"
runpy.run_module("agent_lsp", run_name="__main__")
