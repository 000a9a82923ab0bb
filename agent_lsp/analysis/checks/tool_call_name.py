"""A tool call names a tool that there is not."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-name", told, of_tables=True)
