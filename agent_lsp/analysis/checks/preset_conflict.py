"""Values of a preset contradict each other, or allow nothing."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("preset-conflict", told, of_tables=True)
