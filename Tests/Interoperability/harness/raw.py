"""A client of raw bytes: for what real clients never send, and for seeing exactly what comes back."""

import errno
import re
import select
import socket
import ssl

from .answer import Answer
from .http1 import Closed, ProtocolError, Wire, read_head, response_body
from .waiting import LIMIT


def connect(address):
    host, _, port = address.rpartition(":")
    connection = socket.create_connection((host.strip("[]"), int(port)), timeout=LIMIT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def is_writable(connection):
    """Whether something can be sent at once."""
    waiting = select.poll()
    waiting.register(connection, select.POLLOUT)
    return bool(waiting.poll(0))


class RawClient:
    """One connection to the proxy. `authority` opens a tunnel with CONNECT and TLS inside it, trusting `ca`.

    `refusal` is the answer to a CONNECT that was refused.
    """

    def __init__(self, address, authority=None, ca=None, connect_fields=(), tls=True, server_name=None):
        self.wire = Wire(connect(address))
        self.refusal = None
        self.certificate = None
        if authority is None:
            return
        lines = [f"CONNECT {authority} HTTP/1.1", f"Host: {authority}", *(f"{n}: {v}" for n, v in connect_fields)]
        self.send("\r\n".join(lines) + "\r\n\r\n")
        answer = self.receive("CONNECT")
        if answer.status != 200:
            self.refusal = answer
            return
        assert not answer.values("content-length") and not answer.values("transfer-encoding")
        if tls:
            self.start_tls(server_name or authority.rpartition(":")[0].strip("[]"), ca)

    def start_tls(self, server_name, ca):
        context = ssl.create_default_context(cafile=str(ca))
        self.wire = Wire(context.wrap_socket(self.wire.socket, server_hostname=server_name))
        self.certificate = self.wire.socket.getpeercert(binary_form=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.wire.socket.close()

    def send(self, data):
        self.wire.socket.sendall(data.encode("latin-1") if isinstance(data, str) else data)

    def end_sending(self):
        """Ends the connection in this direction: whatever the proxy still waits for does not come."""
        # That of the TCP connection: SSLSocket's own ends the other direction too.
        try:
            socket.socket.shutdown(self.wire.socket, socket.SHUT_WR)
        except OSError as error:
            # The proxy was first.
            if error.errno != errno.ENOTCONN:
                raise

    def receive_head(self, method="GET"):
        """The next head that is final, and the informational ones before it."""
        informational = []
        while True:
            head = read_head(self.wire)
            if head is None:
                raise Closed("closed before a response")
            assert head.start[0] == b"HTTP/1.1", head.start
            if head.start[1][:1] != b"1" or head.start[1] == b"101":
                return head, informational
            informational.append(int(head.start[1]))

    def receive(self, method="GET"):
        head, informational = self.receive_head(method)
        body = b"".join(response_body(self.wire, head, method))
        answer = self.as_answer(head, body, informational)
        answer.check_secrets()
        return answer

    @staticmethod
    def as_answer(head, body=b"", informational=()):
        def text(fields):
            return [(n.decode("latin-1"), v.decode("latin-1")) for n, v in fields]

        return Answer(int(head.start[1]), text(head.fields), body, text(head.trailers), list(informational))

    def receive_informational(self):
        head = read_head(self.wire)
        assert head is not None and head.start[1][:1] == b"1", head
        return int(head.start[1])

    def exchange(self, data, method="GET"):
        self.send(data)
        return self.receive(method)

    def answer_or_close(self, method="GET"):
        """What comes back: an answer, or None when the proxy closes the connection without one."""
        try:
            return self.receive(method)
        except (Closed, ConnectionError, ssl.SSLError):
            return None
        except ProtocolError as error:
            raise AssertionError(f"the proxy answered nonsense: {error}") from None

    def is_closed(self):
        """Waits for the proxy to close; true when it does so without another byte."""
        try:
            return not self.wire.buffer and self.wire.socket.recv(1) == b""
        except (ConnectionError, ssl.SSLError):
            return True


def request(method, target, host, fields=(), body=None):
    """A request's bytes; a length is added when there is a body."""
    data = target if isinstance(target, bytes) else target.encode()
    lines = [method.encode() + b" " + data + b" HTTP/1.1", b"Host: " + host.encode()]
    lines += [f"{n}: {v}".encode("latin-1") for n, v in fields]
    if body is not None:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")


def ask(paraph, url, method="GET", fields=(), body=None, connect_fields=(), host=None):
    """One request on a connection of its own: through CONNECT for https, in absolute form for http."""
    scheme, _, rest = url.partition("://")
    authority, slash, target = rest.partition("/")
    if scheme == "http":
        with paraph.raw() as client:
            return client.exchange(request(method, url, host or authority, [*connect_fields, *fields], body), method)
    with paraph.raw(
        authority if re.search(r":\d+$", authority) else f"{authority}:443", connect_fields=connect_fields
    ) as client:
        if client.refusal:
            return client.refusal
        return client.exchange(request(method, slash + target or "/", host or authority, fields, body), method)
