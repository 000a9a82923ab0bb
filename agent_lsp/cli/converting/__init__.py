"""The parts of `convert --write`, `--drop` and `--check`: the lock file, and the plan of a run."""
