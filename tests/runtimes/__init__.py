"""Runs real runtimes beside the product (`make test-runtimes`)."""
