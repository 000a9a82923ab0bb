"""Only sub-agents are restricted."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("main-session-unprotected", told, of_tables=True)
