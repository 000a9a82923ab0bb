"""A tool call has no `tool_call` around it."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-wrapper", told, of_tables=True)
