"""What a message proposes can be written as it stands: no new finding comes of it."""

import re

import pytest

from tests.checks.conftest import BODY, Check

PERSONAS = "<!-- agent_name: strict -->\nReport every risk.\n"

# Lines of a header, and what the message says; the proposal `write X` is applied to the finding.
WRITTEN = [
    ("model: [gpt-5]", "write `gpt-5`"),
    ("model:\n  - gpt-5", "write `gpt-5`"),
    ("model: {name: gpt-5}", "write `gpt-5`"),
    ("model:\n  name: gpt-5", "write `gpt-5`"),
    ("allow_list:\n  - wait:", "write `- wait`"),
    ("allow_list:\n  - wait: true", "write `- wait`"),
    ("allow_list:\n  - [wait]", "write `- wait`"),
    ("allow_list:\n  - - wait", "write `- wait`"),
    ("allow_list:\n  - name: wait", "write `- wait`"),
    ("allow_list:\n  - tool: wait\n    why: none", "write `- wait`"),
    ("allow_list:\n  - exec_command: [git, ls]", "write `- exec_command`"),
    ("allow_list:\n  - mcp__github__push:", "write `- mcp__github__push`"),
    ('allow_list:\n  - "*_agent":\n  - wait', 'write `- "*_agent"`'),
    ("allow_list: [[wait]]", "write `wait`"),
    ("allow_list: [wait: x]", "write `wait`"),
    ("allow_list: [{name: wait}]", "write `wait`"),
    ("allow_list: wait", "write `[wait]`"),
    ("allow_list: wait, shell", "write `[wait, shell]`"),
    ("allow_list: -wait", "write `[wait]`"),
    ("allow_list: |\n  wait\n  shell", "write `[wait, shell]`"),
    ("allow_list: {wait: true, shell: false}", "write `[wait]`"),
    ("allow_list: {wait}", "write `[wait]`"),
    ("allow_list:\n  wait:\n  shell:", "write `[wait, shell]`"),
    ('deny_list: "*_agent"', 'write `["*_agent"]`'),
    ("deny_list: *_agent", 'write `["*_agent"]`'),
    ("deny_list: *_agent, wait", 'write `["*_agent", wait]`'),
    ("deny_list:\n  - *_agent", 'write `"*_agent"`'),
    ("deny_list: [*_agent, wait]", 'write `"*_agent"`'),
    ("deny_list: - wait", "write `[wait]`"),
    ('deny_list: "wait', "write `[wait]`"),
    ('deny_list: "wait", "shell"', "write `[wait, shell]`"),
    ("deny_list: > wait", "write `[wait]`"),
    ("deny_list:\n  - wait\n  -shell", "write `- shell`"),
    ("agent_names: strict", "write `[{name: strict, description: …}]`"),
    ("agent_names: [strict]", "write `{name: strict, description: …}`"),
    ("agent_names:\n  - name: [strict]\n    description: x", "write `strict`"),
    ("agent_names:\n  - name:\n    description: x", "write `strict`"),
    ("read_only: yes", "write `true`"),
    ("read_only: [true]", "write `true`"),
    ("read_only: {enabled: off}", "write `false`"),
    ('read_only: "false"', "write `false`"),
    ("reasoning_effort: [high]", "write `high`"),
    ("reasoning_effort: {level: high}", "write `high`"),
    ("reasoning_effort: ' high '", "write `high`"),
]

# The same with what somebody would write who follows the words.
DONE = [
    ("model: [a, b]", "write one of them", "model: a"),
    ("model: {{x}}", "put the value in quotes", 'model: "{{x}}"'),
    ("x-a: {{x}} y", "put the whole value in quotes", 'x-a: "{{x}} y"'),
    ("read_only: maybe", "write one of them", "read_only: true"),
    ("read_only: @x", "write `true` or `false`", "read_only: true"),
    ("read_only:", "write `true` or `false`, or remove the key", ""),
    ("reasoning_effort: max", "write `none`, `minimal`, `low`", "reasoning_effort: low"),
    ("reasoning_effort: *high", "write `none`, `minimal`, `low`", "reasoning_effort: low"),
    ("allow_list: true", "remove the key", ""),
    ("allow_list: all", "remove the key", ""),
    ("deny_list: none", "remove the key", ""),
    ("deny_list: all", "write the names of tools, each after `- `", "deny_list:\n  - wait"),
    ("allow_list: none", "write the names of tools, each after `- `", "allow_list:\n  - wait"),
    ("allow_list: wait: x", "write the names of tools, each after", "allow_list:\n  - wait"),
    (
        "allow_list: exec_command, write_stdin, apply_patch",
        "write each item on its own line, after `- `",
        "allow_list:\n  - exec_command\n  - write_stdin\n  - apply_patch",
    ),
    (
        "allow_list:\n  -wait\n  -shell",
        "write a space after each `-`",
        "allow_list:\n  - wait\n  - shell",
    ),
    ("allow_list: [[wait, shell]]", "remove the inner brackets", "allow_list: [wait, shell]"),
    ("allow_list: [wait] shell", "put all items inside the br", "allow_list: [wait, shell]"),
    ("allow_list: [wait]]", "remove it", "allow_list: [wait]"),
    ("allow_list: [wait,,shell]", "remove it", "allow_list: [wait,shell]"),
    ("allow_list: [wait", "close it with `]`", "allow_list: [wait]"),
    ("allow_list: [- wait]", "remove the `-`", "allow_list: [wait]"),
    (
        "allow_list:\n  - - wait\n    - shell",
        "give it the indentation of the others",
        "allow_list:\n  - wait\n  - shell",
    ),
    (
        'allow_list:\n  - "wait", "shell"',
        "put the items on their own lines",
        'allow_list:\n  - "wait"\n  - "shell"',
    ),
    (
        "x-a: &a [wait]\nallow_list:\n  - *a",
        "write the items of that list in its place",
        "allow_list:\n  - wait",
    ),
    (
        "allow_list:\n  - wait\n - shell",
        "give all items of a list the same indentation",
        "allow_list:\n  - wait\n  - shell",
    ),
    ("- wait", "write the key that it belongs to above it", "allow_list:\n- wait"),
    ("model: x\n  - a: b", "write the key that it belongs to above it, or remove it", "model: x"),
    (
        "agent_names:\n  - strict",
        "write `- name: strict` and a `description` below it",
        "agent_names:\n  - name: strict\n    description: x",
    ),
    (
        "agent_names:\n  strict: x",
        "write each one as `- name: strict` and a `description` below it",
        "agent_names:\n  - name: strict\n    description: x",
    ),
    (
        "agent_names:\n  name: strict\n  description: x",
        "write `- ` before its first key and align the others with that key",
        "agent_names:\n  - name: strict\n    description: x",
    ),
    (
        "agent_names: {name: strict, description: x}",
        "put it in brackets",
        "agent_names: [{name: strict, description: x}]",
    ),
    (
        "agent_names: - name: strict\n",
        "put the items on their own lines",
        "agent_names:\n  - name: strict\n    description: x",
    ),
    (
        "agent_names:\n  - name: strict\n   description: x",
        "indent it into the item above",
        "agent_names:\n  - name: strict\n    description: x",
    ),
    ("agent_names:\n  -", "remove it", "agent_names:"),
    ("model: !!null x", "remove the tag", "model: x"),
    ("model: a: b", "put the value in quotes", 'model: "a: b"'),
    ("x-a: Use “this: x”", "put it in straight quotes", 'x-a: "Use this: x"'),
    ('x-a: Use "x": do', "put the value in single quotes", "x-a: 'Use \"x\": do'"),
    (
        'x-a: Use "x", don\'t: do',
        "put the value on the next line, indented, with `|` in its place",
        'x-a: |\n  Use "x", don\'t: do',
    ),
    ("x-a: @x # c", "put the text in quotes", 'x-a: "@x" # c'),
    ("x-a: 'don't'", "write `''` for an apostrophe", "x-a: 'don''t'"),
    ("x-a: 'don't'", 'or quote the value with `"`', 'x-a: "don\'t"'),
    ('x-a: "a "b" c"', 'write `\\"` for a quote inside', 'x-a: "a \\"b\\" c"'),
    ('x-a: "a" b', "put the whole value in single quotes", "x-a: '\"a\" b'"),
    ('x-a: "C:\\p"', "use single quotes, or write `\\\\`", 'x-a: "C:\\\\p"'),
    ("x-a: 'b", "close it with `'`", "x-a: 'b'"),
    ("x-a: > b", "put the text on the next lines", "x-a: >\n  b"),
    ("x-a: - b", "put the items on their own lines, or quote it", "x-a:\n  - b"),
    ("model: - b", "put the text in quotes", 'model: "- b"'),
    ("model x", "write `model: …`", "model: x"),
    ("model:x", "write `model: …`", "model: x"),
    ("modle", "write `model: …`", "model: x"),
    ("\tmodel: x", "remove it", "model: x"),
    ("  model: x", "indent it like the keys that it belongs to", "model: x"),
    ("allow_list:\n\t- wait", "use spaces", "allow_list:\n  - wait"),
    ("model: x\u2028y", "replace it with a space", "model: x y"),
    ("allow_list: [wait]\nand more of it", "`and more of it` is not `key: value`: remove it", ""),
    ("%x", "remove it", ""),
    ("...\nmodel: x", "remove it", "model: x"),
    ("--- x", "remove it", ""),
    (": x", "write one, or remove the line", ""),
    ("x-a:\n    a: b\n  c: d", "give it the indentation of the keys", "x-a:\n    a: b\n    c: d"),
    ("? [a]\n: b", "write a plain word", "x-a: b"),
    ("\nYou review it [all\n\n", "write a line `---` above it", "---\nYou review it [all\n\n"),
]

# Headers that are wrong as a whole, or in their description.
WHOLE = [
    ("description: [Reviews]", "write `Reviews`", "description: Reviews"),
    ("description: [a, b]", "put the value in quotes", 'description: "[a, b]"'),
    ("description: {{x}}", "put the value in quotes", 'description: "{{x}}"'),
    (
        "description:\n- a\n- b: c",
        "write `|` after the colon and indent all lines of it",
        "description: |\n  - a\n  - b: c",
    ),
    (
        "description:\n  Use this: for a\n  Or that: for b",
        "write `|` after the colon and indent all lines of it",
        "description: |\n  Use this: for a\n  Or that: for b",
    ),
    ("description: Reviews\nall changes", "indent it if it belongs", "description: R\n  all"),
    ("description: >\nReviews", "indent all lines of the text", "description: >\n  Reviews"),
    ("description:x", "write a space after `description:`", "description: x"),
    ("- description: x\n- model: y", "remove each `- ` before", "description: x\nmodel: y"),
    ("Reviews", "write lines `key: value`", "description: Reviews"),
    (
        "You review.",
        "write `description: …` and a line `---` above it",
        "description: …\n---\nYou review.",
    ),
    (
        "  description: x\nmodel: y",
        "give all keys the same indentation",
        "description: x\nmodel: y",
    ),
    ("%YAML 1.2\ndescription: x", "remove it", "description: x"),
]


def body(lines: str) -> str:
    """A prompt, with the block of a persona if `lines` have personas."""
    return BODY + (PERSONAS if "agent_names" in lines else "")


@pytest.mark.parametrize(("lines", "advice"), WRITTEN)
def test_what_is_to_be_written_is_accepted(check: Check, lines: str, advice: str) -> None:
    text = f"---\ndescription: x\n{lines}\n{body(lines)}"
    [said] = check(text)
    assert f": {advice}, or the whole file becomes the prompt" in said.message
    proposal = re.fullmatch(r"write `(.*)`", advice)
    assert proposal is not None
    assert check(applied(text, said.diagnostic.span.start, said.at, proposal[1])) == []


def applied(text: str, start: int, at: str, proposal: str) -> str:
    """`text` with `proposal` in place of `at`; a key without a value gets it after the colon."""
    if at == "name":
        return text.replace("name:", f"name: {proposal}", 1)
    if proposal.startswith("- ") and text[:start].endswith("- "):
        start, at = start - 2, f"- {at}"
    return text[:start] + proposal + text[start + len(at) :]


@pytest.mark.parametrize(("lines", "advice", "done"), DONE)
def test_what_is_to_be_done_leads_to_no_other_finding(
    check: Check, lines: str, advice: str, done: str
) -> None:
    said = check(f"---\ndescription: x\n{lines}\n{body(lines)}")
    assert advice in said[0].message
    assert len({one.code for one in said}) == 1
    blocks = body(done if done != "agent_names:" else "")
    assert check(f"---\ndescription: x\n{done}\n{blocks}") == []


@pytest.mark.parametrize(("lines", "advice", "done"), WHOLE)
def test_a_header_that_is_wrong_as_a_whole_is_right_afterwards(
    check: Check, lines: str, advice: str, done: str
) -> None:
    [said] = check(f"---\n{lines}\n{BODY}")
    assert advice in said.message
    assert check(f"---\n{done}\n{BODY}") == []
