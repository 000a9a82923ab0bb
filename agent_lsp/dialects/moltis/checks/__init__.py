"""The checks of Moltis: of its configuration, of presets, and of Markdown definitions."""
