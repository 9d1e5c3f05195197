"""Answers that are no HTTP: each becomes a 502, and never an answer that looks whole."""

import pytest

from harness.http1 import Closed
from harness.messages import send_raw, still_serves
from harness.raw import ask, request


NONSENSE = {
    "garbage": b"\x16\x03\x01garbage\r\n\r\n",
    "another protocol": b"SSH-2.0-OpenSSH_9\r\n",
    "no status": b"HTTP/1.1 OK\r\n\r\n",
    "status of two digits": b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
    "status of four digits": b"HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
    "version 3": b"HTTP/3.0 200 OK\r\nContent-Length: 0\r\n\r\n",
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc",
    "a length that overflows": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nabc",
    "a length in hex": b"HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\nabc",
    "length and chunked": b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a folded field": b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
    "space before the colon": b"HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n",
    "byte zero in a field": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
    "a bare CR in a field": b"HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
    "an endless head": b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300000 + b"\r\n\r\n",
    "too many fields": b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9000)) + b"\r\n",
    "an upgrade nobody asked for": (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello"
    ),
}


@pytest.mark.parametrize("data", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_from_the_provider(paraph, world, provider, data):
    path = provider.route(send_raw(data, close=True))
    answer = ask(paraph, f"{world.URL}{path}")
    answer.problem(502)
    still_serves(paraph, world)


@pytest.mark.parametrize(
    "chunk",
    [b"zz\r\nabc\r\n", b"3\r\nabcXX", b"ffffffffffffffffff\r\n", b"-1\r\n", b"3" + b";" * 70000 + b"\r\nabc\r\n"],
    ids=["not hex", "no CRLF", "overflow", "negative", "endless extension"],
)
def test_nonsense_inside_a_chunked_answer(paraph, world, provider, chunk):
    path = provider.route(
        send_raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n" + chunk, close=True)
    )
    with paraph.raw(f"{world.HOST}:443") as client:
        try:
            answer = client.exchange(request("GET", path, world.HOST))
        except (Closed, OSError):
            answer = None
        assert answer is None or answer.status == 502, "never an answer that looks whole"
    still_serves(paraph, world)
