"""Finds the places, the names and the references of the things in a template."""
