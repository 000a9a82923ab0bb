"""A preset replaces one that is built in."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("hides-builtin", told, of_tables=True)
