"""A tool call stands in a code fence."""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-fenced", told, of_tables=True)
