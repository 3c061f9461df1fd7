"""Write bots for the card game Thousand, and play them in the arena."""
