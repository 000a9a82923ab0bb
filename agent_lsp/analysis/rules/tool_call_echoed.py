"""A shell command prints a tool call."""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-echoed", told, of_tables=True)
