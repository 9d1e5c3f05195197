"""Requests that are begun and not finished: bodies that wait for their last byte, heads that wait for a server."""

import frames
from held import Answers, Stop, hold, hold_streams, open_many
from http2 import Connection
from target import Target

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
MEBIBYTE = 1 << 20
HEADS_FIELD = 3900  # bytes of a field's value that one byte refers to
HEADS_REFERENCES = 15  # in each head: 60 KB


def by_http1(
    target: Target, stop: Stop, count: int, size: int, kind: str = FORM, sources: int = 1, is_plain: bool = False,
    is_stubborn: bool = False,
) -> Answers:  # fmt: skip
    """Uploads, all but their last byte sent; `sources`: from so many addresses; `is_stubborn`: others follow those that
    have ended."""
    answers, context = Answers(), target.context()
    head = target.request("POST", "/body", f"Content-Type: {kind}\r\nContent-Length: {size}\r\n", is_plain)

    def make(number: int):
        source = target.source if sources == 1 else f"127.0.1.{1 + number % sources}"
        connection = target.plain(source) if is_plain else target.dial(source, context)
        try:
            connection.sendall(head + b"z" * (size - 1))
        except OSError:
            pass  # the answer, if there is one, tells why
        return connection

    opened = open_many(count, make, answers, stop)
    hold(opened, answers, stop, again=(lambda: make(0)) if is_stubborn else None)
    return answers


def bursts(target: Target, stop: Stop, count: int, size: int, rest: int, piece: int) -> Answers:
    """Forms of which all but so many bytes come at once, and the rest in pieces, one every second; others follow those
    that have ended."""
    answers, context = Answers(), target.context()
    head = target.request("POST", "/body", f"Content-Type: {FORM}\r\nContent-Length: {size}\r\n")

    def make(_: int):
        connection = target.dial(target.source, context)
        try:
            connection.sendall(head + b"z" * (size - rest))
        except OSError:
            pass
        return connection

    opened = open_many(count, make, answers, stop)
    hold(opened, answers, stop, lambda connection: connection.send(b"z" * piece), again=lambda: make(0))
    return answers


def by_http2(
    target: Target, stop: Stop, connections: int, size: int, kind: str = FORM, piece: int = frames.LARGEST,
    sources: int = 1,
) -> Answers:  # fmt: skip
    """The same, with 100 streams on each connection."""
    answers, context = Answers(), target.context("h2")

    def make(number: int) -> Connection:
        source = target.source if sources == 1 else f"127.0.1.{1 + number % sources}"
        connection = Connection(target.dial(source, context))
        connection.pump(0.5)
        block = frames.request("POST", "/body", target.host, [("content-type", kind), ("content-length", str(size))])
        connection.send_bodies({connection.begin(block): size - 1 for _ in range(100)}, stop, piece)
        return connection

    hold_streams(open_many(connections, make, answers, stop, at_once=4), answers, stop)
    return answers


def wide_heads(
    target: Target, stop: Stop, connections: int, path: str, is_form: bool = False, sources: int = 1
) -> Answers:
    """Requests of 60 KB whose fields are references to one entry of the dynamic table."""
    answers, context = Answers(), target.context("h2")

    def make(number: int) -> Connection:
        source = target.source if sources == 1 else f"127.0.1.{1 + number % sources}"
        connection = Connection(target.dial(source, context))
        connection.pump(0.5)
        fields = [("content-type", FORM), ("content-length", "100")] if is_form else []
        block = frames.request("POST" if is_form else "GET", path, target.host, fields)
        entry = frames.literal("x-wide", "z" * HEADS_FIELD, is_indexed=True)
        for stream in range(100):
            first = frames.indexed(62) if stream else entry
            more = frames.indexed(62) * (HEADS_REFERENCES - 1)
            connection.begin(block + first + more, is_whole=not is_form)
            connection.pump()
        return connection

    hold_streams(open_many(connections, make, answers, stop, at_once=4), answers, stop)
    return answers


def partial_heads(target: Target, stop: Stop, count: int) -> Answers:
    """Heads of 60 KB by HTTP/1.1 whose end is missing."""
    answers = Answers()
    line = b"X-Wide: " + b"z" * HEADS_FIELD + b"\r\n"
    head = target.request("GET", "/", is_plain=True)[:-2] + line * HEADS_REFERENCES

    def make(_: int):
        connection = target.plain(target.source)
        connection.sendall(head)
        return connection

    hold(open_many(count, make, answers, stop), answers, stop)
    return answers


def pieces_by_http1(target: Target, stop: Stop, count: int, size: int, piece: int) -> Answers:
    """Chunked uploads in small chunks, which then stand still."""
    answers, context = Answers(), target.context()
    head = target.request("POST", "/body", f"Content-Type: {JSON}\r\nTransfer-Encoding: chunked\r\n")
    body = b"%x\r\n%b\r\n" % (piece, b"z" * piece) * (size // piece)

    def make(_: int):
        connection = target.dial(target.source, context)
        try:
            connection.sendall(head + body)
        except OSError:
            pass
        return connection

    hold(open_many(count, make, answers, stop), answers, stop)
    return answers
