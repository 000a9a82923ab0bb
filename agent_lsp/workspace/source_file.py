"""One file as a value, and how much of one is looked into.

Invariant: whatever is too large for us is reported, and its text is empty.
"""

import re
from dataclasses import dataclass
from pathlib import Path

# Prompts are kilobytes; a file beyond this is not read, so that nobody waits for it.
MAX_BYTES = 1_000_000
# Tables are all header, but hold the prompts of many agents beside other settings.
MAX_TABLES = 250_000
# So is a header; one beyond this is looked for no further, for work on it would never end.
MAX_HEADER = 100_000
_FENCE = re.compile(r"^---", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file as the runtime would read it after a save.

    `bom` says that the bytes on disk begin with a byte-order mark which `text` may lack,
    since editors strip it. `problem` says why there is no text (then `text` is empty);
    `too_large` that the runtime has no such limit, and `unsure` that some make a text of it.
    """

    path: Path
    text: str
    bom: bool = False
    problem: str | None = None
    too_large: bool = False
    unsure: bool = False
    version: int | None = None

    @property
    def is_passed_over(self) -> bool:
        """Whether the runtime cannot read the file either."""
        return self.problem is not None and not self.too_large


def source_file(path: Path, text: str, bom: bool, version: int | None = None) -> SourceFile:
    """The file at `path` with this text, which is left out if it is too large."""
    problem = _too_large(path, text)
    kept = "" if problem else text
    return SourceFile(path, kept, bom, problem, too_large=problem is not None, version=version)


def _too_large(path: Path, text: str) -> str | None:
    """Why nobody shall wait for us to look into `text`, or None."""
    if len(text) > MAX_BYTES:
        return f"larger than {MAX_BYTES // 1_000_000} MB"
    if path.suffix == ".toml" and len(text) > MAX_TABLES:
        return f"larger than {MAX_TABLES // 1000} kB"
    opened = text.startswith(("---", "\ufeff---"))
    if len(text) > MAX_HEADER and opened and not re.search(_FENCE, text[4:MAX_HEADER]):
        return f"no end of its header within {MAX_HEADER // 1000} kB"
    return None
