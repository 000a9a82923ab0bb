"""Finds what ships beside the code: templates, rule pages and editor files.

Invariants: a path is only computed, nothing is read; this module imports nothing of ours,
so that every layer may use it.
"""

from pathlib import Path, PurePosixPath

_PACKAGE = Path(__file__).parent


def installed(relative: str) -> Path:
    """The place of `relative`, as in `installed("docs/rules/unknown-tool.md")`.

    A wheel carries the data inside the package; in a checkout, which an editable install
    points to, it stands beside the package. The answer need not exist.
    """
    path = PurePosixPath(relative)
    # The first part decides, so that a page missing from a wheel is not looked for outside.
    inside = (_PACKAGE / path.parts[0]).is_dir()
    return (_PACKAGE if inside else _PACKAGE.parent) / path
