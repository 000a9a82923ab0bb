"""Headers as people write them, and ways to damage them."""

from collections.abc import Iterator

from hypothesis import strategies as st

PLAIN = """\
description: Use `auditor` for compliance checks and risk triage.
model: gpt-5-codex
reasoning_effort: medium
read_only: true
allow_list:
  - exec_command
  - write_stdin # to a running command
  - "mcp__docs__*"
deny_list: [apply_patch, 'web_search']
"""

PERSONAS = """\
# Who reads the code, and who judges it.
description: >-
  Reads the code: all of it,
  and says what is wrong

agent_names:
  - name: scout
    description: |
      Looks ahead

      # and back
    model: gpt-5.1-codex-mini
  - name: "judge"
    description: 'It''s decided'
    reasoning_effort: high
allow_list:
- exec_command
- update_plan
read_only: false
"""

MIXED = """\
name: "Prüfer 🚀"
description: plain text over
  two lines
mode: {kind: primary, hidden: no}
AllowTools: [
  read, # files
  "search",
]
base: &base
  - read
DisallowedTools: *base
empty:
last: ~
"""

HEADERS = (PLAIN, PERSONAS, MIXED)

_INSERTED = [
    *"ab:-#[]{},\"'*&!|>%@`?\\ \t\n~0",
    ": ",
    "- ",
    "\n  ",
    "\r\n",
    "---",
    "...",
    "\n",
    "x: ",
]
_INSERTED += ["é", "🚀", "\x85", "\u2028", "\x00", "\ufeff", "\ud800", "\uffff", "\r", "&x ", "*x"]


def cuts(text: str) -> Iterator[tuple[str, int, int]]:
    """`text` without the end of a line; also the offset and the length of the cut."""
    start = 0
    for line in text.splitlines(keepends=True):
        stop = start + len(line.rstrip("\n"))
        for at in range(start + 1, stop):
            yield text[:at] + text[stop:], at, stop - at
        start += len(line)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A header after a few random edits."""
    text = draw(st.sampled_from(HEADERS))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from([0, 0, 1, 3, 40]))
        text = text[:at] + draw(st.sampled_from(["", *_INSERTED])) + text[at + gone :]
    return text[: draw(st.one_of(st.just(len(text)), st.integers(0, len(text))))]
