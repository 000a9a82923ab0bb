"""Finds the definitions of a name in many files, and the definition that has precedence."""
