"""Finds the definitions of a name in many files, and the one that wins."""
