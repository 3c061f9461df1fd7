"""A bot that costs next to nothing: its first legal card, and the SDK's defaults."""

from thousand import Bot, Card, View, run


class CheapBot(Bot):
    """Plays the first card that is legal."""

    def play(self, view: View) -> Card:
        """Choose without looking."""
        return view.cards[0]


if __name__ == "__main__":
    run(CheapBot)
