"""The integrity report of a tournament: faults, time, voids, logs, and who helps whom."""
