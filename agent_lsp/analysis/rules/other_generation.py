"""# other-generation: a key or a tool belongs to another generation of the runtime.

The presets' document describes the runtime of February 2026. When presets came to the main line in
March 2026, some keys went and others came. Which of the two a file is written for is told by its
keys: one that only today's runtime has is enough, else one that only the document has. Where
nothing tells, nothing is said.

**Why it matters.** A runtime ignores the keys of the other generation without a word.

**How to fix it.** Write what this generation has for it, or remove the key.

```toml moltis.toml
[agents.presets.scout]
delegate_only = false
identity.vibe = "calm"
```

```text
moltis.toml:3:10 information[other-generation] `identity.vibe` belongs to the runtime of the
    presets' document, where it is the style of the sub-agent, as the prompt says it; today's
    runtime, which reads this file, ignores it and has `identity.theme`
```

```toml moltis.toml
[agents.presets.scout]
identity.vibe = "calm"
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("other-generation", __doc__, told, of_tables=True)
