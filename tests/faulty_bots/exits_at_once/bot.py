"""Exits before it has said anything."""

from __future__ import annotations

import sys

sys.exit(0)
