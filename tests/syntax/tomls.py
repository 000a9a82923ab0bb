"""TOML files as people write them, every feature of TOML, and ways to damage them."""

from hypothesis import strategies as st

PRESETS = '''\
# Who helps.
[agents]
default = "scout"

[agents.presets.scout]
identity = { name = "Späher 🦉", creature = 'owl', vibe = "calm" }
model = "anthropic/claude-haiku"
max_iterations = 12
timeout_secs = 86_400
tools.allow = ["web_search", "web_fetch"]
tools.deny = [
  "exec", # never
  'cron',
]
system_prompt_suffix = """
Look ahead.
key = value
[not a table]
Say "what" you saw: \\
    all of it.
"""

[agents.presets."lint bot".sandbox]
enabled = true
no_network = false

[agents.presets."lint bot"]
system_prompt_suffix = \'\'\'
Regex: '\\d{2}'
\'\'\'
'''

REST = """\
title = "rest"
numbers = [ +1, -17, 0xDEAD_beef, 0o17, 0b101, 1.5, -2e3, 6.02E+23, inf, -nan ]
dates = [1979-05-27T07:32:00Z, 1979-05-27 00:32:00.5-07:00, 1979-05-27, 07:32:00]
a.b.c = {d = {}, e.f = [[], [1, [2]]], "g h" = ''}

[[servers]]
name = "alpha"
[servers.tls]
on = true
[[servers]]
name = "beta"
"ключ" = '''x'''
[x.y.z]
[x]
"""

FILES = (PRESETS, REST, REST.replace("\n", "\r\n"))

_INSERTED = [*"ab.=#[]{},\"'\\ \t\n_-+01", '"""', "'''", "\r\n", "\n[a]\n", "\na = 1\n", "[[", "]]"]
_INSERTED += ["é", "🚀", "\x00", "\ufeff", "\ud800", "\r", "\x7f", "${X}", "\\u00e9", "\\x", "\x85"]
_INSERTED += ["1979-05-27", "0x", "e9", "inf", "true", "a.b", "99999999999999999999"]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A file after a few random edits."""
    text = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from([0, 0, 1, 3, 40]))
        text = text[:at] + draw(st.sampled_from(["", *_INSERTED])) + text[at + gone :]
    return text[: draw(st.one_of(st.just(len(text)), st.integers(0, len(text))))]


_KEYS = st.sampled_from(["a", "b", "c", '"a"', "'b'", "a.b", "a . c", "b.a", "a.b.c", "c.'a'.b"])
_WORDS = ["1", "0", "-7", "1_000", "0xff", "1.5", "1e3", "-0.0", "true", "inf", "1979-05-27"]
_WORDS += ['"x"', "'y'", '"\\u00e9\\t"', '"""\nz"""', "'''''w'''''", '"""a \\\n  b"""', "07:32:00"]
_VALUES = st.recursive(
    st.sampled_from(_WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]"),
        st.lists(st.tuples(_KEYS, inner), max_size=3).map(
            lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"
        ),
    ),
    max_leaves=6,
)
_STATEMENTS = st.one_of(
    st.tuples(_KEYS, _VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}"),
    _KEYS.map(lambda key: f"[{key}]"),
    _KEYS.map(lambda key: f"[[{key}]]"),
)


def written() -> st.SearchStrategy[str]:
    """Files of valid statements that may conflict with each other."""
    return st.lists(_STATEMENTS, max_size=7).map("\n".join)
