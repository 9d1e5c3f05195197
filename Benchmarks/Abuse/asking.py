"""Requests that are whole, but too many, or for what does not exist: passwords, names, lines of the log."""

import base64
import collections
import dataclasses
import itertools
import socket
import threading
import time
from collections.abc import Callable

from held import Answers, Stop, hold
from target import Refused, Target, another_address, read_head
from upstream import WIDE_HOST


def _ask_on_one_connection(target: Target, stop: Stop, head, answers: Answers, most: int | None = None) -> None:
    """Asks again and again, and connects anew when the connection has ended. `head()` is the next request's head."""
    connection = None
    for _ in range(most) if most else itertools.count():
        if stop.is_set():
            break
        try:
            connection = connection or target.plain(target.source)
            connection.sendall(head())
            answer = read_head(connection)
            status, length = answer[9:12].decode("latin-1"), 0
            for line in answer.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line[15:])
            left = length - len(answer.partition(b"\r\n\r\n")[2])
            while left > 0 and (data := connection.recv(left)):
                left -= len(data)
            answers[status or "connection closed"] += 1
            if not status or b"connection: close" in answer.lower():
                connection.close()
                connection = None
        except TimeoutError:
            answers["timed out"] += 1
            connection = connection and connection.close()
        except OSError:
            answers["connection closed"] += 1
            connection = connection and connection.close()
    if connection:
        connection.close()


def _on_many(target: Target, stop: Stop, head, connections: int, most: int | None = None) -> Answers:
    answers = Answers()
    threads = [
        threading.Thread(target=_ask_on_one_connection, args=(target, stop, head, answers, most), daemon=True)
        for _ in range(connections)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def guesses(target: Target, stop: Stop, connections: int, name: str = "honest") -> Answers:
    """Passwords for a name, one after another on each connection."""
    return _on_many(target, stop, _guess(target, name), connections)


def guesses_from_many(target: Target, stop: Stop, addresses: int) -> Answers:
    """The same for a name that there is not, on one connection from each of many addresses."""
    answers = Answers()
    threads = []
    for number in range(addresses):
        attacker = dataclasses.replace(target, source=another_address(number))
        arguments = attacker, stop, _guess(target, "nobody"), answers
        threads.append(threading.Thread(target=_ask_on_one_connection, args=arguments, daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return answers


def _guess(target: Target, name: str) -> Callable[[], bytes]:
    number = itertools.count()

    def head() -> bytes:
        word = base64.b64encode(f"{name}:guess{next(number)}".encode()).decode()
        host = target.host
        return f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\nProxy-Authorization: Basic {word}\r\n\r\n".encode()

    return head


def requests(target: Target, stop: Stop, count: int, connections: int = 4) -> Answers:
    """So many requests, and then nothing more."""
    head = target.request("GET", "/", is_plain=True)
    answers = _on_many(target, stop, lambda: head, connections, count // connections)
    while not stop.wait(0.1):
        pass
    return answers


def decisions(target: Target, stop: Stop, limit: float) -> Answers:
    """Requests to the server whose certificates are large, each of which takes a decision on them: how many took no
    longer than so many seconds, and how many did."""
    answers, wide = Answers(), dataclasses.replace(target, host=WIDE_HOST)
    request = wide.request("GET", "/wide", "Connection: close\r\n", is_plain=True)
    while not stop.is_set():
        begin = time.monotonic()
        try:
            with target.plain(target.source) as connection:
                connection.sendall(request)
                status = read_head(connection)[9:12].decode() or "connection closed"
        except OSError:
            status = "connection closed"
        took = "within" if time.monotonic() - begin <= limit else "in more than"
        answers[f"{status} {took} {1000 * limit:.0f} ms"] += 1
    return answers


def names_under_wildcard(target: Target, stop: Stop, per_second: float) -> Answers:
    """Requests to an API, each for another of its hosts of which nothing is ever heard."""

    def head(number: int) -> bytes:
        host = f"n{number}.{target.wildcard}"
        return f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n{target.authorization}\r\n".encode()

    return names(target, stop, per_second, head)


def names(target: Target, stop: Stop, per_second: float, head: Callable[[int], bytes] | None = None) -> Answers:
    """CONNECT to one name after another of which nothing is ever heard."""

    def connect(number: int) -> bytes:
        name = f"n{number}.example.org:443"
        return f"CONNECT {name} HTTP/1.1\r\nHost: {name}\r\n{target.authorization}\r\n".encode()

    answers, threads = Answers(), collections.deque()

    def ask(number: int) -> None:
        try:
            with socket.create_connection(("127.0.0.1", target.port), 5, (target.source, 0)) as connection:
                connection.settimeout(30)
                connection.sendall((head or connect)(number))
                waiting = Answers()
                hold([connection], waiting, stop)
                answers.update(waiting)
        except (Refused, OSError):
            answers["connection closed"] += 1

    for number in itertools.count():
        if stop.wait(1 / per_second):
            break
        threads.append(threading.Thread(target=ask, args=(number,), daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join(2)
    return answers
