"""Secrets that are known when they are seen again, in whatever encoding, whole or in part."""

import base64
import json
import secrets
import string
import threading
from dataclasses import dataclass

# So many bytes of a secret in a row are a leak. Each is taken from letters and digits by chance: none comes by itself.
FRAGMENT = 12
# What the shortest encoding of a fragment has, and what a search looks at first.
SHORTEST = 11
ALPHABET = string.ascii_letters + string.digits
UNRESERVED = f"{ALPHABET}-._~".encode()


def percent(data, hexadecimal="X", unreserved=b""):
    """RFC 3986's encoding of all but the unreserved bytes."""
    template = b"%%%02" + hexadecimal.encode()
    return b"".join(bytes([o]) if o in unreserved else template % o for o in data)


def base64_cores(data):
    """What base64 makes of the bytes wherever they begin in a longer text: its characters that are theirs alone."""
    for lead in range(3):
        text = base64.b64encode(b"\0" * lead + data)
        first, last = (lead * 4 + 2) // 3, (lead + len(data)) * 8 // 6
        yield text[first:last]
        yield text[first:last].replace(b"+", b"-").replace(b"/", b"_")


def encodings(data):
    """Each way to write `bytes`, by name. Characters that an encoding leaves alone are also tried encoded."""
    yield "raw", data
    yield "reversed", data[::-1]
    yield "lower case", data.lower()
    yield "upper case", data.upper()
    for case in "Xx":
        for name, text in (
            (f"percent-encoded (%{case})", percent(data, case, UNRESERVED)),
            (f"percent-encoded to the last byte (%{case})", percent(data, case)),
        ):
            yield name, text
            yield name + ", twice", text.replace(b"%", b"%25")
    yield "hex", data.hex().encode()
    yield "hex, upper", data.hex().upper().encode()
    for spaced in (" ", ":"):
        yield f"hex with {spaced!r}", data.hex(spaced).encode()
    text = data.decode("latin-1")
    yield "JSON", json.dumps(text)[1:-1].encode()
    yield "JSON with slashes", json.dumps(text)[1:-1].replace("/", "\\/").encode()
    yield "JSON, all", "".join(f"\\u{ord(c):04x}" for c in text).encode()
    yield "JSON, all, upper hex", "".join(f"\\u{ord(c):04X}" for c in text).encode()
    yield "JSON twice", json.dumps(json.dumps(text)[1:-1])[1:-1].encode()
    for i, core in enumerate(base64_cores(data)):
        yield f"base64, alignment {i // 2}{', URL-safe' if i % 2 else ''}", core


@dataclass(frozen=True)
class Finding:
    """A secret where none may be."""

    secret: str
    encoding: str
    where: str
    around: bytes

    def __str__(self):
        return f"{self.secret} ({self.encoding}) in {self.where}: …{self.around!r}…"


class Canaries:
    """Every secret that was planted, by what it is."""

    def __init__(self):
        self.lock = threading.Lock()
        self.planted = {}
        self.index = {}

    def __len__(self):
        return len(self.planted)

    def plant(self, what, tail=""):
        """A fresh secret. `tail` is what it has of characters that encodings change."""
        value = "".join(secrets.choice(ALPHABET) for _ in range(32)) + tail
        # No fragment is mostly the tail, which others have too.
        self.know(f"{what} #{len(self.planted)}", value, until=32 - 8)
        return value

    def know(self, what, value, until=None):
        """`value` is a secret from now on; `until` is where its last fragment begins, if not at its end."""
        data = value.encode() if isinstance(value, str) else value
        assert len(data) >= FRAGMENT, f"{what} is too short to be recognised"
        last = len(data) - FRAGMENT
        with self.lock:
            self.planted[what] = data
            for start in range((last if until is None else min(last, until)) + 1):
                for name, needle in encodings(data[start : start + FRAGMENT]):
                    assert len(needle) >= SHORTEST, (name, needle)
                    self.index.setdefault(needle[:SHORTEST], {})[needle] = (what, name)
        return value

    def find(self, haystack, where):
        """The first finding of each secret in each encoding."""
        found, index = {}, self.index
        if isinstance(haystack, str):
            haystack = haystack.encode("utf-8", "surrogateescape")
        places = [at for at in range(len(haystack) - SHORTEST + 1) if haystack[at : at + SHORTEST] in index]
        for at in places:
            for needle, (what, name) in index[haystack[at : at + SHORTEST]].items():
                if haystack.startswith(needle, at):
                    around = bytes(haystack[max(0, at - 60) : at + len(needle) + 20])
                    found.setdefault((what, name), Finding(what, name, where, around))
        return list(found.values())
