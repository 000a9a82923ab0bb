"""An argument of a tool call is missing, unknown or of another type."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-argument", told, of_tables=True)
