"""What `preview` takes and writes for systems whose calls and prompts have more to them.

Invariant: nothing is written outside of the folder that somebody names.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from agent_lsp.cli.failure import Failure
from agent_lsp.cli.named import shown
from agent_lsp.cli.terminal import visible
from agent_lsp.cli.writing import write
from agent_lsp.dialects.model import Dialect


def given(written: Iterable[str], known: Dialect) -> dict[str, object]:
    """What `--argument` gives, each as `NAME=VALUE`; what is no text, as JSON."""
    types = {parameter.name: parameter.type for parameter in known.spawn_parameters}
    found: dict[str, object] = {}
    for one in written:
        name, equals, value = one.partition("=")
        if not name or not equals:
            raise Failure(f"--argument: `{visible(one)}` is not of the form NAME=VALUE")
        found[name] = value if types.get(name, str) is str else _json(name, value)
    return found


def write_all(known: Dialect, exhibits: Mapping[str, object], folder: Path, here: Path) -> None:
    """Writes the prompt of a spawn as the runtime logs it, over what was logged there before."""
    if known.artifacts is None:
        raise Failure(f"--artifacts: it is not known that {known.id} logs its prompts")
    files = known.artifacts(exhibits)
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, text.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise Failure(f"cannot write {shown(path, here)}: {error.strerror}") from error
    print(f"wrote {len(files)} files into {shown(folder, here)}", file=sys.stderr)


def _json(name: str, value: str) -> object:
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise Failure(f"--argument: `{name}` takes JSON, and `{visible(value)}` is none") from error
