"""The referee of Thousand Arena: plays matches between bot processes and rates the bots."""
