"""Plays one round from its seed, and reports what did not hold in it."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile.answers import Wrong
from tests.hostile.fuzz.client import Client, StuckError
from tests.hostile.fuzz.ends import change_lines, compare
from tests.hostile.fuzz.process import GoneError
from tests.hostile.fuzz.session import Session
from tests.hostile.fuzz.steps import STEPS

# How many steps a round has, and after how many of them findings are compared.
STEPS_OF_ROUND, _COMPARED = 120, 20
# With more requests than these, a client waits for answers.
_MOST, _FEW = 25, 5
_PATHS = re.compile(r"(file://)?/\S*?/workspace\b")


@dataclass
class Report:
    """What did not hold, each kind of cause once with the step that it was noticed in; figures."""

    seed: int
    wrong: dict[tuple[str, str], tuple[Wrong, str]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    figures: Counter[str] = field(default_factory=Counter)
    worst: tuple[float, str] = (0.0, "")
    memory: int = 0


def play(
    seed: int,
    folder: Path,
    command: Sequence[str],
    other: Sequence[str],
    *,
    steps: int = STEPS_OF_ROUND,
    only: Collection[str] = (),
    keep: Path | None = None,
) -> Report:
    """Plays the round `seed` in a new `folder` with a server that `command` starts.

    Its findings are compared with those of servers that `other` starts. `only` has the names of the
    steps to choose from. With `keep`, the last messages before each failure go to a file there.
    """
    report = Report(seed)
    step = ["start"]

    def complain(wrong: Wrong) -> None:
        report.counts[wrong.kind] += 1
        if (wrong.kind, wrong.sign) in report.wrong:
            return
        said = Wrong(wrong.kind, _PATHS.sub("", wrong.what), wrong.sign)
        report.wrong[wrong.kind, wrong.sign] = (said, step[0])
        if keep is not None:
            _keep(keep / f"{wrong.kind}-{seed}-{len(report.wrong)}.txt", wrong, client)

    for part in ("workspace", "home"):
        (folder / part).mkdir(parents=True)
    session = Session(folder, seed, command, other, complain)
    client = session.client
    try:
        session.introduce(client, session.able)
        for number in range(steps):
            name = _chosen(session, only)
            step[0] = f"step {number}, {name}"
            STEPS[name].do(session)
            _rest(session)
            if number % _COMPARED == _COMPARED - 1:
                compare(session)
                step[0] = f"step {number}, line"
                change_lines(session)
                compare(session)
        step[0] = "end"
        compare(session)
        report.memory = client.memory()
        client.leave()
    except GoneError as error:
        complain(Wrong("death", f"{error}; {client.last_words()}", str(error)))
    except StuckError:
        # That was told.
        pass
    finally:
        client.close()
    report.figures.update(client.figures)
    report.figures["rounds"] += 1
    report.worst = client.worst
    return report


def _chosen(session: Session, only: Collection[str]) -> str:
    names = [name for name in STEPS if not only or name in only]
    [name] = session.random.choices(names, [STEPS[name].often for name in names])
    return name


def _rest(session: Session) -> None:
    """Takes in what the server has said, and waits if it has too much to do."""
    client, is_patient = session.client, session.random.random() < 0.3
    while client.waiting > (_FEW if is_patient else _MOST):
        client.hear(0.05)
    client.hear()
    client.check_life()


def _keep(path: Path, wrong: Wrong, client: Client) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join((wrong.what.encode("utf-8", "backslashreplace"), *client.sent)))
