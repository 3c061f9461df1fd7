"""Whole deals take Hypothesis a while to draw on a busy machine; that is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "whole deals", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("whole deals")
