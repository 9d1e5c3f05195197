"""What a service manager does for the program that it starts: the socket it is told at (sd_notify(3)), and listening
sockets that the program inherits (sd_listen_fds(3))."""

import os
import queue
import socket
import sys
import threading
from contextlib import contextmanager

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


@contextmanager
def listening(count=1, host="127.0.0.1"):
    """Sockets that listen, each at a port of its own, and stay open whoever else has them."""
    sockets = [socket.create_server((host, 0), backlog=1024) for _ in range(count)]
    try:
        yield sockets
    finally:
        for one in sockets:
            one.close()


def address(one):
    return "{}:{}".format(*one.getsockname()[:2])


# Between the fork and the program: its process number is known, and the descriptors are the right ones.
STARTER = """#!{python} -SE
import fcntl, os, sys
high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 200) for descriptor in {descriptors}]
os.closerange(3, 200)
for number, descriptor in enumerate(high, 3):
    os.dup2(descriptor, number)
    os.close(descriptor)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(high)), **{names})
os.execv({binary!r}, [{binary!r}, *sys.argv[1:]])
"""


def pass_sockets(paraph, sockets, names=None):
    """Has a `Paraph` inherit these sockets at each start from now on. Returns what its start is given for that."""
    starter = paraph.folder / "start"
    descriptors = [one.fileno() for one in sockets]
    starter.write_text(
        STARTER.format(
            python=sys.executable,
            descriptors=descriptors,
            names={"LISTEN_FDNAMES": ":".join(names)} if names is not None else {},
            binary=os.fspath(paraph.binary),
        )
    )
    starter.chmod(0o700)
    paraph.starter = os.fspath(starter)
    return {"pass_fds": descriptors}
