"""A sub-agent may send to sessions that it cannot find."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("sessions-without-list", told, of_tables=True)
