"""There is something else on the line of a tool call."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-not-alone", told, of_tables=True)
