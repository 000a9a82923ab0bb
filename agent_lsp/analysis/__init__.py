"""A snapshot and a place become plain answers."""
