"""A role template does not say all that a role should."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("missing-part", told, of_tables=True)
