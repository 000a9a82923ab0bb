"""Every link of every page leads somewhere: to a file, and to a heading that is there."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.recorded import each

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "examples/*.md",
        "benchmarks/*.md",
        "vscode-client/*.md",
    )
    for path in ROOT.glob(pattern)
)
_FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(<?([^\s<>)]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def links(text: str) -> list[str]:
    """What the links of a page lead to, those in examples aside."""
    prose = _CODE.sub("", _FENCE.sub("", text))
    return [first or second for first, second in _LINK.findall(prose)]


def anchors(text: str) -> set[str]:
    """The names by which GitHub knows the headings of a page."""
    found: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        number = 1
        known = name
        while known in found:
            known, number = f"{name}-{number}", number + 1
        found.add(known)
    return found


def broken(page: Path, text: str) -> list[str]:
    return [link for link in links(text) if not leads_somewhere(page, text, link)]


def leads_somewhere(page: Path, text: str, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme == "https" and "." in parts.netloc
    target = page.parent / unquote(parts.path) if parts.path else page
    if not target.exists():
        return False
    if parts.fragment and target.suffix == ".md":
        there = text if target == page else target.read_text("utf-8")
        return unquote(parts.fragment) in anchors(there)
    return True


@each(PAGES, called=lambda path: path.relative_to(ROOT).as_posix())
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert broken(page, page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "link", ["nowhere.md", "README.md#nowhere", "#nowhere", "http://example.org", "docs/nowhere/"]
)
def test_a_broken_link_is_found(link: str) -> None:
    assert broken(ROOT / "README.md", f"# Here\n\nSee [this]({link}).\n") == [link]


def test_a_link_in_an_example_is_none() -> None:
    assert links("`[a](b)` and\n```md\n[c](d)\n```\n[e](f)\n") == ["f"]


def test_every_page_of_the_docs_is_led_to() -> None:
    """A page that nobody links to is read by nobody."""
    led = {
        (page.parent / unquote(urlsplit(link).path)).resolve()
        for page in PAGES
        for link in links(page.read_text("utf-8"))
        if not urlsplit(link).scheme and urlsplit(link).path
    }
    pages = [page.resolve() for page in PAGES if page.is_relative_to(ROOT / "docs")]
    # A link to a folder leads to all that is in it.
    assert [page for page in pages if led.isdisjoint((page, page.parent))] == []
