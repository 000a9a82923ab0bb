"""The completion for fish, which shows the help texts beside the words."""

from collections.abc import Iterator

from agent_lsp.cli.completion.words import Argument, Command

_COMPLETE = "complete -c agent-template-lsp"
_FIRST = "__fish_use_subcommand"


def script(commands: tuple[Command, ...]) -> str:
    """The script."""
    return "\n".join((*_rows(commands), ""))


def _rows(commands: tuple[Command, ...]) -> Iterator[str]:
    yield f"{_COMPLETE} -n {_FIRST} -f -l help -d 'show the help text'"
    yield f"{_COMPLETE} -n {_FIRST} -f -l version -d 'show the version'"
    for command in commands:
        yield f"{_COMPLETE} -n {_FIRST} -f -a {command.name} -d {_quoted(command.about)}"
    for command in commands:
        start = f"{_COMPLETE} -n '__fish_seen_subcommand_from {command.name}'"
        place = next(iter(command.places), None)
        yield f"{start} {_offer(place) if place is not None else '-f'}"
        for option in command.options:
            names = " ".join(f"{_sign(name)} {name.strip('-')}" for name in option.names)
            value = f" -r {_offer(option)}" if option.takes else ""
            yield f"{start} {names}{value} -d {_quoted(option.about)}"


def _sign(name: str) -> str:
    return "-l" if name.startswith("--") else "-s"


def _offer(argument: Argument) -> str:
    if argument.values:
        return f"-f -a {_quoted(' '.join(argument.values))}"
    folders = "-f -a '(__fish_complete_directories (commandline -ct))'"
    return {"file": "-F", "folder": folders}.get(argument.takes, "-f")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
