"""# tool-call-native: a tool call is for what most providers do themselves.

Under `vuhlp` Claude, Codex and Gemini run commands and touch files with tools of their own. The
tools `command`, `read_file`, `write_file`, `list_files` and `delete_file` are for other providers,
and `VUHLP_<PROVIDER>_NATIVE_TOOLS` decides about those.

**Why it matters.** A template is for any provider. With most of them this call is not what the
agent should write.

**How to fix it.** Say in words what is to be done, if the role is for one of the three.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"read_file","args":{"path":"README.md"}}}
```

```text
docs/templates/helper.md:6:22 information[tool-call-native] Claude, Codex and Gemini have tools
    of their own for this; `read_file` as a tool call is for other providers
    (`VUHLP_<PROVIDER>_NATIVE_TOOLS`)
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

Read `README.md`.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-native", __doc__, told, of_tables=True)
