"""An entry that seems to deny some uses of a tool denies all of them."""

from agent_lsp.analysis.checks.model import Rule, told

RULE = Rule("whole-tool", told)
