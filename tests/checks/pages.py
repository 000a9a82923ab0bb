"""The pages of the rules: their examples as runnable workspaces, and the text of the overview.

An example is one or more blocks ```` ```md PATH ````, or with `toml` or `json`, each a file of one
workspace, and the block ```` ```text ```` that follows them: all diagnostics of these files, or
`clean`. A diagnostic is one line; a line that starts with four blanks continues it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.analysis.checks import ALWAYS
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.cli.commands.explain import claim, page
from agent_lsp.options import Options
from agent_lsp.text import LineIndex
from tests.checks.contradictions import contradictions
from tests.fixture import Fixture, fixture
from tests.systems import CODES, DIALECTS

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
OVERVIEW = FOLDER / "README.md"

_BLOCK = re.compile(
    r"^```(?P<info>\w+)(?: (?P<path>[^\n]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_BOM = "<BOM>"
# A lone surrogate is written as bytes that are not UTF-8.
_BYTE, _SURROGATE = "<FF>", "\udcff"
# What nobody sees is named in the pages, as in the messages.
_NAMED = re.compile(r"<U\+([0-9A-F]{4,6})>")


@dataclass(frozen=True, slots=True)
class Example:
    """Files by their paths, and the lines that `check` has to say about them."""

    code: str
    line: int
    files: dict[str, str]
    expected: list[str]


def examples(code: str) -> Iterator[Example]:
    """The examples of a rule's page, in its order."""
    text = page(code)
    files: dict[str, str] = {}
    for block in _BLOCK.finditer(text):
        if block["info"] in ("md", "toml", "json"):
            files[block["path"]] = _as_it_is(block["text"])
        elif files:
            line = text.count("\n", 0, block.start()) + 1
            expected = block["text"].replace("\n    ", " ").splitlines()
            yield Example(code, line, files, [] if expected == ["clean"] else expected)
            files = {}


def _as_it_is(text: str) -> str:
    text = text.replace(_BOM, "\ufeff").replace(_BYTE, _SURROGATE)
    return _NAMED.sub(lambda named: chr(int(named[1], 16)), text)


def reported(folder: Path, files: dict[str, str], options: Options | None = None) -> list[str]:
    """The diagnostics of a workspace of `files`, one line each, file by file."""
    source = "".join(f"//- {name}\n{text}" for name, text in files.items())
    written = fixture(folder, source, options=options)
    return [line for name in files for line in lines(written, name)]


def lines(written: Fixture, name: str) -> list[str]:
    """The diagnostics of one file of a fixture, as `path:line:column severity[code] message`.

    None of them contradicts another one.
    """
    home = written.root.parent / "home"
    path = home / name.removeprefix("~/") if name.startswith("~/") else written.root / name
    file = written.workspace.files.read(path)
    index = LineIndex(file.text if file else "")
    found = []
    every = diagnostics(written.workspace, path)
    assert contradictions(every, index.text) == []
    for diagnostic in every:
        line, column = index.position(diagnostic.span.start)
        severity = diagnostic.severity.name.lower()
        place = f"{name}:{line + 1}:{column + 1}"
        found.append(f"{place} {severity}[{diagnostic.code}] {diagnostic.message}")
    return found


def claims() -> dict[str, str]:
    """What each rule says, by its code."""
    return {code: claim(page(code)) for code in CODES}


def overview() -> str:
    """The text of `docs/rules/README.md`: every rule with its severity in each dialect."""
    rows = [
        "# Rules",
        "",
        "A page for each diagnostic, named after its code. An editor opens it from the",
        "diagnostic, and `agent-template-lsp explain CODE` prints it. A rule has this severity",
        "unless its page or the settings say otherwise.",
        "",
        f"| rule | says that | {' | '.join(dialect.id for dialect in DIALECTS)} |",
        f"|---|---|{'---|' * len(DIALECTS)}",
    ]
    said = claims()
    own = {code: check.severity for check in ALWAYS for code in check.codes}
    for code in CODES:
        levels = (dialect.findings.severities.get(code, own.get(code)) for dialect in DIALECTS)
        cells = (level.name.lower() if level else "–" for level in levels)
        rows.append(f"| [`{code}`]({code}.md) | {said[code]} | {' | '.join(cells)} |")
    return "\n".join((*rows, ""))
