"""Starting bots: as processes of this machine."""
