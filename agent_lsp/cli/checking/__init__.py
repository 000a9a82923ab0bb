"""The parts of `check`: which files to check, the filters, the fixes, and the report."""
