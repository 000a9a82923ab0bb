"""The commands of the command line: a module each, with its arguments and what it does."""
