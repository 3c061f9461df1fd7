"""Random: the smallest bot there is, and the yardstick for every other one.

It teaches the four questions a bot is asked and where the legal answers are. Lots are
drawn from `self.rng` alone, so the same seed gives the same game again.
"""

from thousand import Bot, Card, Play, View, run


class RandomBot(Bot):
    """Answers every question with any of the legal choices."""

    def bid(self, view: View) -> int | None:
        """Pass or raise by as little as possible; bids beyond that are rarely made."""
        return self.rng.choice(view.legal_bids[:2])

    def give(self, view: View) -> tuple[Card, Card]:
        """Give any two cards."""
        to_left, to_right = self.rng.sample(view.legal_gifts, 2)
        return to_left, to_right

    def play(self, view: View) -> Play:
        """Play any card; the lead of a king or queen may announce a marriage."""
        return self.rng.choice(view.legal_plays)


if __name__ == "__main__":
    run(RandomBot)
