"""A small, strict HTTP/1.1 reader (RFC 9112) over blocking sockets; it keeps the bytes as they came."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
FIELD_VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")


class ProtocolError(Exception):
    """The peer sent what RFC 9112 does not allow."""


class Closed(Exception):
    """The peer closed the connection inside a message."""


class Wire:
    """A socket with a read buffer. `bytes` counts everything that was received."""

    def __init__(self, socket):
        self.socket = socket
        self.buffer = b""
        self.byte_count = 0

    def fill(self):
        data = self.socket.recv(262144)
        self.byte_count += len(data)
        self.buffer += data
        return bool(data)

    def until(self, mark, limit=1 << 20):
        """Everything up to and including `mark`; None when the peer closed before the first byte."""
        while mark not in self.buffer:
            if len(self.buffer) > limit:
                raise ProtocolError("too long")
            if not self.fill():
                if not self.buffer:
                    return None
                raise Closed(f"closed after {self.buffer[-80:]!r}")
        end = self.buffer.index(mark) + len(mark)
        found, self.buffer = self.buffer[:end], self.buffer[end:]
        return found

    def pieces(self, count):
        """`count` bytes, in the pieces in which they come."""
        while count:
            if not self.buffer and not self.fill():
                raise Closed(f"closed with {count} bytes of the body missing")
            piece, self.buffer = self.buffer[:count], self.buffer[count:]
            count -= len(piece)
            yield piece


@dataclass
class Head:
    raw: bytes
    start: list
    fields: list
    trailers: list = field(default_factory=list)

    def values(self, name):
        return [v for n, v in self.fields if n.lower() == name]

    def value(self, name):
        found = self.values(name)
        return found[0] if found else None


def parse_fields(lines):
    fields = []
    for line in lines:
        left, colon, right = line.partition(b":")
        if not colon or not TOKEN.fullmatch(left):
            raise ProtocolError(f"bad field line {line[:60]!r}")
        if not FIELD_VALUE.fullmatch(right):
            raise ProtocolError(f"bad byte in a field value {line[:60]!r}")
        fields.append((left, right.strip(b" \t")))
    return fields


def read_head(wire, limit=1 << 20):
    """The next message head, or None when the connection ended between messages."""
    raw = wire.until(b"\r\n\r\n", limit)
    if raw is None:
        return None
    lines = raw[:-4].split(b"\r\n")
    if any(b"\n" in line or b"\r" in line or b"\0" in line for line in lines):
        raise ProtocolError("bare CR, LF or NUL")
    return Head(raw, lines[0].split(b" ", 2), parse_fields(lines[1:]))


def content_length(head):
    values = head.values(b"content-length")
    if not values:
        return None
    if len(values) > 1 or not re.fullmatch(rb"[0-9]+", values[0]):
        raise ProtocolError(f"bad Content-Length {values!r}")
    if head.values(b"transfer-encoding"):
        raise ProtocolError("both Content-Length and Transfer-Encoding")
    return int(values[0])


def is_chunked(head):
    values = head.values(b"transfer-encoding")
    if not values:
        return False
    if [v.lower() for v in values] != [b"chunked"]:
        raise ProtocolError(f"bad Transfer-Encoding {values!r}")
    return True


def chunked_pieces(wire, head):
    """The data of a chunked body; its trailer section goes to `head.trailers`."""
    while True:
        line = wire.until(b"\r\n", 4096)
        if line is None:
            raise Closed("closed between chunks")
        found = re.match(rb"([0-9A-Fa-f]+)[ \t]*(;[^\r\n]*)?\r\n\Z", line)
        if not found:
            raise ProtocolError(f"bad chunk size line {line!r}")
        size = int(found.group(1), 16)
        if size == 0:
            break
        yield from wire.pieces(size)
        if b"".join(wire.pieces(2)) != b"\r\n":
            raise ProtocolError("no CRLF after chunk data")
    lines = []
    while (line := wire.until(b"\r\n")) != b"\r\n":
        if line is None:
            raise Closed("closed in the trailer section")
        lines.append(line[:-2])
    head.trailers = parse_fields(lines)


def request_body(wire, head):
    """The pieces of a request's body, decoded."""
    length = content_length(head)
    if is_chunked(head):
        yield from chunked_pieces(wire, head)
    elif length:
        yield from wire.pieces(length)


def response_body(wire, head, method):
    """The pieces of a response's body, decoded (RFC 9112, section 6.3)."""
    status = int(head.start[1])
    if method == "HEAD" or status < 200 or status in (204, 304) or (method == "CONNECT" and 200 <= status < 300):
        return
    length = content_length(head)
    if is_chunked(head):
        yield from chunked_pieces(wire, head)
    elif length is not None:
        yield from wire.pieces(length)
    else:
        while wire.buffer or wire.fill():
            piece, wire.buffer = wire.buffer, b""
            yield piece
