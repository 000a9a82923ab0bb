"""A tool call is no JSON on one line."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-json", told, of_tables=True)
