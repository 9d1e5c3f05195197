"""One request at the provider: what is kept of it, and what a handler may do with it."""

import hashlib
import json
import socket
from dataclasses import dataclass, field
from email.utils import formatdate

from .http1 import request_body
from .verification import Received, Refused, Verdict, verify

KEPT_BODY = 4 << 20


class Hangup(Exception):
    """Raised by a handler that has closed, or wants to close, the connection at once."""


@dataclass
class Record:
    """What is known of one request."""

    number: int
    method: str = ""
    target: bytes = b""
    fields: list = field(default_factory=list)
    trailers: list = field(default_factory=list)
    body_sha256: str = ""
    body_length: int = 0
    body: bytes = b""
    complete: bool = False
    verdict: Verdict | None = None
    refused: str | None = None
    problem: str | None = None

    def values(self, name):
        return [v for n, v in self.fields if n.lower() == name.lower().encode()]


class Call:
    """A request that is being handled: what a handler may do with it."""

    def __init__(self, provider, listener, wire, head, record):
        self.provider, self.listener, self.wire, self.head, self.record = provider, listener, wire, head, record
        self.close = listener.closes
        self.body_was_read = False

    def send(self, data):
        self.wire.socket.sendall(data)

    def pieces(self):
        """The body as it comes; complete once exhausted."""
        digest = hashlib.sha256()
        for piece in self.request_pieces():
            digest.update(piece)
            self.record.body_length += len(piece)
            if self.record.body_length <= KEPT_BODY:
                self.record.body += piece
            yield piece
        self.record.trailers = self.head.trailers
        self.record.body_sha256 = digest.hexdigest()
        self.record.complete = self.body_was_read = True

    def request_pieces(self):
        return request_body(self.wire, self.head)

    def read_body(self):
        if not self.body_was_read:
            for _ in self.pieces():
                pass
        return self.record.body

    def verify(self):
        """Reads the body, judges the signature; the verdict, or None with `record.refused` set."""
        if self.expects_continue and not self.body_was_read:
            self.interim(100)
        self.read_body()
        self.check_alone()
        return self.record.verdict

    def check_alone(self):
        """Judges without reading the body: for bodies that are no forms."""
        head, record = self.head, self.record
        received = Received(
            head.start[0],
            b"https" if self.listener.context else b"http",
            head.value(b"host"),
            head.start[1],
            head.value(b"authorization"),
            head.value(b"content-type"),
            record.body,
        )
        try:
            record.verdict = verify(received, self.provider)
        except Refused as refusal:
            record.refused = str(refusal)
            record.problem = refusal.problem

    @property
    def expects_continue(self):
        return (self.head.value(b"expect") or b"").lower() == b"100-continue"

    def respond(self, status, fields=(), body=b"", reason="Said"):
        if isinstance(body, str):
            body = body.encode()
        date = formatdate(self.provider.now(), usegmt=True)
        lines = [f"HTTP/1.1 {status} {reason}", f"Date: {date}", f"X-Record: {self.record.number}"]
        lines += [f"{n}: {v}" for n, v in fields]
        if status not in (204, 304) and status >= 200:
            lines.append(f"Content-Length: {len(body)}")
        if self.close:
            lines.append("Connection: close")
        head = "\r\n".join(lines) + "\r\n\r\n"
        self.send(head.encode("latin-1") + (b"" if self.record.method == "HEAD" else body))

    # The same in parts, whatever the version

    def interim(self, status, fields=()):
        lines = [f"HTTP/1.1 {status} Said", *(f"{n}: {v}" for n, v in fields)]
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def begin(self, status=200, fields=(), length=None):
        """Without a length the body is chunked."""
        framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
        self.is_chunked = length is None
        lines = [f"HTTP/1.1 {status} Said", f"X-Record: {self.record.number}", framing]
        lines += [f"{n}: {v}" for n, v in fields]
        self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def write(self, data):
        self.send(b"%x\r\n%b\r\n" % (len(data), data) if self.is_chunked else data)

    def finish(self, trailers=()):
        if self.is_chunked:
            lines = ["0", *(f"{n}: {v}" for n, v in trailers), "", ""]
            self.send("\r\n".join(lines).encode("latin-1"))

    def hang_up(self):
        """Ends the whole connection."""
        self.wire.socket.shutdown(socket.SHUT_RDWR)
        raise Hangup

    def answer(self):
        """The usual answer: what was received, and whether its signature is right."""
        verdict, record = self.record.verdict or self.verify(), self.record
        fields = [("Content-Type", "application/json"), ("X-Verified", "yes" if verdict else "no")]
        if not verdict:
            fields.append(("WWW-Authenticate", f'OAuth realm="test", oauth_problem="{record.problem}"'))
        self.respond(200 if verdict else 401, fields, json.dumps(self.description()))

    def description(self):
        record, verdict = self.record, self.record.verdict
        return {
            "record": record.number,
            "verified": verdict is not None,
            "by": verdict.by if verdict else [],
            "user": verdict.token.user if verdict else None,
            "refused": record.refused,
            "method": record.method,
            "target": record.target.decode("latin-1"),
            "fields": [[n.decode("latin-1"), v.decode("latin-1")] for n, v in record.fields],
            "body_length": record.body_length,
            "body_sha256": record.body_sha256,
        }
