"""The name of the command, and how examples of it stand in a help text."""

NAME = "agent-template-lsp"


def examples(*lines: str) -> str:
    """The end of a help text: `lines` as somebody would type them, without the command's name."""
    return "\n".join(("examples:", *(f"  {NAME} {line}" for line in lines)))
