"""A capability is none that the shipped templates use."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("unknown-capability", told, of_tables=True)
