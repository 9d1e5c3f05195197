"""HTTP/2 by hyper's h2, an implementation of its own: the provider's side of it, and a client of single frames."""

import queue
import select
import socket
import ssl
import threading
from email.utils import formatdate

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings

from .answer import Answer
from .http1 import Head
from .provider import Call, Hangup, Record
from .raw import DEADLINE, connect

CODES = h2.errors.ErrorCodes
SETTINGS = h2.settings.SettingCodes
# What RFC 9113, section 8.2.2, forbids.
FORBIDDEN = {b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade", b"host"}


class Closed(Exception):
    """The peer ended the connection."""


def code(number):
    """By its name, if it has one."""
    return CODES(number) if number in set(CODES) else number


def pairs(fields):
    """Names and values as octets."""
    return [tuple(p if isinstance(p, bytes) else str(p).encode("latin-1") for p in pair) for pair in fields]


class Connection:
    """What both ends share. Whoever uses `h2` holds `changed`."""

    def __init__(self, wire, is_client, settings=None, window=0):
        self.socket, self.changed = wire, threading.Condition(threading.RLock())
        wire.setblocking(False)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=is_client, header_encoding=None))
        self.is_open = True
        self.went_away = None
        initial = {SETTINGS.ENABLE_PUSH: 0} if is_client else {}
        self.h2.local_settings = h2.settings.Settings(is_client, {**initial, **(settings or {})})
        self.h2.initiate_connection()
        if window:
            self.h2.increment_flow_control_window(window)
        self.flush()

    def flush(self):
        with self.changed:
            self.write(self.h2.data_to_send())

    def write(self, octets):
        octets = memoryview(octets)
        with self.changed:
            while octets:
                try:
                    octets = octets[self.socket.send(octets) :]
                except (ssl.SSLWantWriteError, BlockingIOError):
                    self.await_socket(select.POLLOUT, DEADLINE)
                except ssl.SSLWantReadError:
                    self.await_socket(select.POLLIN, DEADLINE)

    def await_socket(self, what, seconds):
        waiting = select.poll()
        waiting.register(self.socket, what)
        return waiting.poll(seconds * 1000)

    def read(self, seconds=DEADLINE):
        """The events of what comes next; raises `Closed` at the end."""
        pending = self.socket.pending() if isinstance(self.socket, ssl.SSLSocket) else 0
        if not pending and not self.await_socket(select.POLLIN, seconds):
            raise TimeoutError(f"nothing came for {seconds} s")
        with self.changed:
            try:
                octets = self.socket.recv(262144)
            except (ssl.SSLWantReadError, BlockingIOError):
                return []
            except OSError as error:
                raise Closed(str(error)) from None
            if not octets:
                raise Closed("closed")
            self.received(octets)
            events = self.h2.receive_data(octets)
            for event in events:
                if isinstance(event, h2.events.ConnectionTerminated):
                    self.went_away = event
            self.flush()
            return events

    def received(self, octets):
        """Counts what came."""

    def send_some(self, stream, octets):
        """Sends as much as the windows let through; the rest."""
        with self.changed:
            count = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(octets))
            if count > 0:
                self.h2.send_data(stream, octets[:count])
                self.flush()
            return octets[max(0, count) :]

    def reset(self, stream, code):
        with self.changed:
            self.h2.reset_stream(stream, code)
            self.flush()

    def go_away(self, last, code=CODES.NO_ERROR):
        """GOAWAY while the connection goes on, which h2 knows no way to say."""
        payload = last.to_bytes(4, "big") + int(code).to_bytes(4, "big")
        self.write(frame(7, 0, 0, payload))

    def close(self):
        self.is_open = False
        self.socket.close()


def frame(kind, flags, stream, payload=b""):
    """The octets of one frame (RFC 9113, section 4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


# The provider's side


class ServerConnection(Connection):
    """Serves the streams of one connection, each in a thread of its own."""

    def __init__(self, provider, listener, wire, is_changed):
        self.provider, self.listener, self.is_changed = provider, listener, is_changed
        self.calls = {}
        settings = {SETTINGS.MAX_CONCURRENT_STREAMS: listener.streams}
        super().__init__(wire, False, settings, window=1 << 24)

    def received(self, octets):
        self.listener.octets += len(octets)
        if self.is_changed:
            self.listener.changed_octets += len(octets)

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
            piece = self.input.get(timeout=DEADLINE * 4)
            if piece is None:
                raise Closed("reset or closed inside a request")
            if piece == b"":
                self.has_ended = True
                return
            octets, counted = piece
            with self.connection.changed:
                if counted:
                    self.connection.h2.acknowledge_received_data(counted, self.stream)
                    self.connection.flush()
            yield octets

    def send(self, octets):
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

    def write(self, octets):
        while octets:
            with self.connection.changed:
                rest = self.connection.send_some(self.stream, octets)
                if len(rest) == len(octets):
                    self.connection.changed.wait(0.2)
                if not self.connection.is_open:
                    raise Closed("closed inside a response")
                if self.reset_by is not None:
                    raise Hangup
            octets = rest

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
        self.begin(status, fields, None if status in (204, 304) else len(body), ends=not has_body)
        if has_body:
            self.write(body)
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


# The client's side


class ClientStream:
    def __init__(self):
        self.status, self.fields, self.informational = None, [], []
        self.body, self.trailers = bytearray(), []
        self.octets = 0
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

    def send(self, stream, octets, ends=False):
        """Octets of a body, as the windows open."""
        while octets:
            rest = self.send_some(stream, octets)
            if len(rest) == len(octets):
                self.step()
            octets = rest
        if ends:
            self.h2.end_stream(stream)
            self.flush()

    def end(self, stream, trailers=()):
        if trailers:
            self.h2.send_headers(stream, pairs(trailers), end_stream=True)
        else:
            self.h2.end_stream(stream)
        self.flush()

    def step(self, seconds=DEADLINE):
        for event in self.read(seconds):
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
            stream.octets += len(event.data)
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
        self.socket.settimeout(DEADLINE)
        octets = b""
        try:
            while piece := self.socket.recv(1 << 18):
                octets += piece
                while len(octets) >= 9 and len(octets) >= (size := 9 + int.from_bytes(octets[:3], "big")):
                    kind, flags, stream = octets[3], octets[4], int.from_bytes(octets[5:9], "big")
                    if kind == 6 and not flags & 1:
                        self.socket.sendall(frame(6, 1, 0, octets[9:size]))
                    yield kind, stream, octets[9:size]
                    octets = octets[size:]
        except OSError:
            pass
