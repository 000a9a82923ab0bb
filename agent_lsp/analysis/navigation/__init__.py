"""Finds where things are in a template, what they are called, and what refers to them."""
