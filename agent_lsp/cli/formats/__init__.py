"""The formats in which `check` reports: each has a module with `write(report, stream)`."""
