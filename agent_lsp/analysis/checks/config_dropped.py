"""A fault makes the runtime drop the whole configuration."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("config-dropped", told, of_tables=True)
