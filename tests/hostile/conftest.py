"""All tests of this folder are those of `make test-hostile`, unless they measure."""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; those of the others are handed in, too."""
    for item in items:
        if item.path.is_relative_to(_HERE) and item.get_closest_marker("limits") is None:
            item.add_marker("hostile")
