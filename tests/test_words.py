"""No page, message, help text or setting has a phrase that the glossary gives up."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs/glossary.md"
# The history of the project keeps its words.
LEFT_OUT = {GLOSSARY, ROOT / "CHANGELOG.md"}

# No message begins where a module or a body begins.
_NO_MESSAGE = re.compile(r'(?:\A|:\n)\s*r?"""[\s\S]*?"""|^\s*#.*$', re.MULTILINE)
_JOIN = re.compile(r'\s*"\n\s*f?"\s*|\s+')
NEVER = {
    " ".join(phrase.split())
    for phrases in re.findall(
        r"\bNever:\s+((?:\"[^\"]+\",?\s*)+)", GLOSSARY.read_text(encoding="utf-8")
    )
    for phrase in re.findall(r'"([^"]+)"', phrases)
}


def test_the_glossary_gives_up_phrases() -> None:
    assert {"in force", "without a word", "goes before"} <= NEVER
    # The glossary has this one on two lines.
    assert "are not looked at" in NEVER
    assert not any("\n" in phrase for phrase in NEVER)


def test_nothing_that_a_person_reads_has_a_phrase_that_the_glossary_gives_up() -> None:
    found = [
        f"{place}: {phrase}"
        for place, text in (*_pages(), *_messages(), *_of_the_extension())
        for joined in (" ".join(text.split()),)
        for phrase in NEVER
        if phrase in joined
    ]
    assert found == []


def _pages() -> Iterator[tuple[str, str]]:
    folders = ("docs", "examples", "templates")
    pages = [path for folder in folders for path in (ROOT / folder).rglob("*.md")]
    for path in (*pages, *ROOT.glob("*.md"), ROOT / "vscode-client/README.md"):
        if path not in LEFT_OUT:
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8", "replace")


def _messages() -> Iterator[tuple[str, str]]:
    """The strings of the package, without its docstrings."""
    for path in sorted((ROOT / "agent_lsp").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        # Few modules have a phrase outside of docstrings and comments, and only these need a tree.
        # A phrase may be in two strings that stand one after the other.
        joined = _JOIN.sub(" ", _NO_MESSAGE.sub("", source))
        if not any(phrase in joined for phrase in NEVER):
            continue
        nodes = list(ast.walk(ast.parse(source)))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        place = path.relative_to(ROOT).as_posix()
        for node in nodes:
            if isinstance(node, ast.Constant) and id(node) not in docstrings:
                yield f"{place}:{getattr(node, 'lineno', 0)}", str(node.value)


def _of_the_extension() -> Iterator[tuple[str, str]]:
    for name in ("package.json", "package.nls.json"):
        path = ROOT / "vscode-client" / name
        texts = json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)
        yield path.relative_to(ROOT).as_posix(), texts
    for path in (ROOT / "vscode-client/src").rglob("*.ts"):
        # A text may be in two strings that are added.
        source = re.sub(r'["`]\s*\+\s*["`]', "", path.read_text(encoding="utf-8"))
        for text in re.findall(r'"[^"\n]*"|`[^`]*`', source):
            yield path.relative_to(ROOT).as_posix(), text
