"""Presets of Moltis: tables of `moltis.toml` (dialect `moltis`)."""
