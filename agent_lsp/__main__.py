"""Runs the command line: `python -m agent_lsp` is `agent-template-lsp`."""

from agent_lsp.cli import program

program()
