"""The honest client: one request after another, each on a new connection."""

import dataclasses
import socket
import time

import unfinished
from held import Stop
from target import HONEST, Refused, Target, read_head

FORM = b"status=" + b"z" * 1017
PAUSE = 0.01  # seconds between two requests


@dataclasses.dataclass
class Seen:
    """What it saw: the time that each request took in ms, and what became of those that were not answered with 200."""

    times: list[float] = dataclasses.field(default_factory=list)
    failures: dict[str, int] = dataclasses.field(default_factory=dict)

    def fail(self, reason: str) -> None:
        self.failures[reason] = self.failures.get(reason, 0) + 1


def ask(target: Target, path: str, is_form: bool, stop: Stop) -> Seen:
    """Asks until the end: GET, or POST of a form, which Paraph holds to sign it."""
    seen, context = Seen(), target.context()
    request = target.request("GET", path, "Connection: close\r\n")
    if is_form:
        fields = f"Content-Type: {unfinished.FORM}\r\nContent-Length: {len(FORM)}\r\nConnection: close\r\n"
        request = target.request("POST", path, fields) + FORM

    def once() -> str:
        with target.dial(HONEST, context) as connection:
            connection.sendall(request)
            return read_head(connection)[9:12].decode()

    return _repeat(once, seen, stop)


def ask_health(port: int, stop: Stop) -> Seen:
    """The same of the admin listener's /healthz."""

    def once() -> str:
        with socket.create_connection(("127.0.0.1", port), 5, (HONEST, 0)) as connection:
            connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            return read_head(connection)[9:12].decode()

    return _repeat(once, Seen(), stop)


def _repeat(once, seen: Seen, stop: Stop) -> Seen:
    while not stop.is_set():
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
        stop.wait(PAUSE)
    return seen
