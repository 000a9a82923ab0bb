"""Writes what `preview` has found as a runtime logs it.

Invariant: nothing is written outside of the folder that somebody names.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from agent_lsp.cli.failure import CommandError
from agent_lsp.cli.named import shown
from agent_lsp.cli.writing import write_atomically
from agent_lsp.dialects.model import Dialect


def write_artifacts(
    dialect: Dialect, exhibits: Mapping[str, object], folder: Path, here: Path
) -> None:
    """Writes the prompt of a spawn as the runtime logs it, over what was logged there before."""
    if dialect.artifact_files is None:
        raise CommandError(f"--artifacts: it is not known that {dialect.id} logs its prompts")
    files = dialect.artifact_files(exhibits)
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error
    print(f"wrote {len(files)} files into {shown(folder, here)}", file=sys.stderr)
