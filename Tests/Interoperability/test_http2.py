"""HTTP/2 on either side and on both: what goes through is the same as by HTTP/1.1, and signed as it arrives."""

import hashlib
import json
import signal
import ssl
import threading

import pytest

from harness.certificates import public_key_pin
from harness.http2 import CODES, HTTP2Client, ServerConnection
from harness.raw import ask, request
from harness.streams import BLOCK, digest_of, stream
from harness.waiting import wait_until

OCTETS = [("Content-Type", "application/octet-stream")]
FORM = [("Content-Type", "application/x-www-form-urlencoded")]


@pytest.fixture(scope="module")
def listeners(provider, certificates):
    return {1: provider.listen(certificates.good), 2: provider.listen(certificates.good, http2=ServerConnection)}


@pytest.fixture(scope="module")
def proxies(world, listeners, launch_for_session):
    """One proxy for each kind of upstream."""
    return {
        version: launch_for_session(world.configuration({"main": world.api(connect_to=listener)}))
        for version, listener in listeners.items()
    }


class ByHTTP1:
    """The client's side by HTTP/1.1, with the calls of `HTTP2Client`."""

    def __init__(self, paraph, host):
        self.raw, self.host = paraph.raw(f"{host}:443"), host

    def exchange(self, method="GET", path="/", fields=(), body=None, chunked=False, trailers=()):
        if not chunked:
            return self.raw.exchange(request(method, path, self.host, fields, body), method)
        octets = request(method, path, self.host, [*fields, ("Transfer-Encoding", "chunked")])
        octets += b"%x\r\n%b\r\n0\r\n" % (len(body), body)
        octets += b"".join(f"{n}: {v}\r\n".encode() for n, v in trailers) + b"\r\n"
        return self.raw.exchange(octets, method)


class ByHTTP2(HTTP2Client):
    def exchange(self, method="GET", path="/", fields=(), body=None, chunked=False, trailers=()):
        if body is None:
            return self.answer(self.request(method, path, fields))
        length = [] if chunked else [("content-length", len(body))]
        one = self.request(method, path, [*fields, *length], body, ends=False)
        self.end(one, trailers)
        return self.answer(one)


@pytest.fixture(params=[(1, 1), (1, 2), (2, 1), (2, 2)], ids=lambda p: f"h{p[0]}-h{p[1]}")
def versions(request):
    return request.param


@pytest.fixture
def client(versions, proxies, world):
    made = (ByHTTP1 if versions[0] == 1 else ByHTTP2)(proxies[versions[1]], world.HOST)
    yield made
    (made.raw if versions[0] == 1 else made).close()


def record_of(provider, answer):
    return provider.records[int(answer.value("x-record"))]


# Messages


QUERIES = ["?a=1&b=%20x&a=0", "?x=a+b&y=%C3%A9&z", "?p=%7E~*%2A&q=[]{}|^", "?&&=&a==b;c=d"]


@pytest.mark.parametrize("query", QUERIES)
def test_a_request_is_signed_as_it_arrives(client, versions, provider, query):
    answer = client.exchange("GET", f"/a%2Fb/c;d{query}", [("X-Two", "1"), ("X-Two", "2")])
    described = answer.verified()
    record = record_of(provider, answer)
    assert record.target == f"/a%2Fb/c;d{query}".encode()
    assert (record.values("x-two"), record.values("host")) == ([b"1", b"2"], [b"api.test.example"])
    assert described["user"] == "default" and len(record.values("via")) == 1
    assert record.values("via")[0].startswith(b"1.1 " if versions[0] == 1 else b"2 ")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_form_is_signed_with_its_parameters(client, chunked):
    described = client.exchange("POST", "/form?q=1", FORM, b"a=1&b=%26+x&c=%C3%A9&a=", chunked).verified()
    assert described["body_length"] == 23


@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_each_way(client, provider, versions, size, chunked):
    body = b"".join(stream(size))

    def handler(call):
        call.verify()
        call.begin(200, [("X-Verified", "yes" if call.record.verdict else "no")], None if chunked else size)
        for at in range(0, size, 70_001):
            call.write(body[at : at + 70_001])
        call.finish()

    answer = client.exchange("PUT", provider.route(handler), OCTETS, body, chunked)
    record = record_of(provider, answer)
    assert (answer.value("x-verified"), record.body_sha256) == ("yes", digest_of(size))
    assert answer.body == body
    assert answer.values("content-length") == ([] if chunked else [str(size)])
    assert record.values("content-length") == ([] if chunked else [b"%d" % size])
    framing = [b"chunked"] if chunked and versions[1] == 1 else []
    assert record.values("transfer-encoding") == framing


def test_trailers_both_ways(client, provider):
    def handler(call):
        call.verify()
        call.begin(200, [("Trailer", "X-Sum")])
        call.write(b"abc")
        call.finish([("x-sum", "900150983cd24fb0"), ("x-other", "2")])

    fields = [*OCTETS, ("TE", "trailers"), ("Trailer", "X-Mark")]
    answer = client.exchange("POST", provider.route(handler), fields, b"12345", True, [("x-mark", "m1")])
    assert answer.body == b"abc"
    assert [(n.lower(), v) for n, v in answer.trailers] == [("x-sum", "900150983cd24fb0"), ("x-other", "2")]
    record = record_of(provider, answer)
    assert [(n.lower(), v) for n, v in record.trailers] == [(b"x-mark", b"m1")]
    assert (record.body, record.values("te")) == (b"12345", [b"trailers"])


def test_early_hints_come_before_the_answer(client, provider):
    def handler(call):
        call.verify()
        call.interim(103, [("Link", "</a.css>; rel=preload")])
        call.interim(102)
        call.answer()

    answer = client.exchange("GET", provider.route(handler))
    answer.verified()
    assert answer.informational == [103, 102]


@pytest.mark.parametrize("method, status", [("HEAD", 200), ("GET", 204), ("GET", 304), ("HEAD", 404), ("DELETE", 205)])
def test_answers_without_a_body(client, provider, method, status):
    def handler(call):
        call.verify()
        fields = [("ETag", '"x"')]
        call.respond(status, fields, b"" if status != 404 else b"not here")

    path = provider.route(handler)
    for _ in range(2):
        answer = client.exchange(method, path)
        assert (answer.status, answer.body, answer.value("etag")) == (status, b"", '"x"')
    client.exchange("GET", "/next").verified()


@pytest.mark.parametrize("method", ["OPTIONS", "PATCH", "DELETE", "PROPFIND"])
def test_every_method(client, provider, method):
    answer = client.exchange(method, "/m", OCTETS, b"x")
    assert record_of(provider, answer).method == method
    answer.verified()


def test_credentials_of_the_client_are_replaced(client, provider):
    answer = client.exchange("GET", "/x", [("Authorization", "Bearer of-the-client"), ("Paraph-Account", "alice")])
    assert answer.verified()["user"] == "alice"
    (value,) = record_of(provider, answer).values("authorization")
    assert value.startswith(b"OAuth ")


def test_cookie_crumbs(proxies, world, provider, listeners):
    """RFC 9113, section 8.2.3: one field by HTTP/1.1."""
    for version in (1, 2):
        with HTTP2Client(proxies[version], world.HOST) as client:
            answer = client.exchange("GET", "/x", [("cookie", "a=b"), ("cookie", "c=d"), ("cookie", "e=f")])
            answer.verified()
            cookies = record_of(provider, answer).values("cookie")
            assert b"; ".join(cookies) == b"a=b; c=d; e=f"
            assert version == 2 or len(cookies) == 1


def test_the_access_log_tells_it(client, proxies, versions, provider):
    paraph = proxies[versions[1]]
    before = len(paraph.lines)
    client.exchange("PUT", "/logged?secret=1", OCTETS, b"12345").verified()

    def entries():
        found = [json.loads(line) for line in paraph.lines[before:] if "/logged" in line]
        return [e for e in found if "status" in e]

    (entry,) = wait_until(entries, "the access log")
    assert entry["status"] == 200 and entry["method"] == "PUT", entry


# Expect


@pytest.mark.parametrize("fields", [OCTETS, FORM])
def test_expect_continue(client, versions, provider, fields):
    """A body that is not signed waits for the upstream's word, one that is signed for the proxy's."""
    path = provider.route(lambda call: call.answer())
    fields = [*fields, ("Expect", "100-continue"), ("Content-Length", "5")]
    if versions[0] == 1:
        client.raw.send(request("POST", path, client.host, fields))
        assert client.raw.receive_informational() == 100
        client.raw.send(b"a=1&b")
        answer = client.raw.receive()
    else:
        one = client.request("POST", path, fields, ends=False)
        client.wait(lambda: client.streams[one].informational)
        client.send(one, b"a=1&b", ends=True)
        answer = client.answer(one)
        assert answer.informational == [100]
    assert answer.verified()["body_length"] == 5


def test_an_answer_before_the_body_is_wanted(client, versions, provider):
    """Refused by its head alone: the body is never sent, and the client is told."""

    def handler(call):
        call.check_alone()
        call.close = True
        call.respond(417)
        if versions[1] == 2:
            call.abort(CODES.NO_ERROR)

    path = provider.route(handler)
    fields = [*OCTETS, ("Expect", "100-continue"), ("Content-Length", "5000000")]
    if versions[0] == 1:
        client.raw.send(request("POST", path, client.host, fields))
        assert client.raw.receive().status == 417
    else:
        one = client.request("POST", path, fields, ends=False)
        client.wait(lambda: client.streams[one].has_ended)
        assert client.answer(one).status == 417
        client.wait(lambda: client.streams[one].reset is not None)
        assert client.streams[one].reset == CODES.NO_ERROR
        client.exchange("GET", "/next").verified()


# Resets


class Held:
    """A handler that waits in the middle of its answer."""

    def __init__(self, provider, before=b"", length=None, after=None):
        self.reached, self.go, self.call = threading.Event(), threading.Event(), None
        self.before, self.length, self.after = before, length, after
        self.path = provider.route(self.handle)

    def handle(self, call):
        call.verify()
        self.call = call
        if self.before:
            call.begin(200, length=self.length)
            call.write(self.before)
        self.reached.set()
        assert self.go.wait(60)
        if self.after:
            self.after(call)
        else:
            call.answer()


@pytest.fixture
def hold(provider):
    made = []

    def begin(*arguments, **options):
        made.append(Held(provider, *arguments, **options))
        return made[-1]

    yield begin
    for one in made:
        one.go.set()


@pytest.mark.parametrize("code", [CODES.CANCEL, CODES.NO_ERROR, CODES.INTERNAL_ERROR])
@pytest.mark.parametrize("before", [b"", b"abc"])
def test_a_clients_reset_reaches_the_upstream(proxies, world, hold, code, before):
    held = hold(before)
    with HTTP2Client(proxies[2], world.HOST) as client:
        one = client.request("GET", held.path)
        assert held.reached.wait(30)
        if before:
            client.head(one)
        client.reset(one, code)
        assert held.call.has_reset.wait(30)
        assert held.call.reset_by == code
        client.exchange("GET", "/next").verified()


def test_a_client_that_is_gone_has_its_request_cancelled(proxies, world, hold):
    held = hold()
    with HTTP2Client(proxies[2], world.HOST) as client:
        client.request("GET", held.path)
        assert held.reached.wait(30)
    assert held.call.has_reset.wait(30)
    assert held.call.reset_by == CODES.CANCEL


def test_a_clients_reset_ends_an_http1_connection(proxies, world, hold):
    held = hold()
    with HTTP2Client(proxies[1], world.HOST) as client:
        one = client.request("GET", held.path)
        assert held.reached.wait(30)
        client.reset(one, CODES.CANCEL)
        # What is read there is the end.
        held.call.wire.socket.settimeout(30)
        assert held.call.wire.socket.recv(1) == b""
        client.exchange("GET", "/next").verified()


@pytest.mark.parametrize("code", [CODES.INTERNAL_ERROR, CODES.CANCEL, CODES.ENHANCE_YOUR_CALM, 0x7777])
@pytest.mark.parametrize("before", [b"", b"abc"])
def test_an_upstreams_reset_reaches_the_client(client, versions, provider, hold, code, before):
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 has no reset")
    held = hold(before, after=lambda call: call.abort(code))
    if versions[0] == 2:
        one = client.request("POST", held.path, OCTETS, b"x")
        if before:
            client.wait(lambda: client.streams[one].body == before)
        held.go.set()
        client.wait(lambda: client.streams[one].reset is not None)
        assert client.streams[one].reset == code
        client.exchange("GET", "/next").verified()
        return
    client.raw.send(request("POST", held.path, client.host, OCTETS, b"x"))
    if before:
        client.raw.receive_head()
        held.go.set()
        assert not client.raw.wire.socket.recv(100).endswith(b"0\r\n\r\n")
        return
    held.go.set()
    told = client.raw.receive().problem(502, "connection_terminated")
    assert "reset" in told


@pytest.mark.parametrize("how", ["reset", "goaway"])
@pytest.mark.parametrize("method, body", [("GET", None), ("POST", b"a=1"), ("POST", b"x" * 50_000)])
def test_what_was_not_processed_is_sent_again(client, versions, provider, how, method, body):
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 cannot say so")
    seen = []

    def handler(call):
        call.verify()
        seen.append(call)
        if len(seen) > 1:
            return call.answer()
        if how == "reset":
            call.abort(CODES.REFUSED_STREAM)
        call.connection.go_away(call.stream - 2 if call.stream > 1 else 0)

    # Something that the GOAWAY below does admit.
    client.exchange("GET", "/first").verified()
    described = client.exchange(method, provider.route(handler), FORM if body else [], body).verified()
    assert len(seen) == 2 and described["body_length"] == len(body or b"")
    nonces = {call.record.verdict.parameters["oauth_nonce"] for call in seen}
    assert len(nonces) == 2, "signed anew"


def test_what_is_refused_twice_is_not_sent_a_third_time(client, versions, provider):
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 cannot say so")
    seen = []

    def handler(call):
        seen.append(call)
        call.abort(CODES.REFUSED_STREAM)

    path = provider.route(handler)
    if versions[0] == 1:
        client.exchange("GET", path).problem(502)
    else:
        assert client.reset_code(client.request("GET", path)) == CODES.REFUSED_STREAM
    assert len(seen) == 2


def test_http1_where_the_upstream_wants_it(client, versions, provider, listeners):
    if versions[1] == 1:
        pytest.skip("it has it already")
    seen = []

    def handler(call):
        seen.append(call.head.start[2])
        if len(seen) == 1:
            call.abort(CODES.HTTP_1_1_REQUIRED)
        call.answer()

    client.exchange("POST", provider.route(handler), FORM, b"a=1").verified()
    assert seen == [b"HTTP/2", b"HTTP/1.1"]


# Connections that end


@pytest.fixture
def fresh(launch, world, provider, certificates):
    """A proxy of its own, and its upstream."""

    def begin(entry=None, **whole):
        listener = provider.listen(certificates.good, http2=ServerConnection)
        api = world.api(connect_to=listener, **(entry or {}))
        return launch(world.configuration({"main": api}, **whole)), listener

    return begin


def test_a_farewell_with_requests_in_flight(fresh, world, hold):
    """What was admitted ends in order, and what comes later goes by another connection."""
    paraph, listener = fresh()
    held = [hold() for _ in range(3)]
    with HTTP2Client(paraph, world.HOST) as client:
        streams = [client.request("GET", one.path) for one in held]
        assert all(one.reached.wait(30) for one in held)
        connection = held[0].call.connection
        assert all(one.call.connection is connection for one in held)
        connection.go_away(max(one.call.stream for one in held))
        # One that crosses the farewell is sent again.
        client.exchange("GET", "/later").verified()
        assert listener.connections == 2
        for one, number in zip(held, streams, strict=True):
            one.go.set()
            client.answer(number).verified()
        wait_until(lambda: not connection.is_open, "the end of the connection")


@pytest.mark.parametrize("method, is_repeated", [("GET", True), ("PUT", True), ("POST", False)])
def test_a_connection_that_dies_with_requests_in_flight(fresh, world, provider, method, is_repeated):
    paraph, _ = fresh()
    seen, both = [], threading.Barrier(2)

    def handler(call):
        call.verify()
        seen.append(call)
        if len(seen) > 2:
            return call.answer()
        both.wait(30)
        call.hang_up()

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        streams = [client.request(method, path, OCTETS, b"x" if method != "GET" else None) for _ in range(2)]
        for one in streams:
            answer = client.answer(one)
            if is_repeated:
                answer.verified()
            else:
                told = answer.problem(502, "connection_terminated")
                assert "closed the connection" in told
    assert len(seen) == (4 if is_repeated else 2)


def test_the_next_request_does_not_go_to_a_dead_connection(fresh, world, hold):
    paraph, listener = fresh(timeouts={"drain": "10s", "response_header": "1s"})
    held = hold()
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        client.exchange("GET", held.path).problem(504, "http_response_timeout")
        assert listener.connections == 1
        client.exchange("GET", "/next").verified()
        assert listener.connections == 2


def test_idle_connections_are_closed(fresh, world, provider):
    paraph, listener = fresh(timeouts={"drain": "10s", "idle": "1s"})
    calls = []

    def handler(call):
        calls.append(call)
        call.answer()

    path = provider.route(handler)
    for count in (1, 2):
        with HTTP2Client(paraph, world.HOST) as client:
            client.exchange("GET", path).verified()
            assert client.ended_with() == CODES.NO_ERROR
        wait_until(lambda: not calls[-1].connection.is_open, "the end of the upstream connection")
        assert listener.connections == count


def test_a_busy_connection_is_not_idle(fresh, world, hold):
    """Longer than an idle connection is kept."""
    paraph, listener = fresh(timeouts={"drain": "10s", "idle": "2s"})
    with HTTP2Client(paraph, world.HOST) as client:
        held = hold()
        one = client.request("GET", held.path)
        assert held.reached.wait(30)
        with HTTP2Client(paraph, world.HOST) as other:
            other.exchange("GET", "/x").verified()
            assert other.ended_with() == CODES.NO_ERROR
        held.go.set()
        client.answer(one).verified()


# Many requests


@pytest.mark.parametrize("streams, at_most", [(100, 2), (10, 25), (1, 110)])
def test_a_hundred_requests_at_once_on_no_connection(fresh, world, streams, at_most):
    paraph, listener = fresh()
    listener.streams = streams
    with HTTP2Client(paraph, world.HOST) as client:
        for _ in range(2):
            numbers = [client.request("POST", f"/x?n={n}", FORM, b"a=%d" % n) for n in range(100)]
            for one in numbers:
                client.answer(one).verified()
    assert listener.connections <= at_most, listener.connections


def test_many_clients_share_a_connection(fresh, world):
    paraph, listener = fresh()
    clients = [paraph.raw(f"{world.HOST}:443") for _ in range(20)]
    for one in clients:
        one.send(request("GET", "/x", world.HOST))
    for one in clients:
        one.receive().verified()
        one.close()
    # One for each event loop.
    assert listener.connections <= 4, listener.connections


# Flow control


MB = 1 << 20
ALLOWED_GROWTH = 24 * MB


def growth(paraph, transfer):
    before = paraph.memory("VmRSS")
    paraph.reset_peak_memory()
    transfer()
    return paraph.memory("VmHWM") - before


def test_a_client_that_does_not_read_holds_up_nothing_but_itself(proxies, listeners, world, provider, versions):
    """100 MB wait at the upstream, not in the proxy, and other requests on the same connections go on."""
    size, sent = 100 * MB, [0]

    def handler(call):
        call.verify()
        call.begin(200, OCTETS, size)
        for piece in stream(size):
            sent[0] += len(piece)
            call.write(piece)
        call.finish()

    path, paraph = provider.route(handler), proxies[versions[1]]

    def held_up():
        last = -1
        while last != sent[0]:
            last = sent[0]
            for _ in range(5):
                others.exchange("GET", "/other").verified()

    def by_http1():
        slow = paraph.raw(f"{world.HOST}:443")
        slow.send(request("GET", path, world.HOST))
        slow.receive_head()
        held_up()
        assert 0 < sent[0] < 40 * MB
        digest, rest = hashlib.sha256(), size
        for piece in slow.wire.pieces(rest):
            digest.update(piece)
        assert digest.hexdigest() == digest_of(size)
        slow.close()

    def by_http2():
        others.reads = False
        one = others.request("GET", path)
        others.head(one)
        held_up()
        assert 0 < sent[0] < 40 * MB
        others.reads, others.keeps = True, False
        with others.changed:
            others.h2.increment_flow_control_window(1 << 26)
            others.h2.increment_flow_control_window(1 << 26, one)
            others.flush()
        others.wait(lambda: others.streams[one].has_ended)
        assert others.streams[one].octets == size

    with HTTP2Client(paraph, world.HOST, window=1 << 24) as others:
        assert growth(paraph, by_http1 if versions[0] == 1 else by_http2) < ALLOWED_GROWTH


def test_an_upstream_that_does_not_read_holds_up_nothing_but_itself(proxies, world, provider, versions):
    size, go, sent = 100 * MB, threading.Event(), [0]

    def handler(call):
        assert go.wait(60)
        call.answer()

    path, paraph = provider.route(handler), proxies[versions[1]]
    if versions[0] == 1:
        pytest.skip("by HTTP/1.1 there is nothing else on the client's connection")

    def transfer():
        with HTTP2Client(paraph, world.HOST) as client:
            one = client.request("PUT", path, [*OCTETS, ("content-length", size)], ends=False)
            rest = size
            while rest:
                left = len(client.send_some(one, BLOCK[: min(rest, len(BLOCK))]))
                rest -= min(rest, len(BLOCK)) - left
                if left:
                    # Held up: another request goes through, and its answer may bring a window.
                    before = client.h2.local_flow_control_window(one)
                    client.exchange("GET", "/other").verified()
                    if client.h2.local_flow_control_window(one) == before and not go.is_set():
                        sent[0] = size - rest
                        assert sent[0] < 40 * MB
                        go.set()
            client.end(one)
            assert client.answer(one).verified()["body_length"] == size

    assert growth(paraph, transfer) < ALLOWED_GROWTH
    assert go.is_set(), "it was never held up"


# Authority, scheme, path


def test_the_authority_is_that_of_connect(proxies, world):
    with HTTP2Client(proxies[2], world.HOST) as client:
        for authority, status in [
            ("other.test.example", 421),
            ("api.test.example:8443", 421),
            ("api.test.example:443", 200),
            ("API.test.example", 200),
        ]:
            answer = client.exchange("GET", "/x", pseudo={":authority": authority})
            assert answer.status == status, authority
            (answer.verified if status == 200 else lambda: answer.problem(421))()


class Loose(HTTP2Client):
    """Sends what RFC 9113 forbids, too."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.h2.config.validate_outbound_headers = False
        self.h2.config.normalize_outbound_headers = False
        self.lower_case = False


def test_host_and_authority_say_the_same(proxies, world, listeners):
    with Loose(proxies[2], world.HOST) as client:
        requests = listeners[2].requests
        client.exchange("GET", "/x", [("host", "other.test.example")]).problem(400)
        assert listeners[2].requests == requests
        client.exchange("GET", "/x", [("host", world.HOST)]).verified()
        client.exchange("GET", "/x", [("host", world.HOST)], pseudo={":authority": None}).verified()


@pytest.mark.parametrize(
    "pseudo, status",
    [
        ({":path": "https://api.test.example/x"}, 400),
        ({":path": "https://other.test.example/x"}, 400),
        ({":path": "x"}, 400),
        ({":path": ""}, 400),
        ({":path": None}, 400),
        ({":scheme": "http"}, 421),
        ({":authority": None}, 400),
        ({":authority": "user@api.test.example"}, 400),
        ({":authority": "api.test.example, other.test.example"}, 400),
        ({":path": "*", ":method": "GET"}, 400),
    ],
)
def test_heads_that_are_not_forwarded(proxies, world, listeners, pseudo, status):
    requests = listeners[2].requests
    with Loose(proxies[2], world.HOST) as client:
        one = client.request(pseudo=pseudo)
        client.wait(lambda: client.streams[one].has_ended or client.streams[one].reset is not None)
        if client.streams[one].has_ended:
            client.answer(one).problem(status)
        else:
            assert client.streams[one].reset == CODES.PROTOCOL_ERROR
        assert listeners[2].requests == requests
        client.exchange("GET", "/next").verified()


@pytest.mark.parametrize(
    "fields",
    [
        [("connection", "close")],
        [("transfer-encoding", "chunked")],
        [("upgrade", "h2c")],
        [("te", "gzip")],
        [("X-Upper", "1")],
        [("x-bad", "a\r\nb: c")],
        [("x bad", "1")],
        [(":path", "/again")],
        [("content-length", "5"), ("content-length", "6")],
    ],
)
def test_fields_that_are_not_forwarded(proxies, world, listeners, fields):
    requests = listeners[2].requests
    with Loose(proxies[2], world.HOST) as client:
        one = client.request(fields=fields)
        client.wait(lambda: client.streams[one].has_ended or client.streams[one].reset is not None)
        if client.streams[one].has_ended:
            client.answer(one).problem(400)
        else:
            assert client.streams[one].reset == CODES.PROTOCOL_ERROR
        assert listeners[2].requests == requests
        client.exchange("GET", "/next").verified()


# Limits


def test_the_proxys_own_answers(fresh, world):
    paraph, listener = fresh({"signing": {"max_body": 10_000}}, limits={"header": "8KiB"})
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("POST", "/x", FORM, b"a=" + b"b" * 20_000).problem(413)
        client.exchange("GET", "/x", [("x-large", "a" * 20_000)]).problem(431)
        client.exchange("TRACE", "/x").problem(501)
        client.exchange("GET", "/x", [("paraph-account", "nobody")]).problem(403)
        client.exchange("GET", "/x", [("paraph-account", "alice"), ("paraph-account", "bob")]).problem(400)
        answer = client.exchange("HEAD", "/x", [("paraph-account", "nobody")])
        assert answer.status == 403 and answer.body == b""
        client.exchange("GET", "/x").verified()
    assert listener.requests == 1


# Tokens


def test_a_refused_token_is_replaced(launch, world, provider, certificates):
    listener = provider.listen(certificates.good, http2=ServerConnection)
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts, listener)}))
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/x").verified()
        for token in application.tokens.values():
            token.revoked = bool(token.value)
        streams = [client.request("POST", "/x", FORM, b"a=%d" % n) for n in range(10)]
        for one in streams:
            client.answer(one).verified()
    assert application.reverse_auth.second_steps == 2


# WebSocket


def test_a_websocket_goes_by_http1(proxies, world, provider, listeners):
    seen = []

    def handler(call):
        seen.append(call.head.start[2])
        call.check_alone()
        call.close = call.body_was_read = True
        assert call.head.value(b"upgrade") == b"websocket"
        call.send(b"HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        call.send(b"echo:" + next(call.wire.pieces(5)))

    with proxies[2].raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/x", world.HOST)).verified()
        fields = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
        fields += [("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")]
        client.send(request("GET", provider.route(handler), world.HOST, fields))
        head, _ = client.receive_head()
        assert head.start[1] == b"101"
        client.send(b"hello")
        assert b"".join(client.wire.pieces(10)) == b"echo:hello"
    assert seen == [b"HTTP/1.1"]


# Reload, stop, and what is pinned


def pinned(*leaves):
    pins = [public_key_pin(leaf) for leaf in leaves]
    return {"pinning": {"mode": "public_key", "pins": [*pins, "sha256/" + "A" * 42 + "8="]}}


def test_a_reload_asks_again_for_the_pins_of_open_connections(world, launch, provider, certificates, hold):
    """A connection is kept as long as its certificates pass; requests in flight on it end in any case."""
    listener = provider.listen(certificates.good, http2=ServerConnection)

    def configuration(*leaves):
        return world.configuration({"main": world.api(connect_to=listener, tls=pinned(*leaves))})

    good, wrong = certificates.good.leaf, certificates.expired.leaf
    paraph = launch(configuration(good))
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/x").verified()
        paraph.reload(configuration(good, certificates.other.leaf))
        client.exchange("GET", "/x").verified()
        assert listener.connections == 1, "kept"
        held = hold()
        one = client.request("GET", held.path)
        assert held.reached.wait(30)
        requests = listener.requests
        paraph.reload(configuration(wrong))
        client.exchange("GET", "/x").problem(502, "tls_certificate_error")
        assert listener.requests == requests, "nothing was sent"
        held.go.set()
        client.answer(one).verified()
        wait_until(lambda: not held.call.connection.is_open, "the end of the connection")
        paraph.reload(configuration(good))
        client.exchange("GET", "/x").verified()


def test_a_stop_lets_requests_end(fresh, world, hold):
    """The client is told of the end; what it has begun goes on, and then the process ends."""
    paraph, _ = fresh()
    held = hold()
    with HTTP2Client(paraph, world.HOST) as client:
        one = client.request("GET", held.path)
        assert held.reached.wait(30)
        paraph.signal(signal.SIGTERM)
        wait_until(lambda: not paraph.accepts(), "the end of the listener")
        held.go.set()
        # h2 takes GOAWAY for the end of all, so what comes is read by itself.
        frames = list(client.frames())
    farewells = [payload for kind, _, payload in frames if kind == 7]
    assert [int.from_bytes(payload[:4], "big") for payload in farewells] == [(1 << 31) - 1, one]
    assert {payload[4:8] for payload in farewells} == {bytes(4)}
    assert any(kind == 0 and number == one and b"verified" in payload for kind, number, payload in frames)
    assert paraph.stop() == 0


def test_requests_while_the_configuration_is_read_again(fresh, world):
    paraph, listener = fresh()
    with HTTP2Client(paraph, world.HOST) as client:
        for _ in range(5):
            streams = [client.request("POST", f"/x?n={n}", FORM, b"a=%d" % n) for n in range(50)]
            paraph.reload()
            for one in streams:
                client.answer(one).verified()
    assert listener.connections <= 4, listener.connections


# Off


def spoken(paraph, host):
    """What a client that can do both comes to speak with the proxy, and the proxy with the upstream."""
    with paraph.raw() as client:
        client.send(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n")
        assert client.receive("CONNECT").status == 200
        context = ssl.create_default_context(cafile=str(paraph.ca))
        context.set_alpn_protocols(["h2", "http/1.1"])
        with context.wrap_socket(client.wire.socket, server_hostname=host) as wire:
            return wire.selected_alpn_protocol()


@pytest.mark.parametrize(
    "entry, whole, client, upstream",
    [
        ({}, {}, "h2", b"HTTP/2"),
        ({}, {"http2": {"clients": "off"}}, "http/1.1", b"HTTP/2"),
        ({}, {"http2": {"upstreams": "off"}}, "h2", b"HTTP/1.1"),
        ({}, {"http2": "off"}, "http/1.1", b"HTTP/1.1"),
        ({"http2": "off"}, {}, "h2", b"HTTP/1.1"),
        ({"http2": "on"}, {"http2": {"upstreams": "off"}}, "h2", b"HTTP/2"),
    ],
)
def test_it_can_be_off_on_either_side(fresh, world, provider, entry, whole, client, upstream):
    seen = []

    def handler(call):
        seen.append(call.head.start[2])
        call.answer()

    paraph, _ = fresh(entry, **whole)
    ask(paraph, world.URL + provider.route(handler)).verified()
    assert (spoken(paraph, world.HOST), seen) == (client, [upstream])
