"""The features for files whose templates are tables of TOML."""
