"""Finds the MCP servers that presets and definitions of Moltis name."""

from agent_lsp.decoders.serde_toml import VARIABLE
from agent_lsp.dialects.moltis import definitions, reading
from agent_lsp.dialects.moltis.policy import IN_ENTRY, items
from agent_lsp.model.mcp_servers import ServerNames
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document

_WORD = "_servers"
_IN_PRESET = ("mcp.allow_servers", "mcp.deny_servers")
_IN_FILE = ("mcp_allow_servers", "mcp_deny_servers")


def in_presets(found: Document) -> tuple[Value, ...]:
    """The names in the lists of all presets of a configuration."""
    presets = reading.config_of(found).presets if _WORD in found.text else ()
    entries = (item for one in presets for key in _IN_PRESET for item in items(one.settings, key))
    return tuple(one for one in entries if VARIABLE.search(one.text) is None)


def in_file(found: Document) -> tuple[Value, ...]:
    """The names in the lists of a definition."""
    settings = definitions.read(found).declared.settings if _WORD in found.text else {}
    return tuple(item for key in _IN_FILE for item in items(settings, key))


OF_PRESETS = ServerNames(in_entry=IN_ENTRY, listed=in_presets)
OF_FILES = ServerNames(in_entry=IN_ENTRY, listed=in_file)
