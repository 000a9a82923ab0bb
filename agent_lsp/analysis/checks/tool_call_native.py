"""A tool call is for what most providers do themselves."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-native", told, of_tables=True)
