"""The parts of `convert --write` and `convert --check`: the lock file, and the plan of a run."""
