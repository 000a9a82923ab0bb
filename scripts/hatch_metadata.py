"""Gives the Python package its page and its links, for an index of packages."""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class PublishedMetadata(MetadataHookInterface):
    """Fills in what depends on the address of the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds `readme` and, if there is an address, `urls`."""
        root = Path(self.root)
        # The folder of scripts is no package, and the backend does not look there.
        spec = importlib.util.spec_from_file_location("published", root / "scripts/published.py")
        if spec is None or spec.loader is None:
            raise FileNotFoundError("scripts/published.py")
        published = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(published)
        repository = published.address()
        text = published.page(root / "README.md", repository)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = published.links(repository)
