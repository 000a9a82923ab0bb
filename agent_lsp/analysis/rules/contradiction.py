"""A constraint says the opposite of a capability."""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("contradiction", told, of_tables=True)
