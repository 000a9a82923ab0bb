"""The address of the repository, and what pages become that are read away from it.

The address stands in one place, `repository` in the table `[tool.agent-template-lsp]` of
`pyproject.toml`; the variable `REPOSITORY` goes before it. As long as it is empty, what is built
has no link to the repository, and no picture that would have to come from there.
"""

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
_PICTURE_OR_LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\[\]]*\]\([^()]*\))*)\]\(([^()\s]+)\)")
_PICTURES_OF_HTML = re.compile(r"<picture>.*?</picture>\n?|<img\b[^>]*>\n?", re.DOTALL)
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


def address() -> str:
    """The address of the repository, without a slash at its end; empty if there is none yet."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    kept = project["tool"]["agent-template-lsp"]["repository"]
    return str(os.environ.get("REPOSITORY", kept)).rstrip("/")


def links(repository: str) -> dict[str, str]:
    """Where people find what, by the names that package indexes show; empty without an address."""
    if not repository:
        return {}
    return {
        "Homepage": f"{repository}#readme",
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
    }


def page(path: Path, repository: str) -> str:
    """The text of the page at `path`, for readers who do not have the files beside it.

    Links to files lead to the repository, and pictures come from there. Without an address, a link
    is its words, and a picture is left out: neither an index of packages nor VS Code's page of an
    extension shows one that has no address of its own.
    """
    text = path.read_text("utf-8")
    if not repository:
        text = _PICTURES_OF_HTML.sub("", text)

    def moved(match: re.Match[str]) -> str:
        mark, words, target = match.groups()
        if urlsplit(target).scheme or target.startswith("#"):
            return match[0]
        words = _PICTURE_OR_LINK.sub(moved, words)
        file, _, place = target.partition("#")
        if repository:
            inside = (path.parent / file).resolve().relative_to(ROOT).as_posix()
            kind = "raw" if mark else "blob"
            goal = f"{repository}/{kind}/HEAD/{inside}" + (f"#{place}" if place else "")
            return f"{mark}[{words}]({goal})"
        return "" if mark else words

    def html(match: re.Match[str]) -> str:
        inside = (path.parent / match[2]).resolve().relative_to(ROOT).as_posix()
        return f"{match[1]}{repository}/raw/HEAD/{inside}{match[3]}"

    if repository:
        text = re.sub(r'((?:src|srcset)=")(?!https:)([^"]+)(")', html, text)
    return _outside_of_fences(text, lambda prose: _PICTURE_OR_LINK.sub(moved, prose))


def _outside_of_fences(text: str, change: Callable[[str], str]) -> str:
    pieces: list[str] = []
    at = 0
    for fence in _FENCE.finditer(text):
        pieces += [change(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*pieces, change(text[at:])])
