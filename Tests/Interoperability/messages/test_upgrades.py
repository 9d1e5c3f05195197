"""Upgrades to protocols other than WebSocket, by other programs, and their ends."""

import json
import shutil
import socket
import ssl
import subprocess

import pytest

from harness.clients import CURL, FOLDER, STALLED
from harness.raw import request
from harness.waiting import LIMIT


def switching_handler(call):
    """Switches to a protocol that sends back what comes, up to its end, in order."""
    assert call.verify()
    assert call.head.values(b"upgrade") == [b"echo"]
    call.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhello ")
    call.close = True
    while True:
        piece, call.wire.buffer = call.wire.buffer, b""
        if piece:
            call.send(piece)
        elif not call.wire.fill():
            call.send(b" bye")
            return


@pytest.fixture
def usual(launch, world):
    return launch(world.configuration())


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_curl_switches(usual, world, provider, scheme):
    path = provider.route(switching_handler)
    command = ["curl", "-sS", "--http1.1", "--no-buffer", *STALLED]
    command += ["-H", "Connection: Upgrade", "-H", "Upgrade: echo"]
    process = subprocess.Popen(
        [*command, f"{scheme}://{world.HOST}{path}"],
        stdout=subprocess.PIPE,
        env={**usual.environment(), **CURL.environment(usual)},
    )
    try:
        said = b""
        while b"hello " not in said:
            piece = process.stdout.read1()
            assert piece, said
            said += piece
        assert said == b"hello "
    finally:
        process.kill()
        process.wait(LIMIT)
        process.stdout.close()
    assert provider.requests_for(path)[0].verdict


@pytest.mark.skipif(not shutil.which("node"), reason="no node")
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_node_switches_and_half_closes(usual, world, provider, scheme):
    path = provider.route(switching_handler)
    job = {"proxy": usual.url, "url": f"{scheme}://{world.HOST}{path}", "ca": str(usual.ca), "say": "to and fro"}
    done = subprocess.run(
        ["node", str(FOLDER / "upgrade.mjs")],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=usual.environment(),
    )
    assert (done.returncode, done.stdout) == (0, "101 hello to and fro bye"), done.stderr


class HalfClosing:
    """A TLS client by OpenSSL that ends its side and reads on, and can tell how the other side ends."""

    def __init__(self, socket, host, ca):
        self.socket, self.incoming, self.outgoing = socket, ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context(cafile=str(ca))
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname=host)
        self.do(self.tls.do_handshake)

    def do(self, step):
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                self.push()
                if data := self.socket.recv(65536):
                    self.incoming.write(data)
                else:
                    self.incoming.write_eof()
            finally:
                self.push()

    def push(self):
        if data := self.outgoing.read():
            self.socket.sendall(data)

    def send(self, data):
        self.do(lambda: self.tls.write(data))

    def end(self):
        """close_notify, and TCP's end behind it."""
        try:
            self.tls.unwrap()
        except ssl.SSLWantReadError:
            pass
        self.push()
        self.socket.shutdown(socket.SHUT_WR)

    def read(self):
        """b"" at an end in order; SSLEOFError at any other."""
        try:
            return self.do(lambda: self.tls.read(65536))
        except ssl.SSLZeroReturnError:
            return b""


def test_an_end_in_order_passes_both_ways_by_openssl(usual, world, provider):
    path = provider.route(switching_handler)
    with usual.raw(f"{world.HOST}:443", tls=False) as tunnel:
        client = HalfClosing(tunnel.wire.socket, world.HOST, usual.ca)
        client.send(request("GET", path, world.HOST, [("Connection", "Upgrade"), ("Upgrade", "echo")]))
        client.send(b"to and fro")
        client.end()
        said = b""
        while piece := client.read():
            said += piece
        head, _, rest = said.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        assert rest == b"hello to and fro bye"
