"""A constraint says the opposite of a capability."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("contradiction", told, of_tables=True)
