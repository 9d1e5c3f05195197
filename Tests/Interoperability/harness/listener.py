"""The provider's ports, and what is counted of each."""

import socket
import ssl
from dataclasses import dataclass, field

from .http1 import Wire


@dataclass
class Listener:
    """One TLS port. Counts what reached it, so that a test can show that nothing did."""

    socket: socket.socket
    context: ssl.SSLContext | None
    through_proxy: bool
    connections: int = 0
    # Connections that the other side has ended.
    ended: int = 0
    # After TLS was taken off.
    byte_count: int = 0
    requests: int = 0
    # Whose certificates were shown.
    client_names: list = field(default_factory=list)
    # Whether each answer ends its connection.
    closes: bool = False
    # Of connections that began after `change_after` so many, if any.
    changed_context: ssl.SSLContext | None = None
    unchanged: int = 0
    changed_bytes: int = 0
    # What serves connections by HTTP/2, where that is offered too, and how many requests each may have at a time.
    http2: type | None = None
    streams: int = 100

    @property
    def port(self):
        return self.socket.getsockname()[1]

    @property
    def address(self):
        host = self.socket.getsockname()[0]
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    def close(self):
        # close() alone leaves a thread in accept(), which asks the descriptor anew after SIGSTOP and SIGCONT: by then
        # that may be another listener's.
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def change_after(self, count, chain):
        """From now on so many connections see the certificates that there are, and those after them other ones."""
        self.unchanged, self.changed_context = self.connections + count, server_context(chain, self.http2)


def server_context(chain, http2=None):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain.file)
    context.set_alpn_protocols(["h2", "http/1.1"] if http2 else ["http/1.1"])
    return context


class ListenersWire(Wire):
    """Counts every byte for its listener, also those that make no request."""

    def __init__(self, socket, listener, is_changed):
        super().__init__(socket)
        self.listener, self.is_changed = listener, is_changed

    def fill(self):
        before = self.byte_count
        try:
            return super().fill()
        finally:
            self.listener.byte_count += self.byte_count - before
            if self.is_changed:
                self.listener.changed_bytes += self.byte_count - before
