"""An id or an alias of a tool call is used twice."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-id", told, of_tables=True)
