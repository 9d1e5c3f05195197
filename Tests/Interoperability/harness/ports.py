"""Ports for programs that cannot choose one themselves, or that have to come back to the one that they had."""

import socket
from contextlib import contextmanager


@contextmanager
def held_port(address="127.0.0.1"):
    """A port of loopback, or of every address (0.0.0.0), that is nobody else's, whether its program runs or not. It is
    bound and not listened on, and so a program that sets SO_REUSEADDR, as servers do, can listen there."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((address, 0))
        yield held.getsockname()[1]
