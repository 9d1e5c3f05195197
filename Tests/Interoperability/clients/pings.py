"""A WebSocket on which pings are sent until the input has ended and a message has come back, and nothing after that:
PROXY CA HOST PATH"""

import select
import sys

from harness.raw import RawClient, request

# From a client frames are masked: here by nothing.
PING = b"\x89\x80\0\0\0\0"
INTERVAL = 0.05

proxy, ca, host, path = sys.argv[1:]
fields = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
opening = request("GET", path, host, [*fields, ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")])


def opened():
    """The server may stand still for longer than is waited for it."""
    while True:
        client = RawClient(proxy, f"{host}:443", ca)
        client.send(opening)
        head, _ = client.receive_head()
        if head.start[1] == b"101":
            return client
        assert head.start[1] == b"504", head.raw
        client.close()


with opened() as client:
    print("open", flush=True)
    while not select.select([sys.stdin], [], [], INTERVAL)[0]:
        client.send(PING)
    client.send(b"\x81\x85\0\0\0\0alive")
    while b"\x81\x05alive" not in client.wire.buffer:
        client.send(PING)
        if select.select([client.wire.socket], [], [], INTERVAL)[0]:
            assert client.wire.fill(), "closed"
    print("alive", flush=True)
    try:
        while client.wire.fill():
            pass
    except OSError:
        pass
    print("closed", flush=True)
