"""The Network and what is known of it: its links, a summary, its communities."""
