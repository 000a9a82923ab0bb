"""An entry of a preset does nothing."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("no-effect", told, of_tables=True)
