"""A client's HTTP/2 connection that keeps to flow control, and to nothing else that it does not want to keep to."""

import collections
import select
import ssl
import time

import frames
from frames import frame
from held import Stop


class Connection:
    """Counts the answers of its streams by status; `waiting`: the streams without one."""

    def __init__(self, socket: ssl.SSLSocket, initial_window: int = 65_535) -> None:
        self.socket = socket
        self.answers: collections.Counter[str] = collections.Counter()
        self.waiting: set[int] = set()
        self.is_over = False
        self.received = 0
        self._next = 1
        self._buffer = b""
        self._window = self._initial = 65_535
        self._windows: dict[int, int] = {}
        pairs = [(frames.HEADER_TABLE_SIZE, 0), (frames.INITIAL_WINDOW_SIZE, initial_window)]
        self.send(frames.PREFACE + frames.settings(*pairs))

    def send(self, data: bytes) -> None:
        """Sends unless the connection is over, which it is after an error."""
        if self.is_over:
            return
        try:
            self.socket.settimeout(5)
            self.socket.sendall(data)
        except (OSError, ValueError):
            self._end()

    def _end(self) -> None:
        if not self.is_over:
            self.is_over = True
            self.answers["connection closed"] += len(self.waiting)
            self.waiting.clear()

    def new_stream(self) -> int:
        stream = self._next
        self._next += 2
        self.waiting.add(stream)
        self._windows[stream] = self._initial
        return stream

    def begin(self, block: bytes, is_whole: bool = False) -> int:
        """Begins a request with this field block, and returns its stream."""
        stream = self.new_stream()
        flags = frames.END_STREAM if is_whole else 0
        pieces = [block[at : at + frames.LARGEST] for at in range(0, len(block), frames.LARGEST)]
        data = b""
        for number, piece in enumerate(pieces):
            end = frames.END_HEADERS if number == len(pieces) - 1 else 0
            kind = frames.CONTINUATION if number else frames.HEADERS
            data += frame(kind, end | (0 if number else flags), stream, piece)
        self.send(data)
        return stream

    def send_bodies(
        self, sizes: dict[int, int], stop: Stop, piece: int = frames.LARGEST, timeout: float = 2
    ) -> None:
        """Sends so many bytes on each stream, as fast as the windows open; gives up when nothing has moved for long."""
        left, moved = dict(sizes), time.monotonic()
        while left and not self.is_over and not stop.is_set() and time.monotonic() - moved < timeout:
            data = bytearray()
            for stream in list(left):
                if stream not in self.waiting:  # it has been answered
                    del left[stream]
                    continue
                budget = min(left[stream], self._windows[stream], self._window, 65_536)
                while budget > 0 and len(data) < 1 << 18:
                    size = min(piece, budget)
                    data += frame(frames.DATA, 0, stream, b"z" * size)
                    budget -= size
                    left[stream] -= size
                    self._windows[stream] -= size
                    self._window -= size
                if not left[stream]:
                    del left[stream]
            if data:
                moved = time.monotonic()
                self.send(bytes(data))
            self.pump(0 if data else 0.05)

    def pump(self, timeout: float = 0) -> None:
        """Reads what has come."""
        while not self.is_over:
            try:
                if not self.socket.pending() and not select.select([self.socket], [], [], timeout)[0]:
                    return
                self.socket.settimeout(5)
                data = self.socket.recv(1 << 16)
            except (OSError, ValueError):
                data = b""
            if not data:
                return self._end()
            self._buffer += data
            self._read_frames()
            timeout = 0

    def _read_frames(self) -> None:
        while len(self._buffer) >= 9:
            size = int.from_bytes(self._buffer[:3], "big")
            if len(self._buffer) < 9 + size:
                return
            kind, flags, stream = self._buffer[3], self._buffer[4], int.from_bytes(self._buffer[5:9], "big")
            payload, self._buffer = self._buffer[9 : 9 + size], self._buffer[9 + size :]
            self._handle(kind, flags, stream, payload)

    def _handle(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == frames.SETTINGS and not flags & frames.ACK:
            for at in range(0, len(payload), 6):
                if int.from_bytes(payload[at : at + 2], "big") == frames.INITIAL_WINDOW_SIZE:
                    value = int.from_bytes(payload[at + 2 : at + 6], "big")
                    self._windows = {one: window + value - self._initial for one, window in self._windows.items()}
                    self._initial = value
            self.send(frame(frames.SETTINGS, frames.ACK, 0))
        elif kind == frames.PING and not flags & frames.ACK:
            self.send(frame(frames.PING, frames.ACK, 0, payload))
        elif kind == frames.WINDOW_UPDATE:
            increment = int.from_bytes(payload, "big")
            if not stream:
                self._window += increment
            elif stream in self._windows:
                self._windows[stream] += increment
        elif kind == frames.DATA:
            self.received += len(payload)
        elif kind in (frames.HEADERS, frames.RST_STREAM) and stream in self.waiting:
            self.waiting.remove(stream)
            self.answers[str(frames.status(payload)) if kind == frames.HEADERS else "reset"] += 1
        elif kind == frames.GOAWAY:
            self.answers["GOAWAY"] += 1
