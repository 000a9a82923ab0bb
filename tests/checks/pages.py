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
EVIDENCE = FOLDER.parent / "how-we-know.md"
# The parts of a page, in this order.
PARTS = ("What happens", "Example", "How to fix it", "Where this was measured")

_BLOCK = re.compile(
    r"^```(?P<info>\w+)(?: (?P<path>[^\n]+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_SYSTEM = re.compile(r"\[(?P<name>[^]]+)\]\(dialects/(?P<id>[\w-]+)\.md\)")
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


def parts(text: str) -> dict[str, str]:
    """The text of each part of a page, by its heading."""
    # A line `## …` in an example is no heading.
    outside = re.compile(r"^```.*?^```$|^## (?P<heading>[^\n]+)$", re.MULTILINE | re.DOTALL)
    found = [one for one in outside.finditer(text) if one["heading"]]
    ends = [*(one.start() for one in found[1:]), len(text)]
    return {
        one["heading"]: text[one.end() : end].strip() for one, end in zip(found, ends, strict=True)
    }


def measured(code: str) -> str:
    """The last part of a rule's page: the evidence for each system that has the rule.

    It is that of `docs/how-we-know.md`. A rule without a system is about the text alone.
    """
    ids = {one.id for one in DIALECTS if code in one.findings.severities}
    lines: dict[str, None] = {}
    for row in EVIDENCE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in row.strip("|").split(" | ")]
        systems = list(_SYSTEM.finditer(cells[0]))
        if ids.isdisjoint(one["id"] for one in systems):
            continue
        name = systems[0]["name"].partition(", `")[0]
        name, version = name[0].upper() + name[1:], cells[2].partition(", 20")[0]
        if version.startswith("commit"):
            program = f"{name}, {version}"
        else:
            program = version if version[0].isalpha() else f"{name} {version}"
        lines[f"- {program}: {cells[1]}"] = None
    if not lines:
        return "Nowhere. The rule is about the text itself, and does not depend on any program."
    start = "The evidence for each program, as [How we know](../how-we-know.md) explains it:"
    return "\n".join((start, "", *lines))


def with_evidence() -> set[str]:
    """The ids of the systems that `docs/how-we-know.md` is about."""
    return {one["id"] for one in _SYSTEM.finditer(EVIDENCE.read_text(encoding="utf-8"))}


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
