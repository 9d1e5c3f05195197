"""Replicas that share their tokens through etcd, what is done to them, and what may not come of it.

Nothing here needs more than Python's own library: `Benchmarks/Fleet/run` uses it, too. All times are seconds of the
monotonic clock, of one process.
"""
