"""An HTTP/2 client that takes a response in small windows, for longer than another response lives of which nothing is
taken, and until the input ends; then the rest: PROXY CA HOST PATH LENGTH"""

import select
import sys
from types import SimpleNamespace

from harness.http2_client import HTTP2Client
from harness.http2_connection import CODES, SETTINGS, Closed

# Of less than 1024 bytes in a whole limit the proxy takes no notice.
WINDOW, INTERVAL = 256, 0.05

proxy, ca, host, path, length = sys.argv[1:]


def connected():
    settings = {SETTINGS.INITIAL_WINDOW_SIZE: WINDOW}
    client = HTTP2Client(SimpleNamespace(proxy=proxy, ca=ca), host, settings, window=int(length))
    client.reads = False
    return client


def is_cut(client, number):
    """Looks what has come of a response of which nothing more is taken."""
    one = client.streams[number]
    try:
        while client.await_socket(select.POLLIN, 0):
            client.step()
    except Closed:
        return True
    assert not one.has_ended
    return one.reset is not None


with connected() as slow, connected() as stalled:
    while slow.head(number := slow.request("GET", path)).status != 200:
        # The upstream may stand still for longer than is waited for it.
        assert slow.streams[number].status == 504
        slow.reset(number, CODES.CANCEL)
    one, opened = slow.streams[number], WINDOW
    other, outlived = stalled.request("GET", path), False
    while not outlived or not select.select([sys.stdin], [], [], INTERVAL)[0]:
        slow.wait(lambda: one.byte_count == opened or one.reset)
        assert one.reset is None, one.reset
        if not outlived and is_cut(stalled, other):
            outlived = True
            print("outlived", flush=True)
        assert opened + WINDOW < int(length), "all of it was taken too soon"
        slow.h2.increment_flow_control_window(WINDOW, number)
        slow.flush()
        opened += WINDOW
        if not outlived:
            stalled.await_socket(select.POLLIN, INTERVAL)
    slow.h2.increment_flow_control_window(int(length) - opened, number)
    slow.flush()
    print(len(slow.answer(number).body), flush=True)
