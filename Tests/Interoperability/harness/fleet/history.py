"""What happened, in the order in which it did: an object of JSON a line."""

import asyncio
import json
import time


class History:
    """Each event has its time `t` and its kind `event`; the other members are its own."""

    def __init__(self, path):
        self.events = []
        self.waiting = []
        self.file = open(path, "w")

    def add(self, event, **facts):
        one = {"t": round(time.monotonic(), 4), "event": event, **facts}
        self.events.append(one)
        self.file.write(json.dumps(one) + "\n")
        for waiting in [waiting for waiting in self.waiting if waiting[0].items() <= one.items()]:
            self.waiting.remove(waiting)
            waiting[1].set()

    async def next(self, **facts):
        """Returns right after the next event that has all of these."""
        waiting = (facts, asyncio.Event())
        self.waiting.append(waiting)
        try:
            await waiting[1].wait()
        finally:
            if waiting in self.waiting:
                self.waiting.remove(waiting)

    def close(self):
        self.file.close()


def read(path):
    with open(path) as file:
        return [json.loads(line) for line in file]
