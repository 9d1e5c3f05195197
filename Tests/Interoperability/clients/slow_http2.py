"""An HTTP/2 client that takes a response in small windows until the input ends, and the rest then:
PROXY CA HOST PATH WINDOW LENGTH"""

import select
import sys
from types import SimpleNamespace

from harness.http2_client import HTTP2Client
from harness.http2_connection import SETTINGS

INTERVAL = 0.05

proxy, ca, host, path, window, length = sys.argv[1:]
window, length = int(window), int(length)
with HTTP2Client(SimpleNamespace(proxy=proxy, ca=ca), host, {SETTINGS.INITIAL_WINDOW_SIZE: window}) as client:
    client.reads = False
    number = client.request("GET", path)
    one, opened = client.streams[number], window

    def open_window(count):
        global opened
        client.h2.increment_flow_control_window(count, number)
        client.flush()
        opened += count

    client.wait(lambda: one.octets == opened or one.reset)
    print("begun", flush=True)
    while not select.select([sys.stdin], [], [], INTERVAL)[0]:
        assert opened + window < length, "all of it was taken too soon"
        open_window(window)
        client.wait(lambda: one.octets == opened or one.reset)
        assert one.reset is None, one.reset
    open_window(length - opened)
    print(len(client.answer(number).body), flush=True)
