"""The `[template]` block is no TOML."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("preamble-syntax", told, of_tables=True)
