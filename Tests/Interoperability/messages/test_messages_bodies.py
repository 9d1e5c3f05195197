"""Bodies in both directions: trailers, streams, early answers, and every size."""

import hashlib
import threading

import pytest

from harness.clients import ClientError, Request
from harness.messages import send_raw, still_serves
from harness.raw import request
from harness.waiting import LIMIT


# Trailers


def test_trailers_of_an_answer(world, provider, tunnel):
    path = provider.route(
        send_raw(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            b"3\r\nabc\r\n0\r\nX-Sum: 1 2\r\nX-More: z\r\n\r\n"
        )
    )
    for _ in range(2):
        answer = tunnel.exchange(request("GET", path, world.HOST, [("TE", "trailers"), ("Connection", "TE")]))
        assert answer.body == b"abc"
        assert answer.trailers == [("X-Sum", "1 2"), ("X-More", "z")]


def test_trailers_of_a_request(world, provider, tunnel):
    data = request(
        "PUT",
        "/t",
        world.HOST,
        [("Transfer-Encoding", "chunked"), ("Content-Type", "text/plain"), ("Trailer", "X-Sum")],
    )
    answer = tunnel.exchange(data + b"3\r\nabc\r\n0\r\nX-Sum: 12\r\n\r\n")
    record = provider.records[answer.verified()["record"]]
    assert (record.body, record.trailers) == (b"abc", [(b"X-Sum", b"12")])


def test_trailers_after_a_chunked_form(world, tunnel):
    """The form is sent on with a length, so that there is no place for trailers: they are dropped, not made fields."""
    data = request(
        "POST",
        "/t",
        world.HOST,
        [("Transfer-Encoding", "chunked"), ("Content-Type", "application/x-www-form-urlencoded")],
    )
    for _ in range(2):
        description = tunnel.exchange(data + b"3\r\na=1\r\n0\r\nX-Sum: 12\r\n\r\n").verified()
        assert description["body_length"] == 3
        assert "x-sum" not in [n.lower() for n, _ in description["fields"]]


# Streams


def test_an_answer_streams(paraph, world, provider, tunnel):
    """The client has the first part while the provider still holds the second one back."""
    got_first = threading.Event()

    def handler(call):
        call.read_body()
        call.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n7\r\ndata: 1\r\n"
        )
        assert got_first.wait(LIMIT)
        call.send(b"7\r\ndata: 2\r\n0\r\n\r\n")

    tunnel.send(request("GET", provider.route(handler), world.HOST))
    head, _ = tunnel.receive_head()
    assert tunnel.wire.until(b"data: 1")
    got_first.set()
    assert tunnel.wire.until(b"data: 2")
    assert tunnel.wire.until(b"0\r\n\r\n")


def test_an_upload_streams(world, provider, tunnel):
    got_first = threading.Event()

    def handler(call):
        for piece in call.pieces():
            if piece.startswith(b"first"):
                got_first.set()
        call.check_alone()
        call.respond(200, [("X-Verified", "yes" if call.record.verdict else "no")], "done")

    tunnel.send(
        request("PUT", provider.route(handler), world.HOST, [("Content-Length", 11), ("Content-Type", "text/plain")])
        + b"first"
    )
    assert got_first.wait(LIMIT), "the first part reaches the provider while the client still holds the second one back"
    tunnel.send(b"second")
    answer = tunnel.receive()
    assert (answer.status, answer.value("x-verified"), answer.body) == (200, "yes", b"done")


@pytest.mark.parametrize("close", [False, True])
def test_an_early_answer_to_a_large_upload(paraph, world, provider, curl, close):
    def handler(call):
        call.close = close
        call.respond(413, body="too large for me")

    path = provider.route(handler)
    body = b"x" * (30 << 20)
    headers = {"Content-Type": "application/octet-stream"}
    try:
        answer = curl.send(paraph, Request(f"{world.URL}{path}", "POST", headers, body))
        assert (answer.status, answer.body) == (413, b"too large for me")
    except ClientError as error:
        # curl may hear of the closed connection first; what it must not hear is silence, or another answer.
        assert close and ("(55)" in str(error) or "(56)" in str(error)), error
    still_serves(paraph, world)


# Sizes


def test_a_body_of_every_size(paraph, world, provider, curl):
    """Sizes around the borders of buffers, TLS records and chunks."""

    def handler(call):
        size = int(call.record.target.rpartition(b"/")[2])
        body = (b"0123456789abcdef" * (size // 16 + 1))[:size]
        call.read_body()
        call.respond(200, [("X-Sum", hashlib.sha256(body).hexdigest())], body)

    path = provider.route(handler)
    with paraph.raw(f"{world.HOST}:443") as client:
        for size in [
            *range(0, 5),
            1023,
            1024,
            1025,
            *range(16380, 16390),
            65535,
            65536,
            65537,
            131072,
            1 << 20,
            (1 << 20) + 1,
        ]:
            answer = client.exchange(request("GET", f"{path}/{size}", world.HOST))
            assert hashlib.sha256(answer.body).hexdigest() == answer.value("x-sum")
            body = b"y" * size
            description = client.exchange(
                request("PUT", "/x", world.HOST, [("Content-Type", "text/plain")], body)
            ).verified()
            assert description["body_sha256"] == hashlib.sha256(body).hexdigest()
