"""Texts that are made to break or to slow a reader, and ways to damage real ones."""

from collections.abc import Callable, Mapping
from pathlib import Path

from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
SHIPPED = tuple(
    path
    for path in sorted((ROOT / "templates").rglob("*"))
    if path.suffix in (".md", ".toml") and "README" not in path.name
)
_DEEP = 10_000


def _header(yaml: str) -> str:
    return f"---\ndescription: x\n{yaml}\n---\nb\n"


def _lists(entry: str, count: int) -> str:
    """Two long lists, under the names that the systems have for them."""
    listed = ", ".join(f"'{entry.format(number)}'" for number in range(count))
    names = (("allow_list", "deny_list"), ("AllowTools", "DenyTools"), ("tools", "disallowedTools"))
    return "\n".join(f"{name}: [{listed}]" for pair in names for name in pair)


def _body(text: str) -> str:
    return f"---\ndescription: x\n---\n{text}\n"


def _laughs() -> str:
    rows = (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60))
    used = ("allow_list: *a59", "agent_names: *a59", "description: *a59")
    return "\n".join(("a0: &a0 [x, x, x, x, x, x, x, x, x]", *rows, *used))


BOMBS: Mapping[str, Callable[[], str]] = {
    "aliases of aliases": lambda: _header(_laughs()),
    "an alias of itself": lambda: _header("a: &a [*a, *a]\nallow_list: *a\nb: &b {k: *b}"),
    "merges of merges": lambda: _header(
        "m0: &m0 {k: v}\n"
        + "\n".join(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}" for n in range(1, 40))
        + "\n<<: *m39"
    ),
    "brackets": lambda: _header("allow_list: " + "[" * _DEEP + "]" * _DEEP),
    "open brackets": lambda: _header(f"allow_list: {'[' * _DEEP}"),
    "braces": lambda: _header(f"x: {'{a: ' * _DEEP}{'}' * _DEEP}"),
    "dashes": lambda: _header("allow_list:\n" + "- " * _DEEP + "x"),
    "question marks": lambda: _header("? " * _DEEP + "x"),
    "indents": lambda: _header("\n".join(" " * depth + "a:" for depth in range(400))),
    "quotes": lambda: _header("x: " + '"' * 90_000),
    "anchors": lambda: _header("\n".join(f"k{n}: &a{n} *a{n}" for n in range(4000))),
    "uses of one anchor": lambda: _header(
        "d: &a [x, y]\n" + "\n".join(f"k{n}: *a" for n in range(6000))
    ),
    "lists of tools": lambda: _header(_lists("tool_{}", 1200)),
    "lists of patterns": lambda: _header(_lists("a{}*", 1200)),
    "documents": lambda: _header("--- x\n" * 10_000),
    "a long line in the header": lambda: _header(f"x: {'y' * 99_000}"),
    "a long line in the body": lambda: _body("y " * 480_000),
    "fences": lambda: "---\n" * 240_000,
    "tools": lambda: _header("tools: " + ", ".join(f"T{n}" for n in range(13_000))),
    "tools of servers": lambda: _header(
        "tools: " + ", ".join(f"mcp__s{n}__t" for n in range(6000)) + "\n"
    ),
    "headings": lambda: _body("# a\n" * 240_000),
    "code fences": lambda: _body("```\n~~~\n" * 100_000),
    "markers": lambda: _body("<!-- agent_name: a -->\n" * 40_000),
    "open comments": lambda: _body("<!-- agent_name " * 60_000),
    "calls": lambda: _body('spawn_agent(agent_type="' * 40_000),
    "backticks": lambda: _body("`" * 950_000),
    "ticks and words": lambda: _body("`a` delegate to `" * 50_000),
    "angle brackets": lambda: _body("<" * 950_000),
    "blanks": lambda: _body(" " * 950_000),
    "line ends": lambda: _body("\n" * 950_000),
    "carriage returns": lambda: "---\r" + "description: x\r" * 60_000 + "---\r",
    "NULs": lambda: "---\n" + "\0" * 90_000 + "\n---\n" + "\0" * 850_000,
    "tags": lambda: _body("\U000e0041" * 500_000),
    "hidden places": lambda: _body("a\u200b" * 480_000),
    "marks": lambda: _body("\u05d0\u200f" * 480_000),
    "TOML brackets": lambda: f"[agents]\nx = {'[' * _DEEP}{']' * _DEEP}\n",
    "TOML open brackets": lambda: f"[agents]\nx = {'[' * _DEEP}\n",
    "TOML braces": lambda: f"[agents]\nx = {'{a = ' * _DEEP}{'}' * _DEEP}\n",
    "TOML dots": lambda: f"[agents]\n{'a.' * _DEEP}a = 1\n",
    "TOML names": lambda: f"[{'a.' * _DEEP}a]\n",
    "TOML quotes": lambda: f"[agents]\nx = {chr(34) * 200_000}\n",
    "TOML lines": lambda: "[agents]\n" + "x = [\n" * 40_000,
    "TOML keys": lambda: "[agents]\n" + "".join(f"k{n} = 1\n" for n in range(20_000)),
    "TOML one key": lambda: "[agents]\n" + "k = 1\n" * 20_000,
    "TOML presets": lambda: "".join(
        f"[agents.presets.p{n}]\nmodel = 'x'\ntools.allow = ['a{n}', 'exec']\n" for n in range(3000)
    ),
    "TOML tables of one": lambda: "[[agents.presets.x]]\n" * 11_000,
    "TOML a list": lambda: "[agents.presets.x]\ntools.allow = [" + '"serch", ' * 15_000 + "]\n",
    "TOML two lists": lambda: (
        "[agents.presets.x]\n"
        + "".join(
            f"tools.{name} = [{', '.join(f'{chr(39)}a{n}*{chr(39)}' for n in range(10_000))}]\n"
            for name in ("allow", "deny")
        )
    ),
    "TOML garbage": lambda: "[agents]\n" + "= = ] [ ' \" x\n" * 15_000,
    "TOML a long line": lambda: f"[agents]\nx = '{'y' * 240_000}'\n",
}

# Small texts of which each has been too much for some reader.
SEEDS = (
    "",
    "\ufeff",
    "---",
    "---\n---",
    "---\ndescription: x\n]\ud800",
    "---\nname: c\x85\r\n\ufeffx\ndescription: x\ntools: y\n---\n",
    "---\n\ud800: \udfff\n---\n\ud800\n",
    "---\na: &a [*a]\n<<: *a\nallow_list: *a\nagent_names: *a\n---\n<!-- agent_name: a -->",
    "---\n? [a, {b: c}]\n: {? [x] : y}\n? \n---\n",
    "---\n!!binary x: !!set {a}\n!<tag:x> y: !local [z]\n---\n",
    "---\nallow_list: {a: [b, {c: d}]}\nagent_names: [a, [b], {name: [c]}, null, {}]\n---\nx",
    '---\nagent_names:\n  - name: ""\n  - name: "\\0"\n    description: "\\ud800"\n---\n',
    "---\r\ndescription: |\r\n\r\n\t\r---\r\n\x85---\u2028---\n<!-- agent_name: \x85 -->\n",
    "---\na: 'b\n---\n<!--agent_name:--><!-- agent_name: -->\n<!-- agent_name: `x` -->",
    "---\nmodel: !!null\ndescription: 0o777\nread_only: 1e999\nallow_list: [1, .inf, ~]\n---\n",
    "[agents.presets]\nx = 1\n[agents.presets.x]\n[[agents]]\n[agents.presets.x.tools]\n= []",
    '[agents.presets."\\ud800"]\ntools = {allow = [{}, [], 1, "\\U0010ffff"]}\n[agents.presets."',
    '[agents]\ndefault_preset = """\n\n[agents.presets.\'\'\'\n[ agents . presets . "" ]\na.b = {a',
    "agents = [1979-05-27, {presets = {a = {model = 1e5}}}]\nagents.presets.b.identity.name = true",
)

_PIECES = [
    *"ab:-#[]{}\"'`<>|&*!%@,?\\ \t\n\r.=_~$",
    "---",
    "---\n",
    "\r\n",
    "\n  - ",
    ": ",
    "<!-- ",
]
_PIECES += [
    "agent_name: x -->",
    "&a ",
    "*a",
    "<<: *a",
    "!!str ",
    "|\n",
    ">-\n",
    "[agents.presets.x]",
]
_PIECES += ["\0", "\x1b", "\x85", "\u2028", "\ufeff", "\u200b", "\u202e", "\ud800", "\U0001f600"]
_PIECES += ["\U000e0041", "\u05d0\u200f", "e\u0301", "\U0010ffff", "allow_list: [", "'''", '"""']


@st.composite
def edited(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """One of `texts` after a few edits anywhere in it."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.sampled_from((0, 0, 1, 2, 7, 60)))
        piece = "".join(draw(st.lists(st.sampled_from(_PIECES), max_size=4)))
        text = text[:at] + piece + text[at + gone :]
    return text


def noise() -> st.SearchStrategy[str]:
    """Texts of pieces that mean something to some reader, behind a header or not."""
    return st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)
