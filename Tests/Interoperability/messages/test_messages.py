"""HTTP messages in both directions: interim answers, answers of every framing, fields, and an upgrade."""

import threading

import pytest

from harness.call import Hangup
from harness.clients import Request
from harness.messages import send_raw, still_serves
from harness.raw import request
from harness.waiting import LIMIT


# Interim answers


def test_early_hints_pass(paraph, world, provider, tunnel):
    def handler(call):
        call.read_body()
        call.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
        call.send(b"HTTP/1.1 102 Processing\r\n\r\n")
        call.respond(200, body="ok")

    answer = tunnel.exchange(request("GET", provider.route(handler), world.HOST))
    assert (answer.informational, answer.body) == ([103, 102], b"ok")
    still_serves(paraph, world)


def test_a_continue_that_nobody_asked_for_does_no_harm(world, provider, tunnel):
    def handler(call):
        call.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        call.answer()

    for _ in range(3):
        tunnel.exchange(
            request("POST", provider.route(handler), world.HOST, [("Content-Type", "text/plain")], b"x")
        ).verified()


def test_expect_passes_when_the_body_is_not_signed(world, provider, tunnel):
    """100 comes from the provider, and the body only after it."""
    asked, go = threading.Event(), threading.Event()

    def handler(call):
        assert call.expects_continue
        asked.set()
        assert go.wait(LIMIT)
        call.answer()

    path = provider.route(handler)
    tunnel.send(
        request(
            "POST",
            path,
            world.HOST,
            [("Content-Type", "text/plain"), ("Content-Length", 4), ("Expect", "100-continue")],
        )
    )
    assert asked.wait(LIMIT), "the head reaches the provider before the body is there"
    go.set()
    assert tunnel.receive_informational() == 100
    tunnel.send(b"body")
    assert tunnel.receive().verified()["body_length"] == 4


def test_expect_is_answered_by_the_proxy_when_the_body_is_signed(world, provider, tunnel):
    path = provider.route(lambda call: call.answer())
    form = [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", 3), ("Expect", "100-continue")]
    tunnel.send(request("POST", path, world.HOST, form))
    assert tunnel.receive_informational() == 100
    assert provider.requests_for(path) == [], "the provider hears nothing before the body could be signed"
    tunnel.send(b"a=1")
    answer = tunnel.receive()
    assert answer.verified()["body_length"] == 3 and answer.informational == []


@pytest.mark.parametrize("status", [401, 413, 417, 200])
def test_a_final_answer_instead_of_continue(paraph, world, provider, status):
    def handler(call):
        call.close = True
        call.respond(status, body="no need")

    path = provider.route(handler)
    with paraph.raw(f"{world.HOST}:443") as client:
        fields = [("Content-Type", "text/plain"), ("Content-Length", 1000), ("Expect", "100-continue")]
        client.send(request("POST", path, world.HOST, fields))
        answer = client.receive()
        assert (answer.status, answer.body, answer.informational) == (status, b"no need", [])
    still_serves(paraph, world)


# Answers of every framing


@pytest.mark.parametrize(
    "data, body",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""),
        (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", b"ok"),
        (b"HTTP/1.1 200 \xe9\xff\r\nContent-Length: 2\r\nX-Latin: \xe9\r\n\r\nok", b"ok"),
        (b"HTTP/1.1 299 Odd\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\n\r\n", b"hello"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n00A\r\n0123456789\r\n1\r\nx\r\n000\r\n\r\n",
            b"0123456789x",
        ),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        (b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 1234\r\n\r\n', b""),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\nKeep-Alive: timeout=5\r\n\r\nno!", b"no!"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 3\r\nProxy-Connection: keep-alive\r\n\r\nno!", b"no!"),
    ],
    ids=["length", "zero", "no reason", "bytes over 127", "chunked", "chunk sizes", "204", "304", "404", "500"],
)
def test_answers_that_keep_the_connection(paraph, world, provider, tunnel, data, body):
    path = provider.route(send_raw(data))
    for _ in range(2):
        answer = tunnel.exchange(request("GET", path, world.HOST))
        assert answer.status == int(data[9:12]) and answer.body == body
        assert not answer.values("keep-alive") and not answer.values("proxy-connection")
        if b"X-Latin" in data:
            assert answer.value("x-latin") == "é"
        if b"ETag" in data:
            assert answer.value("etag") == '"x"'


@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/1.0"])
def test_answers_that_end_with_the_connection(paraph, world, provider, curl, version):
    body = b"until the end " * 40000
    path = provider.route(send_raw(version + b" 200 OK\r\nX: y\r\n\r\n" + body, close=True))
    assert curl.send(paraph, Request(f"{world.URL}{path}")).body == body
    assert curl.send(paraph, Request(f"http://{world.HOST}{path}")).body == body


def test_http_1_0_with_a_length(paraph, world, provider, tunnel):
    path = provider.route(send_raw(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", close=True))
    for _ in range(2):
        assert tunnel.exchange(request("GET", path, world.HOST)).body == b"ok"


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: 10\r\n", b"Transfer-Encoding: chunked\r\n", b"", b"Content-Length: 0\r\n"],
    ids=["length", "chunked", "neither", "zero"],
)
def test_head_has_no_body_whatever_its_fields_say(world, provider, tunnel, head):
    path = provider.route(send_raw(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n"))
    for _ in range(2):
        answer = tunnel.exchange(request("HEAD", path, world.HOST), "HEAD")
        assert (answer.status, answer.body) == (200, b"")
    tunnel.exchange(request("GET", "/x", world.HOST)).verified()


def test_pipelined_requests_are_answered_in_order(world, tunnel):
    tunnel.send(
        b"".join(request("POST", f"/p{n}", world.HOST, [("Content-Type", "text/plain")], b"x" * n) for n in range(20))
    )
    for n in range(20):
        description = tunnel.receive().verified()
        assert (description["target"], description["body_length"]) == (f"/p{n}", n)


# Fields


def test_hop_by_hop_fields_stay_here(paraph, world, tunnel):
    fields = [
        ("Connection", "X-Nominated, keep-alive"),
        ("X-Nominated", "1"),
        ("Keep-Alive", "timeout=5"),
        ("Proxy-Connection", "keep-alive"),
        ("TE", "gzip"),
        ("X-Kept", "1"),
        ("Via", "1.0 before"),
        ("HTTP2-Settings", "x"),
    ]
    description = tunnel.exchange(request("GET", "/x", world.HOST, fields)).verified()
    kept = {n.lower(): v for n, v in description["fields"]}
    assert kept["x-kept"] == "1"
    assert ", ".join(v for n, v in description["fields"] if n.lower() == "via").startswith("1.0 before, 1.1 ")
    assert "te" not in kept or kept["te"] == "trailers"


def test_fields_pass_as_they_came(world, tunnel):
    fields = [
        ("x-lower", "a"),
        ("X-Twice", "1"),
        ("X-UPPER", "b  c\td"),
        ("X-Twice", "2"),
        ("X-Empty", ""),
        ("X-Latin", "é"),
        ("Cookie", "a=b; c=d"),
        ("User-Agent", "x"),
        ("Accept", "*/*"),
    ]
    description = tunnel.exchange(request("GET", "/x", world.HOST, fields)).verified()
    passed = [tuple(f) for f in description["fields"] if f[0] not in ("Host", "Authorization", "Via", "Connection")]
    assert passed == fields


def test_via_and_fields_of_an_answer(world, provider, tunnel):
    path = provider.route(
        send_raw(
            b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\n"
            b"Connection: X-Mine\r\nX-Mine: 1\r\nKeep-Alive: timeout=3\r\nX-Kept: 1\r\n\r\n"
        )
    )
    answer = tunnel.exchange(request("GET", path, world.HOST))
    assert answer.values("set-cookie") == ["a=1", "b=2"]
    assert answer.value("x-kept") == "1" and not answer.values("x-mine") and not answer.values("keep-alive")
    assert answer.value("via").startswith("1.1 ")
    assert not answer.from_the_proxy


@pytest.mark.parametrize("size", [10, 30, 33, 40, 50, 60])
def test_a_large_head_of_an_answer(world, provider, tunnel, size):
    """Below the limit of 64 KiB, in pieces."""

    def handler(call):
        call.read_body()
        head = b"HTTP/1.1 200 OK\r\nX-Large: " + b"x" * size * 1024 + b"\r\nX-Last: y\r\nContent-Length: 2\r\n\r\nok"
        for start in range(0, len(head), 3000):
            call.send(head[start : start + 3000])

    answer = tunnel.exchange(request("GET", provider.route(handler), world.HOST))
    assert (answer.value("x-last"), answer.body) == ("y", b"ok")


# Upgrades


def test_an_upgrade(paraph, world, provider):
    """The provider's 101 makes a tunnel of the connection, or the upgrade stays here and the answer is ordinary."""

    def handler(call):
        if call.record.values("upgrade"):
            call.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n")
            call.send(b"<" + next(call.wire.pieces(4)) + b">")
            raise Hangup
        call.answer()

    path = provider.route(handler)
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", path, world.HOST, [("Upgrade", "echo"), ("Connection", "upgrade")]))
        head, _ = client.receive_head()
        if head.start[1] == b"101":
            client.send(b"ping")
            assert client.wire.until(b">") == b"<ping>"
        else:
            assert head.start[1] == b"200"
    still_serves(paraph, world)
