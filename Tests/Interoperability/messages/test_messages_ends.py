"""Connections that end before, in and after HTTP messages, on either side."""

import threading

import pytest

from harness.call import Hangup
from harness.clients import ClientError, Request
from harness.http1 import Closed, ProtocolError
from harness.messages import send_raw, still_serves
from harness.raw import ask, request
from harness.waiting import LIMIT


# After an answer


def test_connection_close_from_the_client(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        answer = client.exchange(request("GET", "/x", world.HOST, [("Connection", "close")]))
        answer.verified()
        assert "close" in answer.value("connection")
        assert client.is_closed()


@pytest.mark.parametrize("persistent", [False, True])
def test_a_client_of_http_1_0(paraph, world, persistent):
    with paraph.raw(f"{world.HOST}:443") as client:
        keep = "Connection: keep-alive\r\n" if persistent else ""
        client.send(f"GET /x?a=1 HTTP/1.0\r\nHost: {world.HOST}\r\n{keep}\r\n")
        client.receive().verified()
        if not persistent:
            assert client.is_closed()


def test_chunks_are_not_for_a_client_of_http_1_0(paraph, world, provider):
    path = provider.route(send_raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(f"GET {path} HTTP/1.0\r\nHost: {world.HOST}\r\n\r\n")
        answer = client.receive()
        assert answer.body == b"hello" and not answer.values("transfer-encoding")
        assert client.is_closed()


# The provider closes


def close_at(phase):
    def handler(call):
        call.read_body()
        if phase == "mid-head":
            call.send(b"HTTP/1.1 200 OK\r\nContent-Le")
        elif phase == "after an interim answer":
            call.send(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        raise Hangup

    return handler


@pytest.mark.parametrize("phase", ["before the answer", "mid-head", "after an interim answer"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_provider_closes_before_its_answer(paraph, world, provider, phase, method):
    path = provider.route(close_at(phase))
    body = (b"a=1", [("Content-Type", "application/x-www-form-urlencoded")]) if method == "POST" else (None, [])
    ask(paraph, f"{world.URL}{path}", method, body[1], body[0]).problem(
        502, "connection_terminated", "http_response_incomplete"
    )
    assert 1 <= len(provider.requests_for(path)) <= (2 if method == "GET" else 1), (
        "a request that arrived is not blindly repeated"
    )
    still_serves(paraph, world)


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 500,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
    ids=["length", "in a chunk", "between chunks"],
)
def test_the_provider_closes_inside_its_answer(paraph, world, provider, data):
    """The client can tell that the answer is not whole."""
    path = provider.route(send_raw(data, close=True))
    with paraph.raw(f"{world.HOST}:443") as client, pytest.raises((Closed, OSError)):
        client.exchange(request("GET", path, world.HOST))
    still_serves(paraph, world)


def test_every_client_sees_an_answer_that_is_not_whole(paraph, world, provider, client):
    if client.name == "wget":
        pytest.skip("wget tells by its exit code, after the answer")
    path = provider.route(send_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 500, close=True))
    with pytest.raises(ClientError):
        client.send(paraph, Request(f"{world.URL}{path}"))


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_idle_connection_that_the_provider_closed_costs_nothing(paraph, world, provider, tunnel, method):
    ended = threading.Event()

    def then_close(call):
        call.answer()
        # Returns when the proxy has heard of the end, and has closed too.
        provider.linger(call.wire.socket, is_tls=True)
        ended.set()
        raise Hangup

    path = provider.route(then_close)
    for _ in range(10):
        ended.clear()
        body = b"a=1" if method == "POST" else None
        fields = [("Content-Type", "application/x-www-form-urlencoded")] if body else []
        tunnel.exchange(request(method, path, world.HOST, fields, body)).verified()
        assert ended.wait(LIMIT)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_reused_connection_that_ends_under_an_idempotent_request(launch, world, provider, method):
    """The provider reads the request and closes: sent again, once, with a new nonce."""
    paraph = launch(world.configuration())
    state = {"closed": 0}

    def handler(call):
        call.read_body()
        if state["closed"] == 0:
            state["closed"] += 1
            call.check_alone()
            raise Hangup
        call.answer()

    path = provider.route(handler)
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/warm", world.HOST)).verified()
        client.exchange(request(method, path, world.HOST)).verified()
    first, second = provider.requests_for(path)
    assert first.verdict.parameters["oauth_nonce"] != second.verdict.parameters["oauth_nonce"]


def test_a_reused_connection_that_ends_under_a_post(launch, world, provider):
    """The request may have had its effect: it is not sent again."""
    paraph = launch(world.configuration())
    path = provider.route(close_at("before the answer"))
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/warm", world.HOST)).verified()
        data = request("POST", path, world.HOST, [("Content-Type", "application/x-www-form-urlencoded")], b"a=1")
        client.exchange(data).problem(502, "connection_terminated")
    assert len(provider.requests_for(path)) == 1


# The client leaves


def test_the_client_leaves_in_the_middle_of_an_answer(paraph, world, provider):
    gone = threading.Event()

    def handler(call):
        call.read_body()
        call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        try:
            while True:
                call.send(b"x" * 65536)
        except OSError:
            gone.set()
            raise Hangup from None

    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", provider.route(handler), world.HOST))
        client.receive_head()
    assert gone.wait(LIMIT), "the provider's connection is closed too"
    still_serves(paraph, world)


def test_the_client_leaves_in_the_middle_of_an_upload(paraph, world, provider):
    ended = threading.Event()

    def handler(call):
        try:
            call.read_body()
        except (Closed, OSError, ProtocolError):
            ended.set()
        raise Hangup

    path = provider.route(handler)
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(
            request("PUT", path, world.HOST, [("Content-Length", 1000000), ("Content-Type", "text/plain")])
            + b"x" * 1000
        )
        provider.wait(lambda: provider.requests_for(path), what="the upload to begin")
    assert ended.wait(LIMIT)
    assert not provider.requests_for(path)[0].complete
    still_serves(paraph, world)


# Connections that do not end


def test_connections_to_the_provider_are_reused(launch, world, provider):
    paraph = launch(world.configuration())
    before = world.main.connections
    for _ in range(5):
        with paraph.raw(f"{world.HOST}:443") as client:
            for _ in range(20):
                client.exchange(request("GET", "/x", world.HOST)).verified()
    assert world.main.connections - before <= 5, "at most one for each event loop or client"
