"""Never dials the referee."""

from __future__ import annotations

import time

time.sleep(3600)
