"""Waiting for a condition, with a deadline; never for a length of time."""

import time


def wait_until(condition, what, seconds=20):
    """Asks `condition` again and again until it gives something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.01)
