"""A person at the terminal, in a seat of a match."""
