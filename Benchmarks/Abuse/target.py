"""The proxy that is attacked, as its clients see it."""

import base64
import dataclasses
import socket
import ssl
from pathlib import Path

ATTACKER, HONEST = "127.0.0.1", "127.0.0.2"
TIMEOUT = 5  # seconds, for each step


def another_address(number: int) -> str:
    """One of many that a single machine has on loopback."""
    return f"127.0.7.{1 + number % 250}"


class Refused(Exception):
    """The proxy has answered CONNECT with something else than 200."""


@dataclasses.dataclass(frozen=True)
class Target:
    """`host`: the API that is asked for; `tunnel_authority`: where a forward proxy may make an untouched tunnel to;
    `wildcard`: what the hosts of an API end in of which any may be asked for; `admin_port`: that of Paraph's admin
    listener; `credentials`: name and password for a forward proxy; `source`: the address that attacks come from;
    `timeout`: seconds for each step.
    """

    name: str
    is_forward: bool
    port: int
    plain_port: int
    trusted: Path
    host: str
    host_port: int = 443
    tunnel_authority: str = ""
    wildcard: str = ""
    admin_port: int = 0
    credentials: str = ""
    source: str = ATTACKER
    timeout: float = TIMEOUT

    @property
    def authorization(self) -> str:
        if not self.credentials:
            return ""
        return f"Proxy-Authorization: Basic {base64.b64encode(self.credentials.encode()).decode()}\r\n"

    @property
    def authority(self) -> str:
        return self.host if self.host_port == 443 else f"{self.host}:{self.host_port}"

    def plain(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.plain_port), self.timeout, (source, 0))

    def tunnel(self, source: str, authority: str) -> socket.socket:
        """A connection through a forward proxy."""
        connection = socket.create_connection(("127.0.0.1", self.port), self.timeout, (source, 0))
        try:
            head = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{self.authorization}\r\n"
            connection.sendall(head.encode())
            answer = read_head(connection)
            if not answer.startswith(b"HTTP/1.1 200"):
                raise Refused(answer[9:12].decode() or "connection closed")
        except BaseException:
            connection.close()
            raise
        return connection

    def context(self, protocol: str = "http/1.1") -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=str(self.trusted))
        context.set_alpn_protocols([protocol])
        return context

    def dial(self, source: str, context: ssl.SSLContext) -> ssl.SSLSocket:
        """A connection to the API, as far as the client can tell."""
        if self.is_forward:
            connection = self.tunnel(source, f"{self.host}:{self.host_port}")
        else:
            connection = socket.create_connection(("127.0.0.1", self.port), self.timeout, (source, 0))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            return context.wrap_socket(connection, server_hostname=self.host)
        except BaseException:
            connection.close()
            raise

    def request(self, method: str, path: str, fields: str = "", is_plain: bool = False) -> bytes:
        """A request's head."""
        target, authorization = path, ""
        if is_plain and self.is_forward:
            target, authorization = f"http://{self.host}{path}", self.authorization
        return f"{method} {target} HTTP/1.1\r\nHost: {self.authority}\r\n{authorization}{fields}\r\n".encode()


def read_head(connection: socket.socket) -> bytes:
    """What comes, up to the end of a head; what follows is only read where it comes with it."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = connection.recv(65_536)
        if not data:
            break
        head += data
    return head
