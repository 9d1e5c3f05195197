"""Clients in processes of their own, which go on at their pace while this process stands still."""

import os
import subprocess
import sys
import threading

from .clients import FOLDER
from .waiting import LIMIT


class SeparateClient:
    """A program of `clients/` in Python, which says one line for each event and ends its work when its input ends."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, FOLDER / program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(FOLDER.parent)},
        )
        self.limit = threading.Timer(LIMIT, self.process.kill)
        self.limit.start()

    def expect(self, line):
        """Waits for the next event."""
        said = self.process.stdout.readline()
        assert said == f"{line}\n", f"{said!r} in place of {line!r}"

    def finish(self):
        """Ends its input."""
        self.process.stdin.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.limit.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
