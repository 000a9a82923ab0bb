"""Texts that are made to break or to slow a reader, and ways to damage real ones."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from agent_lsp.workspace.disk import MAX_BYTES
from tests.effort import EFFORT
from tests.hostile.answers import joined

ROOT = Path(__file__).parents[2]
SHIPPED = tuple(
    path
    for path in sorted((ROOT / "templates").rglob("*"))
    if path.suffix in (".md", ".toml") and "README" not in path.name
)
_DEEP = 10_000
# A little more than what is read of a file, in characters.
_MOST = MAX_BYTES + 1000


def _header(yaml: str) -> str:
    return f"---\ndescription: x\n{yaml}\n---\nb\n"


def _lists(entry: str, count: int) -> str:
    """Two long lists, under the names that the systems have for them."""
    listed = ", ".join(f"'{entry.format(number)}'" for number in range(count))
    names = (("allow_list", "deny_list"), ("AllowTools", "DenyTools"), ("tools", "disallowedTools"))
    return "\n".join(f"{name}: [{listed}]" for pair in names for name in pair)


def _body(text: str) -> str:
    return f"---\ndescription: x\n---\n{_cut(text)}\n"


def _cut(text: str) -> str:
    """`text`, which is about as long as what is read of a file; in a hurry a third of it."""
    return text if EFFORT > 1 else text[: len(text) // 3]


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
    "fences": lambda: _cut("---\n" * 240_000),
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

_PIECES = (
    *"ab:-#[]{}\"'`<>|&*!%@,?\\ \t\n\r.=_~$",
    *("---", "---\n", "\r\n", "\n  - ", "\n    ", ": ", "<!-- ", "&a ", "*a", "<<: *a", "!!str "),
    *("|\n  ", ">-\n", "? ", "...\n", "%YAML 1.2\n", "null", "1e999", ".inf", "0x1F", "2020-01-01"),
    *("name: b\n", "description:", "tools: [Read, Grap]\n", "model: x\n", "allow_list: ["),
    *("[agents.presets.x]\n", "[[x]]\n", "a.b.c = 1\n", "'''", '"""', "\\u0000", '"\\ud800"'),
    *("<!-- agent_name: x -->", "agent_name: x -->", "Delegate to the `reviewer` agent.\n"),
    *("@agent-reviewer ", 'spawn_agent(agent_type="reviewer")', "[a](docs/style.md)", "```\n"),
    *("![x](http://x/y.png)", "<script>alert(1)</script>", "[x](command:x)", "../../etc/passwd"),
    *("# agent-template-lsp: ignore\n", "# agent-template-lsp: ignore-file[unknown-tool]\n"),
    *(
        "\0",
        "\x1b",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u200b",
        "\u202e",
        "\ud800",
        "\udc00",
        "\U0001f600",
    ),
    *(
        "\U000e0041",
        "\u05d0\u200f",
        "e\u0301",
        "\U0010ffff",
        "\u0430",
        "\u00a0",
        "\U0001f469\u200d\U0001f4bb",
    ),
)
_LINE_END = re.compile(r"\r\n|\n|\r")
# Letters that have two, three and four bytes, of which the last one is two units of UTF-16.
_WORD, _WIDE = re.compile(r"\w{2,}"), ("é", "表", "\U00020000")
_FENCES = ("--", "----", " ---", "--- ", "---\t", "...", "+++", "```yaml")
# A line of a header or a table, and its key; and how many lines mostly have those of a header.
_KEY_LINE = re.compile(r"(?P<key>[ \t]*[\"']?[\w.-]+[\"']?)[ \t]*[:=].*\n")
_HEADER_LINES = 12


class Typist:
    """Changes texts as a hand, a program or a bad disk would, with other `texts` to take from."""

    def __init__(self, random: Random, texts: tuple[str, ...]) -> None:
        self._random, self._texts = random, texts

    def changed(self, text: str, times: int = 1) -> str:
        """`text` after some changes; never longer than what is read."""
        ways = (self._piece, self._piece, self._piece, self._cut, self._again, self._line)
        more = (self._end, self._line_ends, self._byte, self._fence, self._key, self._part)
        wide = (self.widened, self.widened)
        for _ in range(times):
            text = self._random.choice((*ways, *more, *wide))(text)[:_MOST]
        return joined(text)

    def widened(self, text: str) -> str:
        """`text` with a letter in one of its lines that is not as wide in each encoding."""
        words = list(_WORD.finditer(text, 0, 5000))
        if not words:
            return text
        at = self._random.choice(words).start()
        return text[:at] + self._random.choice(_WIDE) + text[at:]

    def with_another_line(self, text: str) -> str:
        """`text` with another value of a key, without the key, or with one more line."""
        written = _written(self._texts)
        lines = text.splitlines(keepends=True)
        keyed = [at for at, line in enumerate(lines[:_HEADER_LINES]) if _key_of(line)]
        if not keyed:
            return self.changed(text)
        at = self._random.choice(keyed)
        same = [line for line in written.get(_key_of(lines[at]), ()) if line != lines[at]]
        way = self._random.random()
        if same and way < 0.7:
            lines[at] = self._random.choice(same)
        elif way < 0.8:
            del lines[at]
        else:
            lines.insert(at, self._random.choice(written[self._random.choice(sorted(written))]))
        return "".join(lines)

    def place(self, text: str) -> int:
        """An offset, mostly in the header, since that is where things happen."""
        header = text.find("\n---", 4)
        is_there = header > 0 and self._random.random() < 0.6
        return self._random.randint(0, header if is_there else len(text))

    def _span(self, text: str) -> tuple[int, int]:
        start = self.place(text)
        return start, min(len(text), start + self._random.choice((0, 0, 1, 2, 7, 60)))

    def _piece(self, text: str) -> str:
        start, end = self._span(text)
        pieces = (self._random.choice(_PIECES) for _ in range(self._random.choice((1, 1, 2, 3))))
        return text[:start] + "".join(pieces) + text[end:]

    def _cut(self, text: str) -> str:
        start, end = self._span(text)
        return text[:start] + text[end:]

    def _again(self, text: str) -> str:
        start, end = self._span(text)
        return text[:start] + text[start:end] * self._random.choice((2, 3, 30)) + text[end:]

    def _end(self, text: str) -> str:
        way = self._random.randrange(3)
        return text[: self.place(text)] if way == 0 else text.rstrip() if way == 1 else text + "\n"

    def _line(self, text: str) -> str:
        lines = text.splitlines(keepends=True) or ["\n"]
        at, other = self._random.randrange(len(lines)), self._random.randrange(len(lines))
        match self._random.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(other, lines[at])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = " " * self._random.choice((1, 2, 8)) + lines[at]
            case 4:
                lines[at] = lines[at].lstrip(" ")
            case _:
                lines[at] = f"#{lines[at]}"
        return "".join(lines)

    def _line_ends(self, text: str) -> str:
        ends = self._random.choice((("\r\n",), ("\r",), ("\n",), ("\n", "\r", "\r\n"), ("\u2028",)))
        return _LINE_END.sub(lambda _: self._random.choice(ends), text)

    def _byte(self, text: str) -> str:
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        at = self._random.randint(0, len(data))
        data[at : at + self._random.randrange(2)] = bytes([self._random.randrange(256)])
        return data.decode("utf-8", "replace")

    def _fence(self, text: str) -> str:
        return text.replace("---", self._random.choice(_FENCES), self._random.choice((1, 2)))

    def _key(self, text: str) -> str:
        """One letter of a word is twice there, another one, or not at all."""
        words = list(re.finditer(r"\b[A-Za-z_]{4,}\b", text[:2000]))
        if not words:
            return text
        at = self._random.choice(words).start() + self._random.randrange(4)
        return text[:at] + self._random.choice(("", "x", text[at] * 2)) + text[at + 1 :]

    def _part(self, text: str) -> str:
        other, (start, end) = self._random.choice(self._texts), self._span(text)
        taken = self.place(other)
        return text[:start] + other[taken : taken + self._random.randrange(400)] + text[end:]


def _key_of(line: str) -> str:
    """The key that a whole line begins with, with what is before it; or nothing."""
    found = _KEY_LINE.fullmatch(line)
    return found["key"] if found is not None else ""


@cache
def _written(texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The lines that begin with a key, in the headers of `texts`, by their keys."""
    lines = dict[str, dict[str, None]]()
    for text in texts:
        for line in text.splitlines(keepends=True)[:_HEADER_LINES]:
            if key := _key_of(line):
                lines.setdefault(key, {})[line] = None
    return {key: tuple(found) for key, found in lines.items()}


@st.composite
def edited(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """One of `texts` after a few changes anywhere in it."""
    typist = Typist(draw(st.randoms(note_method_calls=False)), texts)
    return typist.changed(draw(st.sampled_from(texts)), draw(st.integers(1, 6)))


def noise() -> st.SearchStrategy[str]:
    """Texts of pieces that mean something to some reader, behind a header or not."""
    return st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)
