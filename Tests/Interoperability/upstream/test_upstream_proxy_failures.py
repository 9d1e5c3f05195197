"""`upstream_proxy`: another proxy that refuses, fails or answers strangely, and tunnels that break."""

from contextlib import nullcontext

import pytest

from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until
from harness.watched_proxy import refused_by, says, wrong


def test_wrong_credentials(start, world, other):
    paraph = start(whole={"upstream_proxy": wrong(other), "access": {"connect_ports": [world.other.port]}})
    words = "407", "upstream_proxy.password", world.HOST
    for scheme in ("https", "http"):
        refused_by(other, ask(paraph, f"{scheme}://{world.HOST}/x").problem(502, "connection_refused"), *words)
    told = ask(paraph, f"https://{world.other.address}/t").problem(502, "connection_refused")
    refused_by(other, told, "407", world.other.address)
    for arguments in (("pins", world.HOST), ("pins", "--check")):
        code, said = paraph.command(*arguments)
        assert code == 69 and "407" in said, said
    assert not other.opened


def silence(tunnel, connection):
    connection.recv(1)


FAILURES = {
    "403": (says(b"HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno\n"), 502, ["403", "rules"]),
    "502 without a length": (says(b"HTTP/1.1 502 Down\r\n\r\nsomething"), 502, ["502"]),
    "a redirect": (says(b"HTTP/1.1 302 Found\r\nLocation: http://portal/\r\nContent-Length: 0\r\n\r\n"), 502, ["302"]),
    "it closes": (says(b""), 502, ["closed"]),
    "it closes in the middle": (says(b"HTTP/1.1 200 Conn"), 502, ["closed"]),
    "no HTTP": (says(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), 502, ["HTTP"]),
    "a head without an end": (says(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, False), 502, ["HTTP"]),
    "silence": (silence, 504, ["timeouts.connect"]),
}


@pytest.mark.parametrize("title", FAILURES)
def test_a_proxy_that_fails(start, world, other, title):
    behave, status, words = FAILURES[title]
    other.behave = behave
    paraph = start()
    with paraph.limited(connect="500ms") if behave is silence else nullcontext():
        refused_by(other, ask(paraph, f"{world.URL}/x").problem(status), *words, world.HOST)
    wait_until(lambda: all(tunnel.is_over for tunnel in other.tunnels), "the connection to be closed")
    other.behave = None
    ask(paraph, f"{world.URL}/x").verified()


def test_a_proxy_that_is_not_there(start, world, other):
    other.close()
    paraph = start()
    refused_by(other, ask(paraph, f"{world.URL}/x").problem(502, "connection_refused"), "upstream_proxy", world.HOST)


def in_pieces(*pieces):
    def behave(other):
        def answer(tunnel, connection):
            for piece in pieces[:-1]:
                connection.sendall(piece)
            other.open(tunnel, connection, pieces[-1])

        return answer

    return behave


ANSWERS = {
    "byte by byte": in_pieces(*(bytes([byte]) for byte in b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n")),
    "after 100 and 103": in_pieces(b"HTTP/1.1 100 x\r\n\r\n", b"HTTP/1.1 103 x\r\n\r\n", b"HTTP/1.1 200 x\r\n\r\n"),
    "HTTP/1.0": in_pieces(b"HTTP/1.0 200 Connection established\r\nProxy-agent: Apache\r\n\r\n"),
    "another 2xx": in_pieces(b"HTTP/1.1 204 Fine\r\n\r\n"),
    "a length that means nothing": in_pieces(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "a coding that means nothing": in_pieces(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
}


@pytest.mark.parametrize("title", ANSWERS)
def test_answers_that_open_a_tunnel(start, world, other, title):
    other.behave = ANSWERS[title](other)
    paraph = start()
    ask(paraph, f"{world.URL}/x").verified()


def test_a_tunnel_that_breaks_under_a_request(start, world, other, hold):
    """Nothing is sent again that was perhaps carried out."""
    held = hold()
    connections = []
    other.behave = lambda tunnel, connection: (connections.append(connection), other.open(tunnel, connection))
    paraph = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("POST", held.path, world.HOST, body=b""))
        assert held.reached.wait(LIMIT)
        connections[0].shutdown(2)
        client.receive().problem(502, "connection_terminated")
    held.go.set()
    assert len(world.provider.requests_for(held.path)) == 1
