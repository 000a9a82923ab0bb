"""What a file has to be called so that the runtime takes it for an agent."""

import re
import unicodedata
from pathlib import Path

from agent_lsp.model.dialect import Dialect
from agent_lsp.workspace.snapshot import TemplateFile


def proposal(file: TemplateFile, extension: str) -> str | None:
    """A name close to the file's own under which it is an agent, or None where there is none."""
    return name_for(file.dialect, file.path, extension)


def name_for(dialect: Dialect, path: Path, extension: str) -> str | None:
    """A name close to that of the file at `path` under which it is an agent, or None."""
    stem = path.name.rpartition(".")[0]
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode().lower()
    for name in (stem, re.sub("[^a-z0-9_]+", "-", plain).strip("-")):
        if dialect.name_of(f"{name}.{extension}") is not None:
            return f"{name}.{extension}"
    return None
