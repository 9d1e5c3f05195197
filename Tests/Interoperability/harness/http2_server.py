"""The provider's side of HTTP/2: each stream becomes a call for the same handlers."""

import queue
import socket
import threading
from email.utils import formatdate

import h2.events
import h2.exceptions

from .call import Call, Hangup, Record
from .http1 import Head
from .http2_connection import CODES, SETTINGS, Closed, Connection, code, pairs
from .waiting import LIMIT

# What RFC 9113, section 8.2.2, forbids.
FORBIDDEN = {b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade", b"host"}


class ServerConnection(Connection):
    """Serves the streams of one connection, each in a thread of its own."""

    def __init__(self, provider, listener, wire, is_changed):
        self.provider, self.listener, self.is_changed = provider, listener, is_changed
        self.calls = {}
        settings = {SETTINGS.MAX_CONCURRENT_STREAMS: listener.streams}
        super().__init__(wire, False, settings, window=1 << 24)

    def received(self, content):
        self.listener.byte_count += len(content)
        if self.is_changed:
            self.listener.changed_bytes += len(content)

    def serve(self):
        try:
            while self.is_open:
                for event in self.read(seconds=600):
                    self.take(event)
                with self.changed:
                    self.changed.notify_all()
        except (Closed, OSError, ValueError, TimeoutError):
            pass
        except h2.exceptions.ProtocolError as error:
            self.provider.violation(f"by HTTP/2: {error!r}")
            self.flush()
        finally:
            self.is_open = False
            for call in list(self.calls.values()):
                call.input.put(None)
            with self.changed:
                self.changed.notify_all()
                self.socket.close()

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.begin(event)
            return
        call = self.calls.get(getattr(event, "stream_id", None))
        if call is None:
            return
        if isinstance(event, h2.events.DataReceived):
            call.input.put((event.data, event.flow_controlled_length))
        elif isinstance(event, h2.events.TrailersReceived):
            call.head.trailers = pairs(event.headers)
        elif isinstance(event, h2.events.StreamEnded):
            call.input.put(b"")
        elif isinstance(event, h2.events.StreamReset):
            call.reset_by = code(event.error_code)
            call.input.put(None)
            call.has_reset.set()

    def begin(self, event):
        self.listener.requests += 1
        fields = pairs(event.headers)
        pseudo = {n: v for n, v in fields if n.startswith(b":")}
        regular = [(n, v) for n, v in fields if not n.startswith(b":")]
        head = Head(b"", [pseudo[b":method"], pseudo[b":path"], b"HTTP/2"], [])
        head.raw = b" ".join(head.start) + b"\r\n"
        if wrong := {n for n, _ in regular} & FORBIDDEN:
            self.provider.violation(f"by HTTP/2: {wrong}")
        if pseudo[b":scheme"] != b"https":
            self.provider.violation(f"by HTTP/2: {pseudo}")
        # What a server that is told of an HTTP/1.1 request sees.
        head.fields = [(b"host", pseudo[b":authority"]), *regular]
        with self.provider.changed:
            method = head.start[0].decode("latin-1")
            record = Record(len(self.provider.records), method, head.start[1], head.fields)
            self.provider.records.append(record)
            self.provider.changed.notify_all()
        if self.listener.through_proxy:
            self.provider.check_fields(head)
        call = HTTP2Call(self.provider, self.listener, self, head, record, event.stream_id)
        self.calls[event.stream_id] = call
        threading.Thread(target=self.handle, args=(call,), daemon=True).start()

    def handle(self, call):
        try:
            self.provider.handler(call.record.target)(call)
            if not call.has_ended and call.reset_by is None:
                call.read_body()
            if call.close:
                self.go_away(call.stream)
        except (Hangup, Closed, OSError, ValueError, h2.exceptions.StreamClosedError):
            # The proxy may have reset it meanwhile.
            pass
        except h2.exceptions.ProtocolError as error:
            if self.is_open and call.reset_by is None:
                self.provider.violation(f"by HTTP/2: {error!r}")
        except AssertionError as error:
            self.provider.violation(f"{error} for {call.head.raw!r}")
        finally:
            self.calls.pop(call.stream, None)
            with self.provider.changed:
                self.provider.changed.notify_all()


class HTTP2Call(Call):
    """A request that came by HTTP/2, for the same handlers."""

    def __init__(self, provider, listener, connection, head, record, stream):
        super().__init__(provider, listener, None, head, record)
        self.connection, self.stream = connection, stream
        self.input = queue.Queue()
        # Why the proxy reset the stream.
        self.reset_by = None
        self.has_reset = threading.Event()
        self.has_ended = False

    def request_pieces(self):
        """Opens the window by what was taken, and by no more."""
        while True:
            piece = self.input.get(timeout=LIMIT)
            if piece is None:
                raise Closed("reset or closed inside a request")
            if piece == b"":
                self.has_ended = True
                return
            content, counted = piece
            with self.connection.changed:
                if counted:
                    self.connection.h2.acknowledge_received_data(counted, self.stream)
                    self.connection.flush()
            yield content

    def send(self, content):
        raise AssertionError("this handler knows HTTP/1.1 only")

    def interim(self, status, fields=()):
        self.headers([(":status", status), *fields])

    def headers(self, fields, ends=False):
        with self.connection.changed:
            self.connection.h2.send_headers(self.stream, [(n.lower(), v) for n, v in pairs(fields)], ends)
            self.connection.flush()

    def begin(self, status=200, fields=(), length=None, ends=False):
        more = [] if length is None else [("content-length", length)]
        self.headers([(":status", status), *self.usual_fields(), *fields, *more], ends)

    def write(self, content):
        while content:
            with self.connection.changed:
                rest = self.connection.send_some(self.stream, content)
                if len(rest) == len(content):
                    self.connection.changed.wait(0.2)
                if not self.connection.is_open:
                    raise Closed("closed inside a response")
                if self.reset_by is not None:
                    raise Hangup
            content = rest

    def finish(self, trailers=()):
        if trailers:
            self.headers(trailers, ends=True)
            return
        with self.connection.changed:
            self.connection.h2.end_stream(self.stream)
            self.connection.flush()

    def respond(self, status, fields=(), body=b"", reason=None):
        if isinstance(body, str):
            body = body.encode()
        has_body = self.record.method != "HEAD" and status not in (204, 304) and len(body) > 0
        # This process may stand still at any moment: a proxy in which little may be idle has the whole answer or none.
        with self.connection.at_once():
            self.begin(status, fields, None if status in (204, 304) else len(body), ends=not has_body)
            rest = self.connection.send_some(self.stream, body) if has_body else b""
            if has_body and not rest:
                self.finish()
        if rest:
            self.write(rest)
            self.finish()

    def abort(self, code=CODES.INTERNAL_ERROR):
        self.connection.reset(self.stream, code)
        raise Hangup

    def hang_up(self):
        """Ends the whole connection."""
        self.connection.socket.shutdown(socket.SHUT_RDWR)
        raise Hangup

    def usual_fields(self):
        return [("date", formatdate(self.provider.now(), usegmt=True)), ("x-record", self.record.number)]
