"""A tool call stands in a code fence."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-fenced", told, of_tables=True)
