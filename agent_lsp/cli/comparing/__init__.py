"""Compares two states of a repository: Git's objects as a disk, and what a change does."""
