"""What a call of `preview` asks for, in the names of the runtime's own arguments.

Invariant: each argument that a runtime's call has can be given, and one that it does not have is
an error.
"""

import json
from argparse import Namespace
from collections.abc import Iterator

from agent_lsp.cli.failure import CommandError
from agent_lsp.cli.named import meant
from agent_lsp.cli.terminal import visible
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import KeyRole, Parameter

# Options for what has different names in different calls.
_HOLDING = (
    ("AGENT", "agent", KeyRole.AGENT),
    ("--persona", "persona", KeyRole.PERSONA_NAME),
    ("--task", "task", KeyRole.TASK),
    ("--model", "model", KeyRole.MODEL),
    ("--effort", "effort", KeyRole.EFFORT),
)
# Options for what is not about any of these, each with the names that calls have for it.
_NAMED = (
    ("context", ("context", "context_summary")),
    ("background", ("background",)),
    ("env", ("env",)),
    ("thread_note", ("thread_note",)),
    ("working_directory", ("working_directory",)),
)
_TYPES = {bool: "true or false", list: "a list in JSON", dict: "an object in JSON"}


def spawn_argument(arguments: Namespace, dialect: Dialect) -> dict[str, object]:
    """The command's argument, in which the runtime's own have the runtime's names."""
    parent = {
        "model": arguments.parent_model,
        "effort": arguments.parent_effort,
        "sandbox": arguments.parent_sandbox,
        "tools": _words(arguments.parent_tools),
        "depth": arguments.parent_depth,
    }
    given = dict(_options(arguments, dialect))
    for written in arguments.argument or ():
        name, value = _written(written, dialect)
        if name in given:
            raise CommandError(f"--argument: `{name}` is given twice")
        given[name] = value
    given |= {
        "dialect": arguments.dialect,
        "parent": {key: value for key, value in parent.items() if value is not None} or None,
    }
    return {key: value for key, value in given.items() if value is not None}


def _options(arguments: Namespace, dialect: Dialect) -> Iterator[tuple[str, object]]:
    for option, member, holds in _HOLDING:
        value, name = getattr(arguments, member), dialect.spawn_argument(holds)
        if value is not None:
            yield _taken(option, name, dialect), value
    for member, names in _NAMED:
        value = getattr(arguments, member)
        taken = (one.name for one in dialect.spawn_parameters if one.name in names)
        if value is not None:
            option = f"--{member.replace('_', '-')}"
            name = _taken(option, next(taken, None), dialect)
            yield name, _variables(value) if member == "env" else value


def _taken(option: str, name: str | None, dialect: Dialect) -> str:
    if name is None:
        raise CommandError(f"{option}: `{dialect.spawn_call}` of {dialect.id} has no such argument")
    return name


def _written(written: str, dialect: Dialect) -> tuple[str, object]:
    """The name and the value in `NAME=VALUE`, of the type that the runtime's argument has."""
    name, value = _parted("--argument", written)
    takes = {one.name: one for one in dialect.spawn_parameters}
    if name not in takes:
        what = f"`{dialect.spawn_call}` of {dialect.id} has no argument `{visible(name)}`"
        raise CommandError(f"--argument: {what}{meant(name, takes)}")
    return name, _value(takes[name], value)


def _value(parameter: Parameter, written: str) -> object:
    if parameter.type is str:
        return written
    try:
        value: object = json.loads(written)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, parameter.type):
        raise CommandError(f"--argument: `{parameter.name}` is {_TYPES[parameter.type]}")
    return value


def _variables(written: list[str]) -> dict[str, str]:
    """What `--env` gives, each as `NAME=VALUE`."""
    return dict(_parted("--env", one) for one in written)


def _parted(option: str, written: str) -> tuple[str, str]:
    name, equals, value = written.partition("=")
    if not (name and equals):
        raise CommandError(f"{option}: `{visible(written)}` is not of the form NAME=VALUE")
    return name, value


def _words(written: str | None) -> list[str] | None:
    if written is None:
        return None
    return [word for word in (part.strip() for part in written.split(",")) if word]
