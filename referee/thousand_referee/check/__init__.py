"""Checking a bot before it plays: what ``thousand check`` does, and a submission should.

Layout: `situations` and `lessons` are what a bot is put through, `exam` asks and judges
(no I/O), `sitting` is one process of the bot taking it, `checker` the whole
check, `report` what people read.
"""
