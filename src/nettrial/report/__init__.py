"""Displays and reports of a comparison."""
