"""Tells of many files who defines what, and who wins."""
