"""What a decision costs: the full path, its parts, and a bare gRPC stream, in one run."""

from thousand_referee.bench.report import Report, run_bench

__all__ = ["Report", "run_bench"]
