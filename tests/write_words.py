"""Writes the texts of the VS Code extension for translators: `python -m tests.write_words`."""

from tests.vscode_words import main

if __name__ == "__main__":
    main()
