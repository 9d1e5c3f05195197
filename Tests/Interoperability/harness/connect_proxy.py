"""Another HTTP proxy between Paraph and the world: opens tunnels for CONNECT, and keeps all that it could look at."""

import base64
import socket
import threading
from dataclasses import dataclass, field

from .applications import remember
from .http1 import Closed, ProtocolError, Wire, read_head
from .tls_front import TLSFront
from .waiting import LIMIT


@dataclass
class Tunnel:
    """One connection to the other proxy: what was asked, and what went through once it was open."""

    head: object = None
    is_open: bool = False
    is_over: bool = False
    sent: bytearray = field(default_factory=bytearray)
    received: bytearray = field(default_factory=bytearray)

    @property
    def authority(self):
        return self.head.start[1].decode()

    @property
    def fields(self):
        return {name.decode().lower(): value.decode("latin-1") for name, value in self.head.fields}


class ConnectProxy:
    """Listens on loopback. `hosts` says where an authority leads to, in place of name resolution; what is not in it is
    taken for an address. `behave(tunnel, connection)`, if set, is done instead of opening a tunnel. `tls`, if set,
    is the chain that it presents to who connects."""

    def __init__(self, username=None, password=None, hosts=None, tls=None):
        self.username, self.password, self.hosts = username, password, hosts or {}
        self.behave = None
        self.tunnels = []
        self.violations = []
        self.lock = threading.Lock()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.front = TLSFront(tls, self.serve) if tls else None
        self.trust = {}
        threading.Thread(target=self.accept, daemon=True).start()
        if password:
            remember(self.basic.removeprefix("Basic "))

    @property
    def basic(self):
        return "Basic " + base64.b64encode(f"{self.username}:{self.password}".encode()).decode()

    def settings(self, **more):
        """The value of `upstream_proxy`."""
        url = f"{'https' if self.front else 'http'}://{self.address}"
        if self.username is not None:
            more = {"username": self.username, "password": self.password, **more}
        more = {**self.trust, **more}
        return {"url": url, **more} if more else url

    @property
    def opened(self):
        with self.lock:
            return [tunnel.authority for tunnel in self.tunnels if tunnel.is_open]

    @property
    def asked(self):
        with self.lock:
            return [tunnel.authority for tunnel in self.tunnels]

    def close(self):
        """Ends the listener; what is open stays open."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    # Serving

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            serve = self.front.accept if self.front else self.serve
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        tunnel = Tunnel()
        wire = Wire(connection)
        try:
            tunnel.head = read_head(wire)
            if tunnel.head is None:
                return
            self.check(tunnel, wire)
            with self.lock:
                self.tunnels.append(tunnel)
            if self.behave:
                return self.behave(tunnel, connection)
            if self.username is not None and tunnel.fields.get("proxy-authorization") != self.basic:
                challenge = 'Proxy-Authenticate: Basic realm="way out", charset="UTF-8"\r\n'
                answer = f"HTTP/1.1 407 Proxy Authentication Required\r\n{challenge}Content-Length: 0\r\n\r\n"
                return connection.sendall(answer.encode())
            self.open(tunnel, connection)
        except (OSError, Closed, ProtocolError) as error:
            if isinstance(error, ProtocolError):
                self.violations.append(f"{error}")
        finally:
            tunnel.is_over = True
            connection.close()

    def check(self, tunnel, wire):
        """RFC 9110, section 9.3.6; and nothing in the head that is not for this proxy."""
        head = tunnel.head
        if head.start[0] != b"CONNECT" or head.start[2] != b"HTTP/1.1":
            self.violations.append(f"{head.start}")
        if head.value(b"host") != head.start[1]:
            self.violations.append(f"Host: {head.value(b'host')} with {head.start}")
        expected = {"host", "proxy-authorization"} if self.username is not None else {"host"}
        if set(tunnel.fields) != expected or len(head.fields) != len(expected):
            self.violations.append(f"fields {head.fields}")
        if wire.buffer:
            self.violations.append(f"{wire.buffer[:80]!r} before the tunnel was open")

    def open(self, tunnel, connection, answer=b"HTTP/1.1 200 Connection established\r\n\r\n"):
        host, _, port = self.hosts.get(tunnel.authority, tunnel.authority).rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), timeout=LIMIT) as far:
            far.settimeout(None)
            tunnel.is_open = True
            connection.sendall(answer)
            back = threading.Thread(target=self.relay, args=(far, connection, tunnel.received), daemon=True)
            back.start()
            self.relay(connection, far, tunnel.sent)
            back.join()

    def refuse_and_echo(self, tunnel, connection):
        """What a proxy should not do: say back what it was sent."""
        sent = tunnel.fields.get("proxy-authorization", "")
        fields = f"X-Sent: {sent}\r\nProxy-Authenticate: Basic realm=\"{self.password.encode().hex()}\"\r\n"
        body = f"{sent} {self.password}".encode()
        head = f"HTTP/1.1 407 {sent}\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode("latin-1") + body)

    @staticmethod
    def relay(near, far, copy):
        try:
            while data := near.recv(1 << 16):
                copy += data
                far.sendall(data)
            far.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (near, far):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
