"""The completion for zsh, with `_arguments`, which shows the help texts beside the words."""

from collections.abc import Iterator

from agent_lsp.cli.completion.words import Argument, Command

_HEAD = """\
#compdef agent-template-lsp
_agent-template-lsp() {
  local -a commands
  commands=("""
_MIDDLE = """\
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
_TAIL = """\
  esac
}
if [[ $funcstack[1] == _agent-template-lsp ]]; then
  _agent-template-lsp "$@"
else
  compdef _agent-template-lsp agent-template-lsp
fi
"""


def script(commands: tuple[Command, ...]) -> str:
    """The script, for `source` and for a folder of `fpath`."""
    rows = (f"    {_quoted(f'{one.name}:{one.about}')}" for one in commands)
    return "\n".join((_HEAD, *rows, _MIDDLE, *_cases(commands), _TAIL))


def _cases(commands: tuple[Command, ...]) -> Iterator[str]:
    for command in commands:
        yield f"    {command.name}) _arguments \\"
        for option in command.options:
            for name in option.names:
                yield f"      {_quoted(_option(option, name))} \\"
        for place in command.places:
            star = "*" if place.is_repeated else ""
            yield f"      {_quoted(f'{star}:{_plain(place.about)}:{_action(place)}')} \\"
        yield "      ;;"


def _option(option: Argument, name: str) -> str:
    others = " ".join(option.names)
    before = "*" if option.is_repeated else f"({others})" if len(option.names) > 1 else ""
    about = _plain(option.about)
    if not option.takes:
        return f"{before}{name}[{about}]"
    sign = "=" if name.startswith("--") else "+"
    return f"{before}{name}{sign}[{about}]:{name.strip('-')}:{_action(option)}"


def _action(argument: Argument) -> str:
    if argument.values:
        return f"({' '.join(argument.values)})"
    return {"file": "_files", "folder": "_files -/"}.get(argument.takes, " ")


def _plain(text: str) -> str:
    """A text in a specification, where brackets and colons have a meaning."""
    for sign in "\\[]:":
        text = text.replace(sign, f"\\{sign}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
