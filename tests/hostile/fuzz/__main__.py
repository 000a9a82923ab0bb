"""Plays rounds of a fuzzer with a real server, and tells what did not hold.

`make fuzz SECONDS=3600 SEED=7` plays for an hour. Each round has a workspace, a home and an editor
of its own, made from a seed: the first round has SEED, the next one SEED + 1. A round types, opens,
closes, saves, asks everything at any place, takes questions back, sends what is no message, and
changes the disk. Now and then, and at its end, a new server is asked about the same texts.

What must hold; each different failure is printed once, with its cause and how to play it again:

  death         the process never ends before it is told to, and then ends with 0
  unanswered    each request has one answer
  slow          ... within 5 seconds, of the clock and of the server's processor time
  fault         no traceback, no error in the log, no internal error as an answer
  bad-answer    an answer is as the protocol says
  range         each place is in the text, in its line, and between two characters
  version       findings are about a version that was sent, and never about an older one than before
  edit          edits do not overlap, and are for the version at hand
  fix           a fix changes the text, takes its finding away and brings no error; after all
                that are safe, none of them is left
  inconsistent  the findings are those of a new server

Exit code 1 if any of them did not hold, 2 if the program was called wrongly.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.hostile.answers import KINDS
from tests.hostile.fuzz.play import Report, play
from tests.hostile.fuzz.steps import STEPS
from tests.server import ready

_SERVE = ("serve", "--stdio")


def main(arguments: Sequence[str]) -> int:
    """Plays for the time that `arguments` say; 0 if all held, otherwise 1."""
    said = _arguments().parse_args(arguments)
    seed = random.randrange(10**9) if said.seed is None else said.seed  # noqa: S311 - no secret
    end, reports = time.monotonic() + said.seconds, list[Report]()
    known: set[tuple[str, str]] = set()
    while not reports or time.monotonic() < end:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            report = play(
                seed,
                Path(folder).resolve() / "round",
                (*ready.PROGRAM, *_SERVE),
                (*ready.program(), *_SERVE),
                only=said.only,
                keep=said.keep,
            )
        for cause, (wrong, step) in report.wrong.items():
            if cause not in known:
                known.add(cause)
                again = f"make fuzz SECONDS=0 SEED={seed}"
                again += f" ONLY={','.join(said.only)}" if said.only else ""
                _print(f"{wrong.kind}: {wrong.what}\n    {step}; play it again: {again}")
        reports.append(report)
        seed += 1
    ready.stop()
    _print(_summary(reports, len(known)))
    return 1 if known else 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="at least one round is played")
    parser.add_argument("--seed", type=int, help="of the first round; by default, any")
    parser.add_argument("--only", type=_steps, default=(), help="steps to choose from, with commas")
    parser.add_argument("--keep", type=Path, help="a folder for the messages before each failure")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    return parser


def _steps(names: str) -> tuple[str, ...]:
    chosen = tuple(filter(None, names.split(",")))
    for name in chosen:
        if name not in STEPS:
            raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(STEPS)}")
    return chosen


def _summary(reports: Sequence[Report], different: int) -> str:
    figures, counts = Counter[str](), Counter[str]()
    for one in reports:
        figures.update(one.figures)
        counts.update(one.counts)
    took, method = max(one.worst for one in reports)
    names = ("rounds", "messages", "texts", "requests", "refused", "published", "fixes", "compared")
    return (
        f"seeds {reports[0].seed} to {reports[-1].seed}; "
        + ", ".join(f"{figures[name]} {name}" for name in names)
        + f"; worst answer {took:.2f} s ({method}); "
        + f"memory at most {max(one.memory for one in reports)} MB\n"
        + ", ".join(f"{kind} {counts[kind]}" for kind in KINDS)
        + f"; {different} different"
    )


def _print(text: str) -> None:
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
