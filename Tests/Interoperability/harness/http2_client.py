"""A client of HTTP/2 through CONNECT, which sees each stream and, if it is told to, each frame."""

import ssl

import h2.events

from .answer import Answer
from .http2_connection import CODES, Closed, Connection, code, frame, pairs
from .raw import connect
from .waiting import LIMIT


class ClientStream:
    def __init__(self):
        self.status, self.fields, self.informational = None, [], []
        self.body, self.trailers = bytearray(), []
        self.byte_count = 0
        self.has_ended, self.reset = False, None

    def answer(self):
        found = Answer(self.status, self.fields, bytes(self.body), self.trailers, self.informational)
        found.check_secrets()
        return found


class HTTP2Client(Connection):
    """One connection through CONNECT. It reads only while it is told to wait for something.

    `reads` says whether windows are opened again by what came; `keeps` whether bodies are kept.
    """

    def __init__(self, paraph, authority, settings=None, window=0, connect_fields=()):
        self.streams, self.reads, self.keeps, self.lower_case = {}, True, True, True
        self.authority = authority
        wire = connect(paraph.proxy)
        lines = [f"CONNECT {authority}:443 HTTP/1.1", f"Host: {authority}:443"]
        lines += [f"{n}: {v}" for n, v in connect_fields]
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += wire.recv(1)
        assert answer.startswith(b"HTTP/1.1 200 "), answer
        context = ssl.create_default_context(cafile=str(paraph.ca))
        context.set_alpn_protocols(["h2", "http/1.1"])
        wire = context.wrap_socket(wire, server_hostname=authority)
        assert wire.selected_alpn_protocol() == "h2"
        super().__init__(wire, True, settings, window)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def request(self, method="GET", path="/", fields=(), body=None, ends=True, pseudo=()):
        """Begins a request; the stream's number. `pseudo` replaces pseudo-header fields, or takes them out."""
        stream = self.h2.get_next_available_stream_id()
        start = {":method": method, ":scheme": "https", ":authority": self.authority, ":path": path, **dict(pseudo)}
        if self.lower_case:
            fields = [(n.lower(), v) for n, v in fields]
        fields = [*((n, v) for n, v in start.items() if v is not None), *fields]
        self.streams[stream] = ClientStream()
        self.h2.send_headers(stream, pairs(fields), end_stream=ends and body is None)
        self.flush()
        if body is not None:
            self.send(stream, body, ends)
        return stream

    def send(self, stream, content, ends=False):
        """Bytes of a body, as the windows open."""
        while content:
            rest = self.send_some(stream, content)
            if len(rest) == len(content):
                self.step()
            content = rest
        if ends:
            self.h2.end_stream(stream)
            self.flush()

    def end(self, stream, trailers=()):
        if trailers:
            self.h2.send_headers(stream, pairs(trailers), end_stream=True)
        else:
            self.h2.end_stream(stream)
        self.flush()

    def step(self):
        for event in self.read():
            self.take(event)

    def take(self, event):
        stream = self.streams.get(getattr(event, "stream_id", None))
        if stream is None:
            return
        if isinstance(event, h2.events.InformationalResponseReceived):
            stream.informational.append(int(dict(event.headers)[b":status"]))
        elif isinstance(event, h2.events.ResponseReceived):
            fields = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in event.headers]
            stream.status, stream.fields = int(fields[0][1]), fields[1:]
        elif isinstance(event, h2.events.DataReceived):
            stream.byte_count += len(event.data)
            if self.keeps:
                stream.body += event.data
            if self.reads and event.flow_controlled_length:
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                self.flush()
        elif isinstance(event, h2.events.TrailersReceived):
            stream.trailers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in event.headers]
        elif isinstance(event, h2.events.StreamEnded):
            stream.has_ended = True
        elif isinstance(event, h2.events.StreamReset):
            stream.reset = code(event.error_code)

    def wait(self, condition):
        while not condition():
            self.step()

    def head(self, stream):
        one = self.streams[stream]
        self.wait(lambda: one.status or one.reset)
        assert one.status, f"reset with {one.reset!r}"
        return one

    def answer(self, stream):
        """The whole answer of a stream that is not reset before its end."""
        one = self.streams[stream]
        self.wait(lambda: one.has_ended or (one.reset is not None))
        assert one.has_ended, f"reset with {one.reset!r}"
        return one.answer()

    def reset_code(self, stream):
        """Why the proxy reset a stream."""
        one = self.streams[stream]
        self.wait(lambda: one.has_ended or (one.reset is not None))
        assert one.reset is not None, one.answer()
        return one.reset

    def exchange(self, *arguments, **options):
        return self.answer(self.request(*arguments, **options))

    def ended_with(self):
        """The code of the GOAWAY with which the proxy ends the connection."""
        try:
            while self.went_away is None or self.went_away.error_code == CODES.NO_ERROR:
                self.step()
        except (Closed, OSError):
            pass
        return self.went_away and code(self.went_away.error_code)

    def frames(self):
        """Every frame until the end, by itself: its type, its stream and its payload. PING is answered.

        h2 reads nothing after GOAWAY, and nothing of streams that it has not opened.
        """
        self.socket.settimeout(LIMIT)
        content = b""
        try:
            while piece := self.socket.recv(1 << 18):
                content += piece
                while len(content) >= 9 and len(content) >= (size := 9 + int.from_bytes(content[:3], "big")):
                    kind, flags, stream = content[3], content[4], int.from_bytes(content[5:9], "big")
                    if kind == 6 and not flags & 1:
                        self.socket.sendall(frame(6, 1, 0, content[9:size]))
                    yield kind, stream, content[9:size]
                    content = content[size:]
        except OSError:
            pass
