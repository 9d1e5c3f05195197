"""HTTP messages in both directions: interim answers, trailers, bodies of every framing, and connections that end."""

import hashlib
import threading

import pytest

from harness.clients import ClientError, Request
from harness.http1 import Closed, ProtocolError
from harness.provider import Hangup
from harness.raw import ask, request


@pytest.fixture
def tunnel(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        yield client


def send_raw(octets, close=False):
    """A handler that says exactly these octets."""

    def handler(call):
        call.read_body()
        call.close = close
        call.send(octets)

    return handler


def still_serves(paraph, world):
    ask(paraph, f"{world.URL}/still").verified()


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
        assert go.wait(20)
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
    assert asked.wait(20), "the head reaches the provider before the body is there"
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
    "octets, body",
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
    ids=["length", "zero", "no reason", "octets over 127", "chunked", "chunk sizes", "204", "304", "404", "500"],
)
def test_answers_that_keep_the_connection(paraph, world, provider, tunnel, octets, body):
    path = provider.route(send_raw(octets))
    for _ in range(2):
        answer = tunnel.exchange(request("GET", path, world.HOST))
        assert answer.status == int(octets[9:12]) and answer.body == body
        assert not answer.values("keep-alive") and not answer.values("proxy-connection")
        if b"X-Latin" in octets:
            assert answer.value("x-latin") == "é"
        if b"ETag" in octets:
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


def test_trailers_of_an_answer(world, provider, tunnel):
    path = provider.route(
        send_raw(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1 2\r\nX-More: z\r\n\r\n"
        )
    )
    for _ in range(2):
        answer = tunnel.exchange(request("GET", path, world.HOST, [("TE", "trailers"), ("Connection", "TE")]))
        assert answer.body == b"abc"
        assert answer.trailers == [("X-Sum", "1 2"), ("X-More", "z")]


def test_trailers_of_a_request(world, provider, tunnel):
    octets = request(
        "PUT",
        "/t",
        world.HOST,
        [("Transfer-Encoding", "chunked"), ("Content-Type", "text/plain"), ("Trailer", "X-Sum")],
    )
    answer = tunnel.exchange(octets + b"3\r\nabc\r\n0\r\nX-Sum: 12\r\n\r\n")
    record = provider.records[answer.verified()["record"]]
    assert (record.body, record.trailers) == (b"abc", [(b"X-Sum", b"12")])


def test_trailers_after_a_chunked_form(world, tunnel):
    """The form is sent on with a length, so that there is no place for trailers: they are dropped, not made fields."""
    octets = request(
        "POST",
        "/t",
        world.HOST,
        [("Transfer-Encoding", "chunked"), ("Content-Type", "application/x-www-form-urlencoded")],
    )
    for _ in range(2):
        description = tunnel.exchange(octets + b"3\r\na=1\r\n0\r\nX-Sum: 12\r\n\r\n").verified()
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
        assert got_first.wait(20)
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
    assert got_first.wait(20), "the first part reaches the provider while the client still holds the second one back"
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


def test_pipelined_requests_are_answered_in_order(world, tunnel):
    tunnel.send(
        b"".join(request("POST", f"/p{n}", world.HOST, [("Content-Type", "text/plain")], b"x" * n) for n in range(20))
    )
    for n in range(20):
        description = tunnel.receive().verified()
        assert (description["target"], description["body_length"]) == (f"/p{n}", n)


# Connections that end


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
            b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: X-Mine\r\nX-Mine: 1\r\n"
            b"Keep-Alive: timeout=3\r\nX-Kept: 1\r\n\r\n"
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
    "octets",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 500,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ],
    ids=["length", "in a chunk", "between chunks"],
)
def test_the_provider_closes_inside_its_answer(paraph, world, provider, octets):
    """The client can tell that the answer is not whole."""
    path = provider.route(send_raw(octets, close=True))
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
        assert ended.wait(20)


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
        octets = request("POST", path, world.HOST, [("Content-Type", "application/x-www-form-urlencoded")], b"a=1")
        client.exchange(octets).problem(502, "connection_terminated")
    assert len(provider.requests_for(path)) == 1


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
    assert gone.wait(20), "the provider's connection is closed too"
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
    assert ended.wait(20)
    assert not provider.requests_for(path)[0].complete
    still_serves(paraph, world)


def test_connections_to_the_provider_are_reused(launch, world, provider):
    paraph = launch(world.configuration())
    before = world.main.connections
    for _ in range(5):
        with paraph.raw(f"{world.HOST}:443") as client:
            for _ in range(20):
                client.exchange(request("GET", "/x", world.HOST)).verified()
    assert world.main.connections - before <= 5, "at most one for each event loop or client"


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
    "octet zero in a field": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
    "a bare CR in a field": b"HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
    "an endless head": b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300000 + b"\r\n\r\n",
    "too many fields": b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9000)) + b"\r\n",
    "an upgrade nobody asked for": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello",
}


@pytest.mark.parametrize("octets", NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_from_the_provider(paraph, world, provider, octets):
    path = provider.route(send_raw(octets, close=True))
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
