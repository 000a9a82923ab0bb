"""A constraint is none that the shipped templates use."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("unknown-constraint", told, of_tables=True)
