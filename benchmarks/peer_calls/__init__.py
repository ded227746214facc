"""Calls that other libraries' test suites make of their own functions, asked of nettrial too."""
