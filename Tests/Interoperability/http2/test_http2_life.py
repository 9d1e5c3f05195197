"""Reloads and the stop of a proxy that speaks HTTP/2, and where it speaks HTTP/1.1 instead."""

import signal
import ssl

import pytest

from harness.certificates import public_key_pin
from harness.http2_client import HTTP2Client
from harness.http2_server import ServerConnection
from harness.http2_sides import FORM
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until


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
        assert held.reached.wait(LIMIT)
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
        assert held.reached.wait(LIMIT)
        paraph.signal(signal.SIGTERM)
        wait_until(lambda: not paraph.accepts(), "the end of the listener")
        held.go.set()
        # h2 takes GOAWAY for the end of all, so what comes is read by itself.
        frames = list(client.frames())
    goaways = [payload for kind, _, payload in frames if kind == 7]
    assert [int.from_bytes(payload[:4], "big") for payload in goaways] == [(1 << 31) - 1, one]
    assert {payload[4:8] for payload in goaways} == {bytes(4)}
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
