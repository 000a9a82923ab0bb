"""`completion`: prints the script that completes the command line in a shell.

Invariant: everything that a shell offers comes from the parser, so that a new option is completed
without a change.
"""

import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping

from agent_lsp.analysis.checks import codes
from agent_lsp.cli.arguments import COMMANDS, actions, commands, examples, parser
from agent_lsp.cli.terminal import put_file
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import BY_USE, SYSTEMS
from agent_lsp.model.system import program_names


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


def _ids() -> tuple[str, ...]:
    return tuple(system.id for system in BY_USE)


# What a value names, by its name in the help text.
_NAMED: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "D": _ids,
    "DIALECT": _ids,
    "TARGETS": _ids,
    "PROGRAMS": lambda: tuple(program_names(BY_USE)),
    "CODE": lambda: tuple(codes(SYSTEMS)),
    "CODES": lambda: tuple(codes(SYSTEMS)),
}
_FILES, _FOLDERS = ("FILE", "PATH", "AGENT"), ("DIR",)


@dataclass(frozen=True, slots=True)
class _Argument:
    """An option with its `names`, or without names an argument by its place.

    `values` are the words that it takes. `takes` is `file`, `folder` or `text` if it takes any
    other, `word` if it takes only these, and empty for a flag.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    takes: str
    about: str
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class _Command:
    """A command with its line in the help text, its options, and its other arguments."""

    name: str
    about: str
    options: tuple[_Argument, ...]
    places: tuple[_Argument, ...]


def _commands() -> tuple[_Command, ...]:
    """The commands in the order of the help text."""
    found = []
    for name, command in commands(parser()).items():
        arguments = [_argument(one) for one in actions(command)]
        options = tuple(one for one in arguments if one.names)
        places = tuple(one for one in arguments if not one.names)
        found.append(_Command(name, COMMANDS[name], options, places))
    return tuple(found)


def _argument(action: Action) -> _Argument:
    named = str(action.metavar or "")
    offered = _NAMED.get(named)
    values = tuple(map(str, action.choices or ())) or (offered() if offered is not None else ())
    if action.nargs == 0:
        takes = ""
    elif values:
        takes = "word"
    else:
        takes = "file" if named in _FILES else "folder" if named in _FOLDERS else "text"
    about = " ".join((action.help or "").replace("%%", "%").split())
    # The words are offered, so that the text need not list them.
    is_repeated = type(action).__name__ == "_AppendAction" or action.nargs == "*"
    return _Argument(tuple(action.option_strings), values, takes, _brief(about), is_repeated)


def _brief(about: str) -> str:
    """The first clause of a help text, which fits beside a word."""
    return about.partition(";")[0].partition(" (default")[0]


_BASH_HEAD = """\
_agent_template_lsp() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $prev" in"""
_BASH_TAIL = """\
  esac
}
complete -o default -F _agent_template_lsp agent-template-lsp
"""


def _bash(commands: tuple[_Command, ...]) -> str:
    """The script for bash 3.2 and newer, which splits `--option=value` into three words.

    Words of a value are those of a list; for a file or a folder bash itself has completions, which
    it also quotes.
    """
    return "\n".join(
        (_BASH_HEAD, *_bash_values(commands), "  esac", *_bash_words(commands), _BASH_TAIL)
    )


def _bash_values(commands: tuple[_Command, ...]) -> Iterator[str]:
    """The cases of an option before the cursor that takes a value."""
    for command in commands:
        for option in command.options:
            if option.takes:
                cases = "|".join(f"'{command.name} {name}'" for name in option.names)
                yield f"    {cases}) {_bash_answer(option)}; return ;;"


def _bash_answer(argument: _Argument) -> str:
    if argument.values:
        return _bash_offer(argument.values)
    if argument.takes == "folder":
        return "compopt -o dirnames +o default 2>/dev/null"
    # With nothing to offer, bash completes a file; nothing is right for a text.
    return ":" if argument.takes == "file" else "compopt +o default 2>/dev/null"


def _bash_offer(words: tuple[str, ...]) -> str:
    return f"""COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$cur"))"""


def _bash_words(commands: tuple[_Command, ...]) -> Iterator[str]:
    yield '  case "$command" in'
    names = tuple(command.name for command in commands)
    yield f"    '') {_bash_offer((*names, '--help', '--version'))} ;;"
    for command in commands:
        options = tuple(name for option in command.options for name in option.names)
        yield f"    {command.name})"
        yield f"      if [[ $cur == -* ]]; then {_bash_offer(options)}"
        place = next(iter(command.places), None)
        answer = "compopt +o default 2>/dev/null" if place is None else _bash_answer(place)
        yield f"      else {answer}"
        yield "      fi ;;"


_ZSH_HEAD = """\
#compdef agent-template-lsp
_agent-template-lsp() {
  local -a commands
  commands=("""
_ZSH_MIDDLE = """\
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _arguments '--help[show the help text]' '--version[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in"""
_ZSH_TAIL = """\
  esac
}
if [[ $funcstack[1] == _agent-template-lsp ]]; then
  _agent-template-lsp "$@"
else
  compdef _agent-template-lsp agent-template-lsp
fi
"""


def _zsh(commands: tuple[_Command, ...]) -> str:
    """The script for `source` and for a folder of `fpath`; `_arguments` shows the help texts."""
    rows = (f"    {_zsh_quoted(f'{one.name}:{one.about}')}" for one in commands)
    return "\n".join((_ZSH_HEAD, *rows, _ZSH_MIDDLE, *_zsh_cases(commands), _ZSH_TAIL))


def _zsh_cases(commands: tuple[_Command, ...]) -> Iterator[str]:
    for command in commands:
        yield f"    {command.name}) _arguments \\"
        for option in command.options:
            for name in option.names:
                yield f"      {_zsh_quoted(_zsh_option(option, name))} \\"
        for place in command.places:
            star = "*" if place.is_repeated else ""
            taken = f"{star}:{_zsh_plain(place.about)}:{_zsh_action(place)}"
            yield f"      {_zsh_quoted(taken)} \\"
        yield "      ;;"


def _zsh_option(option: _Argument, name: str) -> str:
    others = " ".join(option.names)
    before = "*" if option.is_repeated else f"({others})" if len(option.names) > 1 else ""
    about = _zsh_plain(option.about)
    if not option.takes:
        return f"{before}{name}[{about}]"
    sign = "=" if name.startswith("--") else "+"
    return f"{before}{name}{sign}[{about}]:{name.strip('-')}:{_zsh_action(option)}"


def _zsh_action(argument: _Argument) -> str:
    if argument.values:
        return f"({' '.join(argument.values)})"
    return {"file": "_files", "folder": "_files -/"}.get(argument.takes, " ")


def _zsh_plain(text: str) -> str:
    """A text in a specification, where brackets and colons have a meaning."""
    for sign in "\\[]:":
        text = text.replace(sign, f"\\{sign}")
    return text


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_FISH = "complete -c agent-template-lsp"
_NO_COMMAND = "__fish_use_subcommand"


def _fish(commands: tuple[_Command, ...]) -> str:
    """The script for fish, which shows the help texts beside the words."""
    return "\n".join((*_fish_rows(commands), ""))


def _fish_rows(commands: tuple[_Command, ...]) -> Iterator[str]:
    yield f"{_FISH} -n {_NO_COMMAND} -f -l help -d 'show the help text'"
    yield f"{_FISH} -n {_NO_COMMAND} -f -l version -d 'show the version'"
    for command in commands:
        yield f"{_FISH} -n {_NO_COMMAND} -f -a {command.name} -d {_fish_quoted(command.about)}"
    for command in commands:
        start = f"{_FISH} -n '__fish_seen_subcommand_from {command.name}'"
        place = next(iter(command.places), None)
        yield f"{start} {_fish_offer(place) if place is not None else '-f'}"
        for option in command.options:
            names = " ".join(f"{_fish_sign(name)} {name.strip('-')}" for name in option.names)
            value = f" -r {_fish_offer(option)}" if option.takes else ""
            yield f"{start} {names}{value} -d {_fish_quoted(option.about)}"


def _fish_sign(name: str) -> str:
    return "-l" if name.startswith("--") else "-s"


def _fish_offer(argument: _Argument) -> str:
    if argument.values:
        return f"-f -a {_fish_quoted(' '.join(argument.values))}"
    folders = "-f -a '(__fish_complete_directories (commandline -ct))'"
    return {"file": "-F", "folder": folders}.get(argument.takes, "-f")


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_POWERSHELL_HEAD = """\
Register-ArgumentCompleter -Native -CommandName 'agent-template-lsp' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $offered = @{"""
_POWERSHELL_TAIL = """\
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


def _powershell(commands: tuple[_Command, ...]) -> str:
    """The script for PowerShell 5 and newer.

    For a file, a folder or a text it offers nothing, and PowerShell completes a path.
    """
    return "\n".join((_POWERSHELL_HEAD, *_powershell_rows(commands), _POWERSHELL_TAIL))


def _powershell_rows(commands: tuple[_Command, ...]) -> Iterator[str]:
    names = " ".join(command.name for command in commands)
    yield f"    '' = '{names}'"
    yield "    ' -' = '--help --version'"
    for command in commands:
        options = " ".join(name for option in command.options for name in option.names)
        place = next(iter(command.places), None)
        yield f"    '{command.name}' = '{_powershell_words(place)}'"
        yield f"    '{command.name} -' = '{options}'"
        for option in command.options:
            if option.takes:
                for name in option.names:
                    yield f"    '{command.name} {name}' = '{_powershell_words(option)}'"


def _powershell_words(argument: _Argument | None) -> str:
    return " ".join(argument.values) if argument is not None else ""


_SCRIPTS: Mapping[str, Callable[[tuple[_Command, ...]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
    "powershell": _powershell,
}
SHELLS = tuple(_SCRIPTS)


def script(shell: str) -> str:
    """The script for one of `SHELLS`."""
    return _SCRIPTS[shell](_commands())
