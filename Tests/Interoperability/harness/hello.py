"""ClientHello messages made by hand (RFC 5246, RFC 8446), as scanners send them, and what a server answers."""

import secrets
import struct
from dataclasses import dataclass, field

SSL3, TLS10, TLS11, TLS12 = 0x0300, 0x0301, 0x0302, 0x0303
RENEGOTIATION_INFO, HEARTBEAT, ENCRYPT_THEN_MAC, EXTENDED_MASTER_SECRET = 0xFF01, 15, 22, 23
FALLBACK = 0x5600
# Every code point that a suite of TLS 1.2 or older was ever given, and those of drafts; none of TLS 1.3.
EVERY_SUITE = [
    *range(0x0001, 0x00C8),
    *range(0xC001, 0xC0B4),
    *range(0xC100, 0xC107),
    *range(0xCC13, 0xCC16),
    *range(0xCCA8, 0xCCAF),
    *range(0xD001, 0xD006),
    *range(0xFEE0, 0xFEE2),
    *range(0xFEFE, 0xFF00),
]


@dataclass
class Answer:
    """A ServerHello, or an alert; neither when the server only closed."""

    version: int | None = None
    suite: int | None = None
    compression: int | None = None
    extensions: list = field(default_factory=list)
    alert: int | None = None


def vector(data, size):
    return len(data).to_bytes(size, "big") + data


def extension(code, data=b""):
    return struct.pack(">H", code) + vector(data, 2)


def client_hello(version, suites, host, compressions=b"\0", more=b""):
    groups = b"".join(struct.pack(">H", g) for g in (29, 23, 24, 25))
    # RSA and ECDSA with SHA-256, SHA-384, SHA-512 and SHA-1, and RSA-PSS.
    algorithms = bytes.fromhex("0401050106010201" "0403050306030203" "080408050806")
    extensions = (
        extension(0, vector(b"\0" + vector(host.encode(), 2), 2))
        + extension(10, vector(groups, 2))
        + extension(11, vector(b"\0", 1))
        + extension(13, vector(algorithms, 2))
        + more
    )
    body = (
        struct.pack(">H", version)
        + secrets.token_bytes(32)
        + vector(b"", 1)
        + vector(b"".join(struct.pack(">H", s) for s in suites), 2)
        + vector(compressions, 1)
        + (vector(extensions, 2) if version > SSL3 else b"")
    )
    return b"\x16" + struct.pack(">H", min(version, TLS10)) + vector(b"\x01" + vector(body, 3), 2)


def ask(connection, hello):
    """Sends a ClientHello; what came first in answer to it."""
    connection.sendall(hello)
    head = exactly(connection, 5)
    if head is None:
        return Answer()
    record = exactly(connection, int.from_bytes(head[3:5], "big"))
    if head[0] == 21 or record is None:
        return Answer(alert=record and record[1])
    assert head[0] == 22 and record[0] == 2, (head, record[:10])
    version = int.from_bytes(record[4:6], "big")
    after = 38 + 1 + record[38]
    suite, compression = int.from_bytes(record[after : after + 2], "big"), record[after + 2]
    rest, extensions = record[after + 5 : 4 + int.from_bytes(record[1:4], "big")], []
    while rest:
        extensions.append(int.from_bytes(rest[:2], "big"))
        rest = rest[4 + int.from_bytes(rest[2:4], "big") :]
    return Answer(version, suite, compression, extensions)


def exactly(connection, count):
    data = b""
    while len(data) < count:
        try:
            piece = connection.recv(count - len(data))
        except ConnectionResetError:
            return None
        if not piece:
            return None
        data += piece
    return data
