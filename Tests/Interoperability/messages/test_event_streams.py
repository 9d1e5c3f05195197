"""Server-sent events: the provider sends the next one when the client has got the one before, so that whatever is held
back on the way holds up the test."""

import subprocess
import threading
import zlib

import httpx
import pytest
import requests
from harness.clients import CURL, STALLED
from harness.raw import request
from harness.waiting import LIMIT

EVENTS = [b"data: %d\n\n" % number for number in range(8)] + [b"data: in two ", b"parts\n\n"]


class Stream:
    """One response, event by event."""

    def __init__(self, framing, status=200, compressed=False):
        self.framing, self.status, self.compressed = framing, status, compressed
        self.turns = threading.Semaphore(0)

    def next(self):
        self.turns.release()

    def __call__(self, call):
        call.verify()
        call.close = self.framing == "close"
        fields = {"chunked": b"Transfer-Encoding: chunked\r\n", "close": b"Connection: close\r\n"}[self.framing]
        if self.compressed:
            fields += b"Content-Encoding: gzip\r\n"
        call.send(
            b"HTTP/1.1 %d Said\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n" % self.status
            + fields
            + b"\r\n"
        )
        coder = zlib.compressobj(wbits=31)
        for event in EVENTS:
            assert self.turns.acquire(timeout=LIMIT), "the client has not got what was sent"
            if self.compressed:
                event = coder.compress(event) + coder.flush(zlib.Z_SYNC_FLUSH)
            call.send(b"%x\r\n%b\r\n" % (len(event), event) if self.framing == "chunked" else event)
        if self.compressed:
            event = coder.flush()
            call.send(b"%x\r\n%b\r\n" % (len(event), event) if self.framing == "chunked" else event)
        if self.framing == "chunked":
            call.send(b"0\r\n\r\n")


def by_curl(paraph, url):
    environment = {**paraph.environment(), **CURL.environment(paraph)}
    command = ["curl", "-sS", "--no-buffer", "--compressed", *STALLED, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            yield None
            while piece := process.stdout.read1():
                yield piece
        finally:
            process.kill()


def by_requests(paraph, url):
    session = requests.Session()
    session.trust_env = False
    proxies = {"http": paraph.url, "https": paraph.url}
    with session.get(url, proxies=proxies, verify=str(paraph.ca), stream=True, timeout=LIMIT) as answer:
        yield None
        # One byte at a time: whoever asks for more is made to wait for it.
        yield from answer.iter_content(1)


def by_httpx(paraph, url):
    with httpx.Client(proxy=paraph.url, verify=str(paraph.ca), trust_env=False, timeout=LIMIT) as client:
        with client.stream("GET", url) as answer:
            yield None
            yield from answer.iter_bytes()


READERS = [by_curl, by_requests, by_httpx]


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("framing", ["chunked", "close"])
@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__name__)
def test_each_event_arrives_before_the_next(paraph, world, provider, reader, scheme, framing, compressed):
    stream = Stream(framing, compressed=compressed)
    path = provider.route(stream)
    pieces = reader(paraph, f"{scheme}://{world.HOST}{path}")
    # The client is there, and has the head where it tells of that.
    next(pieces)
    for event in EVENTS:
        stream.next()
        got = b""
        while len(got) < len(event):
            got += next(pieces)
        assert got == event
    assert b"".join(pieces) == b""
    assert provider.requests_for(path)[0].verdict


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_refusal_that_streams(paraph, world, provider, status):
    stream = Stream("chunked", status)
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", provider.route(stream), world.HOST))
        head, _ = client.receive_head()
        assert int(head.start[1]) == status
        for event in EVENTS:
            stream.next()
            expected = b"%x\r\n%b\r\n" % (len(event), event)
            assert b"".join(client.wire.pieces(len(expected))) == expected
        assert b"".join(client.wire.pieces(5)) == b"0\r\n\r\n"
