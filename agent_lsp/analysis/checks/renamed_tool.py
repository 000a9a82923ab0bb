"""A tool has another name today."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("renamed-tool", told, of_tables=True)
