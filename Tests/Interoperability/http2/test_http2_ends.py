"""HTTP/2's ends on either side: streams that are reset, requests that were not processed, connections that end."""

import threading

import pytest

from harness.http2_client import HTTP2Client
from harness.http2_connection import CODES
from harness.http2_sides import FORM, OCTET_STREAM, client_of
from harness.raw import request
from harness.waiting import LIMIT, wait_until


@pytest.fixture
def client(versions, proxies, world):
    with client_of(versions, proxies, world.HOST) as made:
        yield made


# Resets


@pytest.mark.parametrize("code", [CODES.CANCEL, CODES.NO_ERROR, CODES.INTERNAL_ERROR])
@pytest.mark.parametrize("before", [b"", b"abc"])
def test_a_clients_reset_reaches_the_upstream(proxies, world, hold, code, before):
    held = hold(before)
    with HTTP2Client(proxies[2], world.HOST) as client:
        one = client.request("GET", held.path)
        assert held.reached.wait(LIMIT)
        if before:
            client.head(one)
        client.reset(one, code)
        assert held.call.has_reset.wait(LIMIT)
        assert held.call.reset_by == code
        client.exchange("GET", "/next").verified()


def test_a_client_that_is_gone_has_its_request_cancelled(proxies, world, hold):
    held = hold()
    with HTTP2Client(proxies[2], world.HOST) as client:
        client.request("GET", held.path)
        assert held.reached.wait(LIMIT)
    assert held.call.has_reset.wait(LIMIT)
    assert held.call.reset_by == CODES.CANCEL


def test_a_clients_reset_ends_an_http1_connection(proxies, world, hold):
    held = hold()
    with HTTP2Client(proxies[1], world.HOST) as client:
        one = client.request("GET", held.path)
        assert held.reached.wait(LIMIT)
        client.reset(one, CODES.CANCEL)
        # What is read there is the end.
        held.call.wire.socket.settimeout(LIMIT)
        assert held.call.wire.socket.recv(1) == b""
        client.exchange("GET", "/next").verified()


@pytest.mark.parametrize("code", [CODES.INTERNAL_ERROR, CODES.CANCEL, CODES.ENHANCE_YOUR_CALM, 0x7777])
@pytest.mark.parametrize("before", [b"", b"abc"])
def test_an_upstreams_reset_reaches_the_client(client, versions, provider, hold, code, before):
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 has no reset")
    held = hold(before, after=lambda call: call.abort(code))
    if versions[0] == 2:
        one = client.request("POST", held.path, OCTET_STREAM, b"x")
        if before:
            client.wait(lambda: client.streams[one].body == before)
        held.go.set()
        client.wait(lambda: client.streams[one].reset is not None)
        assert client.streams[one].reset == code
        client.exchange("GET", "/next").verified()
        return
    client.raw.send(request("POST", held.path, client.host, OCTET_STREAM, b"x"))
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


@pytest.mark.parametrize("how, times", [("reset", 2), ("goaway", 6), ("calm down", 2)])
def test_what_is_never_processed_fails_at_last(client, versions, provider, how, times):
    """A server that refuses streams has enough to do; one that ends its connections takes the next one."""
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 cannot say so")
    seen = []

    def handler(call):
        seen.append(call)
        if how == "reset":
            call.abort(CODES.REFUSED_STREAM)
        code = CODES.ENHANCE_YOUR_CALM if how == "calm down" else CODES.NO_ERROR
        call.connection.go_away(call.stream - 2 if call.stream > 1 else 0, code)

    path = provider.route(handler)
    if versions[0] == 1:
        detail = client.exchange("GET", path).problem(502)
        assert "did not process the request" in detail
    else:
        assert client.reset_code(client.request("GET", path)) == CODES.REFUSED_STREAM
    assert len(seen) == times


def test_what_is_refused_after_early_hints_is_sent_again(client, versions, provider):
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 cannot say so")
    seen = []

    def handler(call):
        seen.append(call)
        call.interim(103, [("link", "</style.css>")])
        if len(seen) == 1:
            call.abort(CODES.REFUSED_STREAM)
        call.answer()

    client.exchange("POST", provider.route(handler), FORM, b"a=1").verified()
    assert len(seen) == 2


def test_what_may_have_been_processed_is_not_called_unprocessed(client, versions, provider):
    """An attempt on a connection that died came before those that were refused."""
    if versions[1] == 1:
        pytest.skip("HTTP/1.1 cannot say so")
    seen = []

    def handler(call):
        seen.append(call)
        if len(seen) == 1:
            call.hang_up()
        call.abort(CODES.REFUSED_STREAM)

    client.exchange("GET", "/first").verified()
    assert "may or may not have been carried out" in client.exchange("GET", provider.route(handler)).problem(502)
    assert len(seen) == 3


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


def test_a_goaway_with_requests_in_flight(fresh, world, hold):
    """What was admitted ends in order, and what comes later goes by another connection."""
    paraph, listener = fresh()
    held = [hold() for _ in range(3)]
    with HTTP2Client(paraph, world.HOST) as client:
        streams = [client.request("GET", one.path) for one in held]
        assert all(one.reached.wait(LIMIT) for one in held)
        connection = held[0].call.connection
        assert all(one.call.connection is connection for one in held)
        connection.go_away(max(one.call.stream for one in held))
        # One that crosses the GOAWAY is sent again.
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
        both.wait(LIMIT)
        call.hang_up()

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        streams = [client.request(method, path, OCTET_STREAM, b"x" if method != "GET" else None) for _ in range(2)]
        for one in streams:
            answer = client.answer(one)
            if is_repeated:
                answer.verified()
            else:
                told = answer.problem(502, "connection_terminated")
                assert "closed the connection" in told
    assert len(seen) == (4 if is_repeated else 2)


def test_the_next_request_does_not_go_to_a_dead_connection(fresh, world, hold):
    paraph, listener = fresh()
    held = hold()
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        usual = paraph.configuration
        limited = {**usual["apis"]["main"], "timeouts": {"response_header": "500ms"}}
        paraph.reload({**usual, "apis": {"main": limited}})
        client.exchange("GET", held.path).problem(504, "http_response_timeout")
        assert listener.connections == 1, "a reload does not end it"
        paraph.reload(usual)
        client.exchange("GET", "/next").verified()
        assert listener.connections == 2


def test_idle_connections_are_closed(fresh, world, provider):
    paraph, listener = fresh(timeouts={"idle": "1s"})
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
    paraph, listener = fresh(timeouts={"idle": "1s"})
    with HTTP2Client(paraph, world.HOST) as client:
        held = hold()
        one = client.request("GET", held.path)
        assert held.reached.wait(LIMIT)
        with HTTP2Client(paraph, world.HOST) as other:
            other.exchange("GET", "/x").verified()
            assert other.ended_with() == CODES.NO_ERROR
        held.go.set()
        client.answer(one).verified()
