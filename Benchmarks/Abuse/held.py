"""Many connections that are opened at once and held."""

import collections
import selectors
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from target import Refused

Opened = TypeVar("Opened")
Answers = collections.Counter[str]


class Stop(Protocol):
    """What tells an attack that it is over."""

    def is_set(self) -> bool: ...
    def wait(self, timeout: float) -> bool: ...


def open_many(
    count: int, make: Callable[[int], Opened], answers: Answers, stop: Stop, at_once: int = 16
) -> list[Opened]:
    """Those that could be opened; of the others, it is counted why not."""

    def attempt(number: int) -> Opened | str:
        if stop.is_set():
            return "not tried"
        try:
            return make(number)
        except Refused as refusal:
            return str(refusal)
        except TimeoutError:
            return "timed out"
        except (OSError, ValueError):
            return "connection closed"

    opened = []
    with ThreadPoolExecutor(at_once) as pool:
        for one in pool.map(attempt, range(count)):
            if isinstance(one, str):
                answers[one] += 1
            else:
                opened.append(one)
    return opened


def hold(
    connections: Iterable[socket.socket],
    answers: Answers,
    stop: Stop,
    tick: Callable[[socket.socket], None] | None = None,
    interval: float = 1,
    again: Callable[[], socket.socket] | None = None,
) -> None:
    """Holds them until the end, and counts the first answer on each; what has none is waiting.

    `tick` is called for each that is still open from time to time, as often as `interval` says; `again` opens another
    one in the place of each that has ended.
    """
    selector, heads, waiting = selectors.DefaultSelector(), {}, set()
    next_tick, missing, next_attempt = time.monotonic() + interval, 0, 0.0

    def add(connection: socket.socket) -> None:
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
        heads[connection] = b""
        waiting.add(connection)

    def drop(connection: socket.socket, reason: str) -> None:
        if connection in waiting:
            waiting.remove(connection)
            answers[reason] += 1
        selector.unregister(connection)
        connection.close()
        nonlocal missing
        missing += 1

    for connection in connections:
        add(connection)
    while not stop.is_set():
        if again and missing and time.monotonic() >= next_attempt:
            next_attempt = time.monotonic() + 0.1
            try:
                add(again())
                missing -= 1
            except (Refused, OSError, ValueError) as error:
                answers[str(error) if isinstance(error, Refused) else "connection closed"] += 1
        if not selector.get_map():
            stop.wait(0.1)
            continue
        for key, _ in selector.select(0.1):
            connection = key.fileobj
            try:
                data = connection.recv(65_536)
            except (ssl.SSLWantReadError, BlockingIOError):
                continue
            except OSError:
                data = b""
            if not data:
                drop(connection, "connection closed")
            elif connection in waiting:
                heads[connection] += data
                if len(heads[connection]) >= 12:
                    answers[heads[connection][9:12].decode("latin-1")] += 1
                    waiting.remove(connection)
        if tick and time.monotonic() >= next_tick:
            next_tick += interval
            for connection in [key.fileobj for key in selector.get_map().values()]:
                try:
                    tick(connection)
                except (ssl.SSLWantWriteError, ssl.SSLWantReadError, BlockingIOError):
                    pass
                except OSError:
                    drop(connection, "connection closed")
    answers["waiting"] += len(waiting)


def hold_streams(connections: Iterable, answers: Answers, stop: Stop) -> None:
    """The same for connections of HTTP/2, of which each stream is counted."""
    connections = list(connections)
    while not stop.is_set():
        for connection in connections:
            connection.pump()
        stop.wait(0.1)
    for connection in connections:
        answers.update(connection.answers)
        answers["waiting"] += len(connection.waiting)
