"""The completion for bash 3.2 and newer.

Words of a value are those of a list; for a file or a folder bash itself has completions, which it
also quotes. Bash splits `--option=value` into three words.
"""

from collections.abc import Iterator

from agent_lsp.cli.completion.words import Argument, Command

_HEAD = """\
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
_TAIL = """\
  esac
}
complete -o default -F _agent_template_lsp agent-template-lsp
"""


def script(commands: tuple[Command, ...]) -> str:
    """The script."""
    return "\n".join((_HEAD, *_values(commands), "  esac", *_words(commands), _TAIL))


def _values(commands: tuple[Command, ...]) -> Iterator[str]:
    """The cases of an option before the cursor that takes a value."""
    for command in commands:
        for option in command.options:
            if option.takes:
                cases = "|".join(f"'{command.name} {name}'" for name in option.names)
                yield f"    {cases}) {_answer(option)}; return ;;"


def _answer(argument: Argument) -> str:
    if argument.values:
        return _offer(argument.values)
    if argument.takes == "folder":
        return "compopt -o dirnames +o default 2>/dev/null"
    # With nothing to offer, bash completes a file; nothing is right for a text.
    return ":" if argument.takes == "file" else "compopt +o default 2>/dev/null"


def _offer(words: tuple[str, ...]) -> str:
    return f"""COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$cur"))"""


def _words(commands: tuple[Command, ...]) -> Iterator[str]:
    yield '  case "$command" in'
    names = tuple(command.name for command in commands)
    yield f"    '') {_offer((*names, '--help', '--version'))} ;;"
    for command in commands:
        options = tuple(name for option in command.options for name in option.names)
        yield f"    {command.name})"
        yield f"      if [[ $cur == -* ]]; then {_offer(options)}"
        place = next(iter(command.places), None)
        answer = "compopt +o default 2>/dev/null" if place is None else _answer(place)
        yield f"      else {answer}"
        yield "      fi ;;"
