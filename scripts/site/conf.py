"""Builds the documentation site from the pages that a reader of the repository sees: `make docs`.

Sphinx reads this file. The pages contain nothing for it: the navigation is added to some of them as
they are read. A link that leads nowhere is an error, and so is an address from which a page would
load something.
"""

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

project = "agent-template-lsp"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "docs/**.md",
    "examples/README.md",
    "vscode-client/README.md",
]
# Folders that nobody needs to search for pages.
exclude_patterns = [".*", "**/node_modules", "build", "dist", "tests", "agent_lsp"]
# Links name headings as the host of a repository does.
myst_heading_anchors = 4
# The examples of faulty files do not parse, which is what they are for.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_theme = "furo"
html_title = project
html_copy_source = False
html_show_sphinx = False

_NAVIGATION = """

```{toctree}
:hidden:
:caption: Use

docs/getting-started
docs/features
docs/command-line
docs/ci
docs/editors
docs/vscode
docs/neovim
docs/settings
docs/code-actions
docs/commands
docs/conversion
examples/README
```

```{toctree}
:hidden:
:caption: Reference

docs/dialects/README
docs/rules/README
docs/glossary
```

```{toctree}
:hidden:
:caption: About

docs/how-we-know
docs/performance
docs/security
SECURITY
CHANGELOG
vscode-client/README
```

```{toctree}
:hidden:
:caption: Maintain

CONTRIBUTING
docs/architecture
docs/decisions/README
docs/maintaining/runtimes
docs/maintaining/bundled-python
docs/maintaining/release
benchmarks/README
```
"""
_PAGES_BELOW = """

```{{toctree}}
:hidden:
:glob:

{folder}
```
"""
# What makes a browser load something, in a page and in a style sheet.
_LOADED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["'](?:https?:)?//"""
    r"""|<link\b[^>]*\brel=["'](?:stylesheet|preload|icon)["'][^>]*\bhref=["'](?:https?:)?//"""
    r"""|@import\s+(?:url\()?["']?(?:https?:)?//|url\(["']?(?:https?:)?//"""
)


def setup(app: Sphinx) -> None:
    """Adds the navigation to what is read, and looks through what is written."""
    app.connect("source-read", _with_navigation)
    app.connect("build-finished", _finished)


def _with_navigation(_: Sphinx, name: str, source: list[str]) -> None:
    if name == root_doc:
        source[0] += _NAVIGATION
    elif name in ("docs/dialects/README", "docs/rules/README", "docs/decisions/README"):
        # A page that a glob matches is not listed within itself.
        source[0] += _PAGES_BELOW.format(folder="*")


def _finished(app: Sphinx, failure: Exception | None) -> None:
    if failure is not None:
        return
    site = Path(app.outdir)
    for path in sorted((*site.rglob("*.html"), *site.rglob("*.css"))):
        found = _LOADED.search(path.read_text(encoding="utf-8"))
        if found is not None:
            raise SphinxError(f"{path.relative_to(site)} loads from elsewhere: {found.group()}")
    # Sphinx does not look into HTML, in which the README has a picture for each theme.
    shutil.copytree(Path(app.srcdir) / "docs/media", site / "docs/media", dirs_exist_ok=True)
    # A server of files shows this page first.
    shutil.copyfile(site / f"{root_doc}.html", site / "index.html")
