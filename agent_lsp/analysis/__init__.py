"""Turns a snapshot and a place in a file into plain answers."""
