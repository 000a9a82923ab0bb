"""Writes what `preview` has found as a runtime logs it.

Invariant: nothing is written outside of the folder that somebody names.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from agent_lsp.cli.failure import Failure
from agent_lsp.cli.named import shown
from agent_lsp.cli.writing import write
from agent_lsp.dialects.model import Dialect


def write_all(known: Dialect, exhibits: Mapping[str, object], folder: Path, here: Path) -> None:
    """Writes the prompt of a spawn as the runtime logs it, over what was logged there before."""
    if known.artifacts is None:
        raise Failure(f"--artifacts: it is not known that {known.id} logs its prompts")
    files = known.artifacts(exhibits)
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise Failure(f"cannot write {shown(path, here)}: {error.strerror}") from error
    print(f"wrote {len(files)} files into {shown(folder, here)}", file=sys.stderr)
