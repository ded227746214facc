"""Models by number, as the compiled loops know them."""

WVRN, NBC = 0, 1
