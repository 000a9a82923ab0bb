"""The default preset does not exist."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("unknown-default", told, of_tables=True)
