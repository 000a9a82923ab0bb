"""A capability has a newer name."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("older-name", told, of_tables=True)
