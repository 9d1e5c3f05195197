"""Clients that take their time: heads that come byte by byte, tunnels that hardly move, answers that nobody takes."""

import socket

import frames
from held import Answers, Stop, hold, hold_streams, open_many
from http2 import Connection
from target import PATIENCE, Target


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


def admin_silence(target: Target, stop: Stop, count: int) -> Answers:
    """The same to the admin listener."""
    answers = Answers()

    def make(_: int) -> socket.socket:
        return socket.create_connection(("127.0.0.1", target.admin_port), PATIENCE, (target.source, 0))

    opened = open_many(count, make, answers, stop)
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
