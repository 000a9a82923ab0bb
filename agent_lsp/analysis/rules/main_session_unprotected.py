"""Only sub-agents are restricted."""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("main-session-unprotected", told, of_tables=True)
