"""The honest client: requests beside the attack, and what became of each."""

import dataclasses
import itertools
import socket
import threading
import time

import unfinished
from held import Stop
from proxies import GUEST_PASSWORD, guest
from target import HONEST, Refused, Target, read_head

PAUSE = 0.01  # seconds between two requests
# Seconds from a handshake to the request, of one of several: as of a client that is far away, whose connection could be
# taken for one on which nothing is sent.
DISTANCE = 0.03
LOGIN_TIMEOUT = 12  # seconds


@dataclasses.dataclass
class Seen:
    """What it saw: the time that each request took in ms, and what became of those that were not answered with 200."""

    times: list[float] = dataclasses.field(default_factory=list)
    failures: dict[str, int] = dataclasses.field(default_factory=dict)

    def fail(self, reason: str) -> None:
        self.failures[reason] = self.failures.get(reason, 0) + 1

    def add(self, other: "Seen") -> None:
        self.times += other.times
        for reason, count in other.failures.items():
            self.failures[reason] = self.failures.get(reason, 0) + count


def ask(target: Target, stop: Stop, path: str, form: int = 0, at_once: int = 1) -> Seen:
    """Asks until the end, one request after another, each on a new connection: GET, or POST of a form of so many bytes,
    which Paraph holds to sign it. `at_once`: on so many connections."""
    context = target.context()
    request = target.request("GET", path, "Connection: close\r\n")
    if form:
        fields = f"Content-Type: {unfinished.FORM}\r\nContent-Length: {form}\r\nConnection: close\r\n"
        request = target.request("POST", path, fields) + b"status=".ljust(form, b"z")

    def once() -> str:
        with target.dial(HONEST, context) as connection:
            if at_once > 1:
                stop.wait(DISTANCE)
            connection.sendall(request)
            return read_head(connection)[9:12].decode()

    return _at_once(at_once, lambda: _repeat(once, Seen(), stop))


def hold_forms(target: Target, stop: Stop, count: int, size: int) -> Seen:
    """Forms that are under way together: the last byte of each comes when all the others of all have been sent."""
    seen, context = Seen(), target.context()
    fields = f"Content-Type: {unfinished.FORM}\r\nContent-Length: {size}\r\nConnection: close\r\n"
    request = target.request("POST", "/body", fields) + b"status=".ljust(size - 1, b"z")

    def begin() -> socket.socket | None:
        try:
            connection = target.dial(HONEST, context)
        except (Refused, OSError, ValueError):
            return None
        try:
            connection.sendall(request)
        except OSError:
            pass  # the answer, if there is one, tells why
        return connection

    def finish(connection: socket.socket | None) -> str:
        if not connection:
            return "not connected"
        with connection:
            try:
                connection.sendall(b"z")
            except OSError:
                pass
            return read_head(connection)[9:12].decode()

    while not stop.is_set():
        opened = [begin() for _ in range(count)]
        for connection in opened:
            _try(lambda connection=connection: finish(connection), seen)
        stop.wait(PAUSE)
    return seen


def keep(target: Target, stop: Stop, connections: int, interval: float) -> Seen:
    """Holds so many connections, and asks on each of them every few seconds. One that has ended in between fails, and
    another one takes its place."""
    context, request = target.context(), target.request("GET", "/")

    def hold() -> Seen:
        seen, connection = Seen(), None
        while not stop.is_set():

            def once() -> str:
                nonlocal connection
                connection = connection or target.dial(HONEST, context)
                try:
                    connection.sendall(request)
                    return _read_answer(connection)
                except OSError:
                    connection.close()
                    connection = None
                    raise

            status = _try(once, seen)
            if status != "200" and connection:
                connection.close()
                connection = None
            stop.wait(interval)
        if connection:
            connection.close()
        return seen

    return _at_once(connections, hold)


def log_in(target: Target, stop: Stop, guests: int, at_once: int) -> Seen:
    """One request of each guest, who has not been there before."""
    context, numbers = target.context(), itertools.count()

    def once() -> str:
        name = guest(next(numbers) % guests)
        newcomer = dataclasses.replace(target, credentials=f"{name}:{GUEST_PASSWORD}", timeout=LOGIN_TIMEOUT)
        with newcomer.dial(HONEST, context) as connection:
            connection.sendall(newcomer.request("GET", "/", "Connection: close\r\n"))
            return read_head(connection)[9:12].decode()

    return _at_once(at_once, lambda: _repeat(once, Seen(), stop))


def ask_health(port: int, stop: Stop) -> Seen:
    """The same of the admin listener's /healthz."""

    def once() -> str:
        with socket.create_connection(("127.0.0.1", port), 5, (HONEST, 0)) as connection:
            connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            return read_head(connection)[9:12].decode()

    return _repeat(once, Seen(), stop)


def _read_answer(connection: socket.socket) -> str:
    """The status of an answer that is read whole, so that another request can follow."""
    head, _, body = read_head(connection).partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            left = int(line[15:]) - len(body)
            while left > 0 and (data := connection.recv(left)):
                left -= len(data)
    return head[9:12].decode()


def _at_once(count: int, work) -> Seen:
    if count == 1:
        return work()
    seen, lock = Seen(), threading.Lock()

    def run() -> None:
        one = work()
        with lock:
            seen.add(one)

    threads = [threading.Thread(target=run, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def _repeat(once, seen: Seen, stop: Stop) -> Seen:
    while not stop.is_set():
        _try(once, seen)
        stop.wait(PAUSE)
    return seen


def _try(once, seen: Seen) -> str:
    begin = time.monotonic()
    try:
        status = once() or "connection closed"
    except Refused as refusal:
        status = str(refusal)
    except TimeoutError:
        status = "timed out"
    except (OSError, ValueError):
        status = "connection closed"
    if status == "200":
        seen.times.append(1e3 * (time.monotonic() - begin))
    else:
        seen.fail(status)
    return status
