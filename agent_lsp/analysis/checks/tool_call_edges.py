"""A role calls a tool that needs edge management, and declares none."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("tool-call-edges", told, of_tables=True)
