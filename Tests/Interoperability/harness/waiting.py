"""Waiting for events, with one limit for the whole suite; never for a length of time."""

import time

# In seconds. What takes this long never happens: no test says by it how soon something has to.
LIMIT = 120


def wait_until(condition, what):
    """Asks `condition` again and again until it gives something true, and returns that."""
    deadline = time.monotonic() + LIMIT
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < deadline, f"waited {LIMIT} s for {what}"
        time.sleep(0.01)
