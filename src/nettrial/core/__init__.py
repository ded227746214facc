"""What every room may use and that uses no room: errors, arguments, seeds, results, words."""
