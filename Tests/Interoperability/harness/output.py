"""What a process says, line by line: whoever looks has all that was said by then, and nobody has to wait for it."""

import fcntl
import os
import select
import struct
import termios
import threading


class Output:
    """Gives each line of a pipe to `take`, on a thread of its own and on those of whoever wants to have caught up."""

    def __init__(self, pipe, take):
        self.pipe, self.take, self.rest, self.lock = pipe, take, b"", threading.Lock()
        os.set_blocking(pipe.fileno(), False)
        self.reader = threading.Thread(target=self.read_to_the_end, daemon=True)
        self.reader.start()

    def read_to_the_end(self):
        waiting = select.poll()
        waiting.register(self.pipe, select.POLLIN)
        while waiting.poll() and self.read():
            pass

    def read(self):
        """Whether there may be more."""
        with self.lock:
            try:
                piece = os.read(self.pipe.fileno(), 1 << 16)
            except BlockingIOError:
                # Somebody else was first.
                return True
            *lines, self.rest = (self.rest + piece).split(b"\n")
            if not piece and self.rest:
                lines, self.rest = [self.rest], b""
            for line in lines:
                self.take(line.decode("utf-8", "replace"))
            return bool(piece)

    def catch_up(self):
        """Returns when each line that has been said is taken."""
        while self.unread():
            self.read()

    def unread(self):
        # Under the lock nobody has read a line without having given it on.
        with self.lock:
            return struct.unpack("i", fcntl.ioctl(self.pipe, termios.FIONREAD, bytes(4)))[0]

    def join(self, seconds):
        self.reader.join(seconds)
