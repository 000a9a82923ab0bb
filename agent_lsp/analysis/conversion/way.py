"""From which system a conversion leads to which."""

from dataclasses import dataclass

from agent_lsp.dialects.conversion import Conversion
from agent_lsp.dialects.model import Dialect


@dataclass(frozen=True, slots=True)
class Way:
    """The two systems; `can_change` says that no sandbox which is lost forbids anything."""

    source: Dialect
    before: Conversion
    target: Dialect
    after: Conversion
    can_change: bool

    @property
    def known(self) -> tuple[str, ...]:
        """The tools that an agent of the target can have."""
        return tuple(tool.name for tool in self.target.tools)
