"""Writes the scripts that complete the command line in bash, zsh, fish and PowerShell."""
