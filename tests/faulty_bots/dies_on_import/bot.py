"""Needs a module that is not there."""

from __future__ import annotations

import a_module_that_nobody_has  # noqa: F401
