"""`completion`: prints the script that completes the command line in a shell."""

import sys
from argparse import ArgumentParser, Namespace

from agent_lsp.cli.arguments import examples
from agent_lsp.cli.completion import SHELLS, script
from agent_lsp.cli.terminal import put_file


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `completion`."""
    command.description = (
        "Prints a script that completes commands, options and their values in a shell.\n"
        "Run it in the startup file of the shell, or save it where the shell looks for it."
    )
    command.epilog = (
        examples("completion bash > ~/.local/share/bash-completion/completions/agent-template-lsp")
        + "\n\nin the startup file:\n"
        '  bash        eval "$(agent-template-lsp completion bash)"\n'
        '  zsh         eval "$(agent-template-lsp completion zsh)"   (after compinit)\n'
        "  fish        agent-template-lsp completion fish | source\n"
        "  PowerShell  agent-template-lsp completion powershell | Out-String | Invoke-Expression"
    )
    command.add_argument(
        "shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}"
    )


def run(arguments: Namespace) -> int:
    """Prints the script."""
    put_file(script(arguments.shell), sys.stdout)
    return 0
