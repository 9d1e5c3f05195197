"""Strings that nobody may see again: a session gets to know thousands, and all that is said is searched for them."""

import sys
import threading

BLOCK = 8


class Known(set):
    """Finds which of its strings are in a text. A string that is long enough covers a whole block of the text, wherever
    it begins: a text none of whose blocks is a part of such a string holds none of them."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()
        self.indexed, self.blocks, self.short = set(), set(), []

    def found_in(self, text):
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
        self.index()
        words = memoryview(data)[: len(data) // BLOCK * BLOCK].cast("Q")
        likely = self.short if self.blocks.isdisjoint(words) else set(self)
        return [one for one in likely if one.encode() in data]

    def index(self):
        with self.lock:
            for one in set(self) - self.indexed if len(self) != len(self.indexed) else ():
                data = one.encode()
                if len(data) < 2 * BLOCK - 1:
                    self.short.append(one)
                for at in range(len(data) - BLOCK + 1):
                    self.blocks.add(int.from_bytes(data[at : at + BLOCK], sys.byteorder))
                self.indexed.add(one)
