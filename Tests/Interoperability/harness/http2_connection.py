"""What both ends of an HTTP/2 connection share, by hyper's h2, an implementation of its own; and single frames."""

import select
import ssl
import threading
from contextlib import contextmanager

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

from .waiting import LIMIT

CODES = h2.errors.ErrorCodes
SETTINGS = h2.settings.SettingCodes


class Closed(Exception):
    """The peer ended the connection."""


def code(number):
    """By its name, if it has one."""
    return CODES(number) if number in set(CODES) else number


def pairs(fields):
    """Names and values as bytes."""
    return [tuple(p if isinstance(p, bytes) else str(p).encode("latin-1") for p in pair) for pair in fields]


class Connection:
    """What both ends share. Whoever uses `h2` holds `changed`."""

    def __init__(self, wire, is_client, settings=None, window=0):
        self.socket, self.changed = wire, threading.Condition(threading.RLock())
        wire.setblocking(False)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=is_client, header_encoding=None))
        self.is_open, self.gathers = True, False
        self.went_away = None
        initial = {SETTINGS.ENABLE_PUSH: 0} if is_client else {}
        self.h2.local_settings = h2.settings.Settings(is_client, {**initial, **(settings or {})})
        self.h2.initiate_connection()
        if window:
            self.h2.increment_flow_control_window(window)
        self.flush()

    def flush(self):
        with self.changed:
            if not self.gathers:
                self.write(self.h2.data_to_send())

    @contextmanager
    def at_once(self):
        """What is sent inside goes out by one write."""
        with self.changed:
            self.gathers = True
            try:
                yield
            finally:
                self.gathers = False
                self.flush()

    def write(self, data):
        data = memoryview(data)
        with self.changed:
            while data:
                try:
                    data = data[self.socket.send(data) :]
                except (ssl.SSLWantWriteError, BlockingIOError):
                    self.await_socket(select.POLLOUT)
                except ssl.SSLWantReadError:
                    self.await_socket(select.POLLIN)

    def await_socket(self, what, seconds=LIMIT):
        waiting = select.poll()
        waiting.register(self.socket, what)
        return waiting.poll(seconds * 1000)

    def read(self, seconds=LIMIT):
        """The events of what comes next; raises `Closed` at the end."""
        pending = self.socket.pending() if isinstance(self.socket, ssl.SSLSocket) else 0
        if not pending and not self.await_socket(select.POLLIN, seconds):
            raise TimeoutError(f"nothing came for {seconds} s")
        with self.changed:
            try:
                data = self.socket.recv(262144)
            except (ssl.SSLWantReadError, BlockingIOError):
                return []
            except OSError as error:
                raise Closed(str(error)) from None
            if not data:
                raise Closed("closed")
            self.received(data)
            events = self.h2.receive_data(data)
            for event in events:
                if isinstance(event, h2.events.ConnectionTerminated):
                    self.went_away = event
            try:
                self.flush()
            except OSError:
                # The peer takes nothing more: what it has sent before that is told first.
                pass
            return events

    def received(self, data):
        """Counts what came."""

    def send_some(self, stream, data):
        """Sends as much as the windows let through; the rest."""
        with self.changed:
            count = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size, len(data))
            if count > 0:
                self.h2.send_data(stream, data[:count])
                self.flush()
            return data[max(0, count) :]

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
    """The bytes of one frame (RFC 9113, section 4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
