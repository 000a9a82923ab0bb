"""The `[template]` block is not at the top of the file."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("preamble-place", told, of_tables=True)
