"""A shell command prints a tool call."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-echoed", told, of_tables=True)
