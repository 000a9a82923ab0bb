"""Values of a preset that do not do what they say."""

from collections.abc import Iterator

from agent_lsp.dialects import serde_toml
from agent_lsp.dialects.moltis.config import Config, Preset
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.policy import items
from agent_lsp.dialects.remark import Remark
from agent_lsp.dialects.vocabulary import Severity


def settings(config: Config, preset: Preset, servers: tuple[str, ...]) -> Iterator[Remark]:
    """The remarks on the values of one preset; `servers` are those that the file configures."""
    values = preset.settings
    creature, iterations = values.get("identity.creature"), values.get("max_iterations")
    if creature is not None and creature.text and "identity.name" not in values:
        yield Remark(
            "no-effect",
            creature.key or creature.span,
            "`creature` has no effect without `identity.name`: the prompt has it behind the name",
        )
    if iterations is not None and iterations.value == 0:
        yield Remark(
            "preset-conflict",
            iterations.span,
            "`max_iterations` is 0, which leaves the sub-agent no round: it must be at least 1",
            Severity.WARNING,
        )
    if config.generation is Generation.TODAY:
        yield from _unconfigured(preset, servers)
        yield from _forced(preset)


def _unconfigured(preset: Preset, servers: tuple[str, ...]) -> Iterator[Remark]:
    """The MCP servers that are not the file's; another file may configure some, too."""
    for name in ("mcp.allow_servers", "mcp.deny_servers") if servers else ():
        for entry in items(preset.settings, name):
            if entry.text in servers or serde_toml.VARIABLE.search(entry.text):
                continue
            message = (
                f"MCP server `{entry.text}` is not in `[mcp.servers]`: unless `mcp-servers.json` "
                "has it, the entry means no server"
            )
            yield Remark(
                "no-effect", entry.span, message, Severity.INFORMATION, entry.text, servers
            )


def _forced(preset: Preset) -> Iterator[Remark]:
    values = preset.settings
    kind, name = (values.get(f"tool_controls.tool_choice.{key}") for key in ("type", "name"))
    if kind is None or kind.text != "tool" or name is None:
        return
    if not name.text:
        message = "forced tool_choice requires a non-empty name"
        yield Remark("preset-conflict", name.span, message)
        return
    shown = values.get("tool_controls.active_tools")
    active = [item.text for item in shown.items] if shown is not None else [name.text]
    if name.text not in active and not any(map(serde_toml.VARIABLE.search, (*active, name.text))):
        message = f"forced tool_choice `{name.text}` must be included in active_tools"
        yield Remark("preset-conflict", name.span, message)
