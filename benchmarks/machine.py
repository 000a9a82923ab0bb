"""What the measurements were taken on."""

import os
import platform
from pathlib import Path


def machine() -> str:
    """The processor, the system and the Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        models = []
    cpu = models[0] if models else platform.machine()
    python = f"Python {platform.python_version()}"
    return f"{os.cpu_count()} x {cpu}, {platform.system()}, {python}"


def load() -> str:
    """How many processes wanted to run in the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
