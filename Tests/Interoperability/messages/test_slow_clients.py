"""Clients that have not yet read all of a response whose exchange is over for the proxy."""

import signal
import socket
import ssl
import threading

import pytest

from harness.raw import request
from harness.separate import SeparateClient
from harness.waiting import LIMIT, wait_until

# Somewhere in between the system takes nearly all of a response, and the rest waits in the proxy.
SIZES = range(2_400_000, 4_800_000, 25_000)


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("event", ["stop", "reload", "half-close"])
def test_a_response_comes_to_its_end(launch, world, provider, certificates, secure, event):
    listener = provider.listen(certificates.good)
    paraph = launch(world.configuration({"main": world.api(connect_to=listener)}))

    def answer(call):
        call.read_body()
        size = int(call.record.target.rpartition(b"=")[2])
        call.begin(200, [], size)
        call.write(b"x" * size)
        call.finish()

    path = provider.route(answer)
    clients = [ask(paraph, world, f"{path}?size={size}", secure) for size in SIZES]
    if event == "half-close":
        for client in clients:
            socket.socket.shutdown(client, socket.SHUT_WR)  # of TCP alone: TLS says nothing
    provider.wait(lambda: len(provider.requests_for(path)) == len(SIZES))
    wait_until(lambda: sum('"status":200' in line for line in paraph.lines) > len(SIZES) // 4, "some to be over")
    if event == "stop":
        paraph.signal(signal.SIGTERM)
    elif event == "reload":
        paraph.reload(world.configuration({"other": world.api(["else.test.example"], connect_to=listener)}))
    assert [size for size, client in zip(SIZES, clients) if body_length(client, size) != size] == []


@pytest.mark.parametrize("ends", [True, False])
def test_a_response_by_http2_that_is_taken_slowly_comes_to_its_end(launch, world, provider, certificates, ends):
    """Over more time than nothing may move. What it ends with is in the proxy meanwhile, or has not been sent."""
    listener, go, length = provider.listen(certificates.good), threading.Event(), 48_000 if ends else 1_000_000
    paraph = launch(world.configuration({"main": world.api(connect_to=listener)}, timeouts={"idle": "3s"}))
    begun, done = [], []

    def answer(call):
        begun.append(call)
        # By one write: nothing of it may be late.
        head, body = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length, b"x" * length
        try:
            call.send(head + (body if ends else body[1:]))
            if not ends:
                assert go.wait(LIMIT)
                call.send(body[:1])
        finally:
            done.append(call)

    with SeparateClient("slow_http2.py", paraph.proxy, paraph.ca, world.HOST, provider.route(answer), length) as slow:
        if ends:
            slow.finish()
        slow.expect("outlived")
        if not ends:
            go.set()
            slow.finish()
        slow.expect(length)
    wait_until(lambda: len(done) == len(begun), "the provider to be done")


def ask(paraph, world, target, secure):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    host, _, port = paraph.proxy.rpartition(":")
    client.connect((host, int(port)))
    client.settimeout(LIMIT)
    if secure:
        client.sendall(b"CONNECT %b:443 HTTP/1.1\r\nHost: %b:443\r\n\r\n" % ((world.HOST.encode(),) * 2))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += client.recv(1)
        client = ssl.create_default_context(cafile=str(paraph.ca)).wrap_socket(client, server_hostname=world.HOST)
    client.sendall(request("GET", target if secure else f"http://{world.HOST}{target}", world.HOST))
    return client


def body_length(client, size):
    """As far as it goes, and no further than `size`."""
    received, head = 0, b""
    with client:
        while received < size:
            data = client.recv(1 << 18)
            if not data:
                break
            if b"\r\n\r\n" not in head:
                head += data
                data = head.partition(b"\r\n\r\n")[2]
            received += len(data)
    return received
