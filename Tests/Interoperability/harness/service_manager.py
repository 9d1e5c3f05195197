"""What a service manager does for the program that it starts: the socket it is told at (sd_notify(3))."""

import queue
import socket
import threading

from .waiting import LIMIT


class Notifications:
    """The messages of one program, in their order."""

    def __init__(self, address):
        """`address` is a path; with "@" first, a name of the abstract namespace."""
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
        self.received = queue.Queue()
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        while True:
            try:
                text = self.socket.recv(65536).decode()
            except OSError:
                return
            self.received.put(text)
            if not text:
                return

    def next(self):
        """The next message's assignments, but for those of the watchdog alone."""
        while True:
            found = dict(line.split("=", 1) for line in self.received.get(timeout=LIMIT).split("\n"))
            if found != {"WATCHDOG": "1"}:
                return found

    def next_watchdog(self):
        while "WATCHDOG=1" not in self.received.get(timeout=LIMIT):
            pass

    def close(self):
        # A closed socket would go on being read.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    @property
    def environment(self):
        return {"NOTIFY_SOCKET": self.address}
