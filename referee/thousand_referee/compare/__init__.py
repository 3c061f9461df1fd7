"""Whether a new bot is better than the old one: a sequential test on blocks."""
