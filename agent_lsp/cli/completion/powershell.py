"""The completion for PowerShell 5 and newer.

For a file, a folder or a text it offers nothing, and PowerShell completes a path.
"""

from collections.abc import Iterator

from agent_lsp.cli.completion.words import Argument, Command

_HEAD = """\
Register-ArgumentCompleter -Native -CommandName 'agent-template-lsp' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $offered = @{"""
_TAIL = """\
  }
  $words = @($commandAst.CommandElements |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
  $command = @($words | Where-Object { -not $_.StartsWith('-') }) | Select-Object -First 1
  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $prefix = ''
  $typed = $wordToComplete
  if ($typed -match '^(--[^=]+)=(.*)$') {
    $previous = $Matches[1]
    $prefix = "$previous="
    $typed = $Matches[2]
  }
  $key = "$command $previous"
  if (-not $offered.ContainsKey($key)) {
    $key = if ($typed.StartsWith('-')) { "$command -" } else { "$command" }
  }
  $offered[$key] -split ' ' | Where-Object { $_ -and $_.StartsWith($typed) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new("$prefix$_", $_, 'ParameterValue', $_)
  }
}
"""


def script(commands: tuple[Command, ...]) -> str:
    """The script."""
    return "\n".join((_HEAD, *_rows(commands), _TAIL))


def _rows(commands: tuple[Command, ...]) -> Iterator[str]:
    names = " ".join(command.name for command in commands)
    yield f"    '' = '{names}'"
    yield "    ' -' = '--help --version'"
    for command in commands:
        options = " ".join(name for option in command.options for name in option.names)
        place = next(iter(command.places), None)
        yield f"    '{command.name}' = '{_words(place)}'"
        yield f"    '{command.name} -' = '{options}'"
        for option in command.options:
            if option.takes:
                for name in option.names:
                    yield f"    '{command.name} {name}' = '{_words(option)}'"


def _words(argument: Argument | None) -> str:
    return " ".join(argument.values) if argument is not None else ""
