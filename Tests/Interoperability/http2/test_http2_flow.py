"""Many requests at once by HTTP/2, and flow control: who does not read holds up nothing but himself."""

import hashlib
import threading

import pytest

from harness.http2_client import HTTP2Client
from harness.http2_sides import FORM, OCTET_STREAM
from harness.raw import is_writable, request
from harness.streams import BLOCK, digest_of, stream
from harness.waiting import LIMIT


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
    size, sent, calls = 100 * MB, [0], []

    def handler(call):
        calls.append(call)
        call.verify()
        call.begin(200, OCTET_STREAM, size)
        for piece in stream(size):
            sent[0] += len(piece)
            call.write(piece)
        call.finish()

    path, paraph = provider.route(handler), proxies[versions[1]]

    def is_blocked():
        if versions[1] == 1:
            return not is_writable(calls[0].wire.socket)
        with calls[0].connection.changed:
            return calls[0].connection.h2.local_flow_control_window(calls[0].stream) <= 0

    def held_up():
        last = 0
        while last == 0 or last != sent[0] or not is_blocked():
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
        assert others.streams[one].byte_count == size

    with HTTP2Client(paraph, world.HOST, window=1 << 24) as others:
        assert growth(paraph, by_http1 if versions[0] == 1 else by_http2) < ALLOWED_GROWTH


def test_an_upstream_that_does_not_read_holds_up_nothing_but_itself(proxies, world, provider, versions):
    size, go = 100 * MB, threading.Event()

    def handler(call):
        assert go.wait(LIMIT)
        call.answer()

    path, paraph = provider.route(handler), proxies[versions[1]]
    if versions[0] == 1:
        pytest.skip("by HTTP/1.1 there is nothing else on the client's connection")

    def transfer():
        with HTTP2Client(paraph, world.HOST) as client:
            one = client.request("PUT", path, [*OCTET_STREAM, ("content-length", size)], ends=False)
            rest = size
            while rest:
                piece = BLOCK[: min(rest, len(BLOCK))]
                rest -= len(piece) - len(client.send_some(one, piece))
                if client.h2.local_flow_control_window(one) > 0:
                    continue
                if go.is_set():
                    client.step()
                    continue
                # Held up: other requests go through, and their answers may bring a window.
                for _ in range(5):
                    client.exchange("GET", "/other").verified()
                if client.h2.local_flow_control_window(one) == 0:
                    assert size - rest < 40 * MB
                    go.set()
            client.end(one)
            assert client.answer(one).verified()["body_length"] == size

    assert growth(paraph, transfer) < ALLOWED_GROWTH
    assert go.is_set(), "it was never held up"
