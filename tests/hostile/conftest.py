"""All tests of this folder are those of `make test-hostile`, unless they measure."""

from pathlib import Path

import pytest

_HERE = str(Path(__file__).parent)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; those of the others are handed in, too."""
    for item in items:
        # As text: to compare thousands of paths takes half a second.
        if str(item.path).startswith(_HERE) and item.get_closest_marker("limits") is None:
            item.add_marker("hostile")
