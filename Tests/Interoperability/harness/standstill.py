"""Whether the machine stood still, as a virtual one does: then times are over that would not have been."""

import threading
import time

NOTICEABLE = 1


class Watch:
    """Looks at the time so often that only a machine that stands still keeps it from that for so long."""

    def __init__(self):
        self.lock, self.last, self.gaps = threading.Lock(), time.monotonic(), []
        threading.Thread(target=self.look_on, daemon=True).start()

    def look_on(self):
        while True:
            time.sleep(0.05)
            self.seen()

    def seen(self):
        """The lengths of all gaps so far, one that has just ended included."""
        with self.lock:
            now = time.monotonic()
            if now - self.last > NOTICEABLE:
                self.gaps.append(now - self.last)
            self.last = now
            return list(self.gaps)
