"""The files in which a prompt is logged: as a whole, what of it is sent, its blocks and hashes.

Facts: "Prompt logging requirements" in the document of the system, read 2026-11-27; the names of
the files are ours.
"""

import json
from collections.abc import Mapping

from agent_lsp.dialects.vuhlp.blocks import LAYERS


def artifacts(shown: Mapping[str, object]) -> dict[str, str]:
    """The texts by the names of their files; equal prompts have equal files.

    `shown` are the exhibits of a spawn by their names.
    """
    texts = {"prompt.md": _member(shown["effective"], "text")}
    texts["delta.md"] = _member(shown["delta"], "text")
    hashes: dict[str, str | None] = {"prompt": _member(shown["effective"], "sha256")}
    hashes["delta"] = _member(shown["delta"], "sha256")
    held = shown["blocks"]
    for at, layer in enumerate(LAYERS, 1):
        block = held.get(layer) if isinstance(held, dict) else None
        # One that is not there is written as well: a turn before may have left its text.
        texts[f"blocks/{at}-{layer}.md"] = _member(block, "text")
        hashes[layer] = _member(block, "sha256") if block is not None else None
    texts["hashes.json"] = json.dumps(hashes, indent=2) + "\n"
    return texts


def _member(value: object, name: str) -> str:
    member = value.get(name) if isinstance(value, dict) else None
    return member if isinstance(member, str) else ""
