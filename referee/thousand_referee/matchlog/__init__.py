"""Match logs: their lines, writing, reading, verifying and showing them."""
