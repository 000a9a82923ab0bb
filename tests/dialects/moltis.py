"""A workspace with one `moltis.toml`, for the tests of that dialect."""

from pathlib import Path

from agent_lsp.dialects.moltis.dialect import DIALECT
from agent_lsp.dialects.moltis.reading import Config, config
from agent_lsp.syntax.document import Document
from tests.checks.pages import reported


def parsed(text: str) -> Document:
    """The document of a configuration."""
    return DIALECT.parse(text)


def configured(text: str) -> Config:
    """What `[agents]` of a configuration holds."""
    document = parsed(text)
    return config(document.tree.root, document.text)


def said(folder: Path, text: str) -> list[str]:
    """What is said about `text` as the project's configuration, without the path."""
    lines = reported(folder, {"moltis.toml": text})
    return [line.removeprefix("moltis.toml:") for line in lines]


def codes(folder: Path, text: str) -> list[str]:
    """The codes of what is said about `text`, in the order of the text."""
    return [line.partition("[")[2].partition("]")[0] for line in said(folder, text)]
