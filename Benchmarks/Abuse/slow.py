"""Clients that take their time: heads that come byte by byte, tunnels that hardly move, answers that nobody takes."""

import itertools
import select
import socket
import struct

import frames
from held import Answers, Stop, hold, hold_streams, open_many
from http2 import Connection
from target import TIMEOUT, Target, another_address


def heads(target: Target, stop: Stop, count: int) -> Answers:
    """Each gets another byte every second (Slowloris)."""
    answers = Answers()
    begin = target.request("GET", "/", is_plain=True)[:-2]

    def make(_: int):
        connection = target.plain(target.source)
        connection.sendall(begin + b"X-Slow: ")
        return connection

    hold(open_many(count, make, answers, stop), answers, stop, tick=lambda connection: connection.send(b"z"))
    return answers


def silence(target: Target, stop: Stop, count: int) -> Answers:
    """Connections on which nothing is sent; others follow those that have ended."""
    answers = Answers()
    opened = open_many(count, lambda _: target.plain(target.source), answers, stop)
    hold(opened, answers, stop, again=lambda: target.plain(target.source))
    return answers


def beginnings(target: Target, stop: Stop, count: int) -> Answers:
    """Heads that are begun and not ended, each from an address of its own; others follow those that have ended."""
    answers = Answers()
    numbers = itertools.count()

    def make() -> socket.socket:
        connection = target.plain(another_address(next(numbers)))
        connection.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        return connection

    hold(open_many(count, lambda _: make(), answers, stop), answers, stop, again=make)
    return answers


def admin_silence(target: Target, stop: Stop, count: int) -> Answers:
    """The same to the admin listener."""
    answers = Answers()

    def make(_: int) -> socket.socket:
        return socket.create_connection(("127.0.0.1", target.admin_port), TIMEOUT, (target.source, 0))

    opened = open_many(count, make, answers, stop)
    hold(opened, answers, stop, again=lambda: make(0))
    return answers


def admin_bodies(target: Target, stop: Stop, count: int, interval: float) -> Answers:
    """Claims at the admin listener whose body stands still, begun one by one; others follow those that have ended."""
    answers = Answers()
    host = f"127.0.0.1:{target.admin_port}"
    kind = "Content-Type: application/json"
    head = f"POST /register HTTP/1.1\r\nHost: {host}\r\n{kind}\r\nContent-Length: 1000\r\n\r\n{{".encode()

    def make(_: int) -> socket.socket:
        stop.wait(interval)
        connection = socket.create_connection(("127.0.0.1", target.admin_port), TIMEOUT, (target.source, 0))
        connection.sendall(head)
        return connection

    opened = open_many(count, make, answers, stop, at_once=1)
    hold(opened, answers, stop, again=lambda: make(0))
    return answers


def tunnels(target: Target, stop: Stop, count: int, interval: float) -> Answers:
    """Untouched tunnels through which one byte goes every few seconds; others follow those that have ended."""
    answers = Answers()

    def make(_: int):
        connection = target.tunnel(target.source, target.tunnel_authority)
        connection.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        return connection

    opened = open_many(count, make, answers, stop)
    hold(opened, answers, stop, lambda connection: connection.send(b"z"), interval, again=lambda: make(0))
    return answers


def unanswered(target: Target, stop: Stop, count: int) -> Answers:
    """Requests that the server does not answer, so that it is not the client who is waited for."""
    answers, context = Answers(), target.context()
    head = target.request("GET", "/silent")

    def make(_: int):
        connection = target.dial(target.source, context)
        connection.sendall(head)
        return connection

    hold(open_many(count, make, answers, stop), answers, stop, again=lambda: make(0))
    return answers


def uploads(target: Target, stop: Stop, count: int, size: int, interval: float) -> Answers:
    """Uploads that get on a little: so many bytes every few seconds."""
    answers, context = Answers(), target.context()
    head = target.request("POST", "/body", "Content-Type: application/json\r\nContent-Length: 100000000\r\n")

    def make(_: int):
        connection = target.dial(target.source, context)
        connection.sendall(head + b"z" * size)
        return connection

    opened = open_many(count, make, answers, stop)
    hold(opened, answers, stop, lambda connection: connection.send(b"z" * size), interval, again=lambda: make(0))
    return answers


def ahead(target: Target, stop: Stop, count: int, size: int) -> Answers:
    """Requests that the server does not answer, with so many bytes of others behind each. They end in a reset: at an
    orderly end everything would be read."""
    answers = Answers()
    first, other = (target.request("GET", path, is_plain=True) for path in ("/silent", "/"))

    def make(_: int) -> socket.socket:
        connection = target.plain(target.source)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(first + other * (size // len(other)))
        return connection

    hold(open_many(count, make, answers, stop), answers, stop)
    return answers


def alone(target: Target, stop: Stop, connections: int) -> Answers:
    """100 requests that the server does not answer on each connection, by HTTP/2."""
    answers, context = Answers(), target.context("h2")

    def make(_: int) -> Connection:
        connection = Connection(target.dial(target.source, context))
        connection.pump(0.5)
        for _ in range(100):
            connection.begin(frames.request("GET", "/silent", target.host), is_whole=True)
        return connection

    hold_streams(open_many(connections, make, answers, stop, at_once=4), answers, stop)
    return answers


def unread(target: Target, stop: Stop, count: int, requests: int = 4, path: str = "/small-download") -> Answers:
    """Requests behind each other, of whose answers nothing is read; others follow those that have ended."""
    answers = Answers()
    head = target.request("GET", path, is_plain=True)
    poll, opened = select.poll(), {}

    def make(_: int) -> socket.socket:
        connection = target.plain(target.source)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(requests * head)
        return connection

    def add(connections: list[socket.socket]) -> None:
        for connection in connections:
            opened[connection.fileno()] = connection
            poll.register(connection, 0)  # its end alone

    while not stop.wait(0.1):
        add(open_many(count - len(opened), make, answers, stop))
        for descriptor, _ in poll.poll(0):
            poll.unregister(descriptor)
            opened.pop(descriptor).close()
            answers["connection closed"] += 1
    answers["waiting"] += len(opened)
    return answers


def unread_by_http2(target: Target, stop: Stop, count: int) -> Answers:
    """A request on each connection with a window of 0 for its answer; others follow those that have ended."""
    answers, context, opened = Answers(), target.context("h2"), []

    def make(_: int) -> Connection:
        connection = Connection(target.dial(target.source, context), initial_window=0)
        connection.begin(frames.request("GET", "/", target.host), is_whole=True)
        return connection

    while not stop.wait(0.1):
        opened += open_many(count - len(opened), make, answers, stop)
        for connection in opened:
            connection.pump()
        for connection in [one for one in opened if one.is_over]:
            opened.remove(connection)
            connection.socket.close()
            answers.update(connection.answers)
    for connection in opened:
        answers.update(connection.answers)
        answers["waiting"] += len(connection.waiting)
    return answers


def takes_nothing(target: Target, stop: Stop, count: int) -> Answers:
    """Downloads of 100 MiB of which nothing is read."""
    answers, context = Answers(), target.context()
    head = target.request("GET", "/download")

    def make(_: int):
        connection = target.dial(target.source, context)
        connection.sendall(head)
        return connection

    opened = open_many(count, make, answers, stop)
    while not stop.wait(0.1):
        pass
    answers["waiting"] += len(opened)
    return answers


def takes_nothing_by_http2(target: Target, stop: Stop, connections: int) -> Answers:
    """Downloads of 2 MiB on 100 streams of each connection, which open no window beyond the first of 64 KiB."""
    answers, context = Answers(), target.context("h2")

    def make(_: int) -> Connection:
        connection = Connection(target.dial(target.source, context))
        connection.pump(0.5)
        for _ in range(100):
            connection.begin(frames.request("GET", "/small-download", target.host), is_whole=True)
        return connection

    hold_streams(open_many(connections, make, answers, stop, at_once=4), answers, stop)
    return answers
