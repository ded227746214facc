"""What the tests are worth on networks like the user's own, and what it takes to see more."""
