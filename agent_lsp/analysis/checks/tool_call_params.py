"""The arguments of a tool call are under another key."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-params", told, of_tables=True)
