"""# unknown-tool: a tool policy has an entry that covers no known tool.

An entry is the name of a tool, or a pattern in which `*` stands for any number of characters and
`?` for one. It has to cover the whole name, and case matters. An entry that covers nothing is not
reported by the runtime.

**Why it matters.** In `allow_list` the agent does not get the tool that the author had in mind;
in `deny_list` it keeps it. It is a warning where the entry is certainly a mistake: a slip away
from a known tool, in another case, several tools in one entry, or a regular expression. Any other
unknown name is information, for a runtime may have tools that are not known here. Nothing is said
about names and patterns that an MCP server could give a meaning to (`mcp__github__*`).

**How to fix it.** Correct the entry. Tools that you know to exist go into the settings, as extra
tools of the dialect.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - aply_patch
  - Exec_Command
  - ^list_.*$
  - exec_command, write_stdin
  - send_email
  - mcp__github__*
deny_list:
  - Web*
  - "!update_plan"
  - email_*
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 warning[unknown-tool] unknown tool `aply_patch`: it allows
    nothing; did you mean `apply_patch`?
.codex/.agents/reviewer.md:5:5 warning[unknown-tool] unknown tool `Exec_Command`: it allows
    nothing; case matters, did you mean `exec_command`?
.codex/.agents/reviewer.md:6:5 warning[unknown-tool] no known tool matches `^list_.*$`: it
    allows nothing; regular expressions are not understood, did you mean `list_*`?
.codex/.agents/reviewer.md:7:5 warning[unknown-tool] unknown tool `exec_command, write_stdin`:
    it allows nothing; write each tool as an item of its own
.codex/.agents/reviewer.md:8:5 information[unknown-tool] unknown tool `send_email`: it allows
    nothing, unless the runtime has more tools than are known here
.codex/.agents/reviewer.md:11:5 warning[unknown-tool] no known tool matches `Web*`: it denies
    nothing; case matters, did you mean `web*`?
.codex/.agents/reviewer.md:12:5 warning[unknown-tool] unknown tool `!update_plan`: it denies
    nothing; a leading `!` negates nothing
.codex/.agents/reviewer.md:13:5 information[unknown-tool] no known tool matches `email_*`: it
    denies nothing, unless the runtime has more tools than are known here
```

An item that is indented deeper than the one above it is no item, but continues that one:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - exec_command
    - write_stdin
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 warning[unknown-tool] unknown tool `exec_command - write_stdin`:
    it allows nothing; the second `-` is indented deeper, so this is one item; put the two in
    line
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - apply_patch
  - exec_command
  - list_*
  - mcp__github__*
deny_list:
  - web_*
---
You review changes.
```

```text
clean
```
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.model import Holds, Severity
from agent_lsp.workspace.index import Subject

_REGEX = re.compile(r"\.[*+]|^\^|\$$|\+$|[\\|()\[\]{}]")
_ANY = re.compile(r"(?:\.|\\[wdS]|\[[^\]]*\])[*+]")
_PLAIN = re.compile(r"[\w*?.:-]+")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each entry that covers no known tool and might have been meant to."""
    if not header.parses(of):
        return
    for holds in policy.LISTS:
        effect = "it denies nothing" if holds is Holds.DENY else "it allows nothing"
        for entry in policy.entries(of, holds):
            if policy.is_known(of, entry.text):
                continue
            fix = _several(entry.text) or _syntax(of, entry.text) or _spelling(of, entry.text)
            if fix:
                yield Finding(entry.span, f"{_thing(of, entry.text)}: {effect}; {fix}")
            elif not policy.cannot_tell(of, entry.text):
                unless = "unless the runtime has more tools than are known here"
                message = f"{_thing(of, entry.text)}: {effect}, {unless}"
                yield Finding(entry.span, message, Severity.INFORMATION)


def _thing(of: Subject, entry: str) -> str:
    if of.dialect.is_pattern(entry):
        return f"no known tool matches {code(entry)}"
    return f"unknown tool {code(entry)}"


def _several(entry: str) -> str:
    """What to do about more than one tool in an entry."""
    names = re.split(r"[\s,]+", entry.strip(", \t"))
    if names == [entry] or "(" in entry:
        return ""
    if len(names) == 1:
        return f"did you mean {code(names[0])}?"
    if "-" in names:
        return "the second `-` is indented deeper, so this is one item; put the two in line"
    return "write each tool as an item of its own"


def _syntax(of: Subject, entry: str) -> str:
    """What to do about signs that have no meaning in an entry."""
    if entry.startswith("!"):
        return "a leading `!` negates nothing"
    if re.match(r"[\w.:-]+\(", entry):
        return "an entry takes no arguments, a tool is covered as a whole"
    if not _REGEX.search(entry):
        return ""
    glob = re.sub(r"\\(\W)", r"\1", _ANY.sub("*", entry.removeprefix("^").removesuffix("$")))
    read = "regular expressions are not understood"
    if glob == "*" and "." not in entry:
        # A class of characters stands for some names, and nobody is talked into allowing all.
        return read
    if _PLAIN.fullmatch(glob) and (policy.is_known(of, glob) or policy.cannot_tell(of, glob)):
        return f"{read}, did you mean {code(glob)}?"
    return read


def _spelling(of: Subject, entry: str) -> str:
    """The known tool or pattern that the entry is a misspelling of."""
    if policy.speaks_of_servers(of, entry):
        return ""
    lowered = entry.lower()
    if lowered != entry and (policy.is_known(of, lowered) or policy.speaks_of_servers(of, lowered)):
        return f"case matters, did you mean {code(lowered)}?"
    meant = None if of.dialect.is_pattern(entry) else nearest(entry, policy.names(of))
    return f"did you mean {code(meant)}?" if meant else ""


RULE = Rule("unknown-tool", __doc__, check)
