"""Matches on many machines, played by the workers of a Dask cluster.

`bundle` packs bots' files for the way, `worker` is what a worker runs, and `executor` what
the coordinator hands its matches to. Only `executor` needs Dask installed to be imported.
"""
