"""Published tables of results: read as papers print them, and which of their claims hold."""
