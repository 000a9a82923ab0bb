"""A node is spawned with a role that has no template."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("role-not-found", told, of_tables=True)
