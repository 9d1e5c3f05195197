"""What is done to servers of HTTP/2: whoever does it is cut off, costs little memory, and disturbs nobody else."""

import itertools
import ssl
import threading
from contextlib import contextmanager

import pytest

from harness.http2_client import HTTP2Client
from harness.http2_connection import CODES, SETTINGS, Closed, frame
from harness.http2_server import ServerConnection
from harness.streams import stream
from harness.waiting import LIMIT, wait_until

MB = 1 << 20
ALLOWED_GROWTH = 32 * MB
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS_FRAME, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    0,
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    9,
)
END_STREAM, END_HEADERS, ACK = 1, 4, 1


@pytest.fixture(scope="module")
def listener(provider, certificates):
    return provider.listen(certificates.good, http2=ServerConnection)


@pytest.fixture(scope="module")
def paraph(world, listener, launch_for_session):
    made = launch_for_session(world.configuration({"main": world.api(connect_to=listener)}))
    for _ in range(3):
        with HTTP2Client(made, world.HOST) as client:
            client.exchange("GET", "/warm").verified()
    return made


class Other:
    """Another client, which asks all the time."""

    def __init__(self, paraph, world):
        self.paraph, self.world = paraph, world
        self.done, self.stays = threading.Event(), threading.Event()
        self.count, self.wrong = 0, []
        self.asking = threading.Thread(target=self.ask, daemon=True)
        self.asking.start()

    def ask(self):
        while not self.done.is_set():
            try:
                with HTTP2Client(self.paraph, self.world.HOST) as client:
                    self.ask_by(client)
            except Exception as error:
                self.wrong.append(repr(error))
                return

    def ask_by(self, client):
        """By one connection, until it is time for another one."""
        for number in itertools.count(1):
            one = client.request("GET", "/other")
            try:
                client.answer(one).verified()
            except (Closed, OSError):
                # It may have been idle, where little may be: that is said, and that nothing of the request was done.
                client.ended_with()
                end = client.went_away
                assert end and end.error_code == CODES.NO_ERROR and end.last_stream_id < one, repr(end)
                return
            self.count += 1
            if self.done.is_set() or number >= 20 and not self.stays.is_set():
                return

    def is_served(self):
        so_far = self.count
        wait_until(lambda: self.count > so_far or self.wrong, "another client's answer")

    def end(self):
        self.is_served()
        self.done.set()
        self.asking.join(LIMIT)
        assert not self.wrong, self.wrong


@pytest.fixture(autouse=True)
def others_are_served_on(paraph, world, request):
    """Whatever is done, another client is served, and memory does not grow."""
    before, code = paraph.memory("VmRSS"), paraph.memory("RssFile")
    paraph.reset_peak_memory()
    other = Other(paraph, world)
    yield other
    other.end()
    # What the program runs for the first time is mapped then: that is no memory of a client's.
    growth = paraph.memory("VmHWM") - before - max(0, paraph.memory("RssFile") - code)
    marks = [mark.args[0] for mark in request.node.iter_markers("growth")]
    assert growth < (marks or [ALLOWED_GROWTH])[0], f"{growth >> 20} MB"


@pytest.fixture
def limited(paraph, others_are_served_on):
    """Makes a time short, while the other client keeps its connection: one that is being made needs its time."""

    @contextmanager
    def limit(**timeouts):
        others_are_served_on.stays.set()
        others_are_served_on.is_served()
        with paraph.limited(**timeouts):
            yield
        others_are_served_on.stays.clear()

    return limit


@pytest.fixture
def attacker(paraph, world):
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        yield client


def flood(client, frames, at_most):
    """Writes until the proxy ends the connection; with which code."""
    try:
        for data in itertools.islice(frames, at_most):
            client.write(data)
    except OSError:
        pass
    codes = [payload[4:8] for kind, _, payload in client.frames() if kind == GOAWAY]
    return CODES(int.from_bytes(codes[-1], "big")) if codes else None


def head(client, fields=(), path="/x"):
    start = [(":method", "GET"), (":scheme", "https"), (":authority", client.authority), (":path", path)]
    return client.h2.encoder.encode([*start, *fields])


def numbers():
    return itertools.count(3, 2)


def test_rapid_reset(attacker):
    cancel = int(CODES.CANCEL).to_bytes(4, "big")
    frames = (
        frame(HEADERS, END_STREAM | END_HEADERS, n, head(attacker)) + frame(RST_STREAM, 0, n, cancel) for n in numbers()
    )
    assert flood(attacker, frames, 20_000) == CODES.ENHANCE_YOUR_CALM


def test_resets_that_the_proxy_is_made_to_send(attacker):
    """CVE-2025-8671."""
    update = frame(WINDOW_UPDATE, 0, 0, b"\0\0\0\0")[:5]
    frames = (
        frame(HEADERS, END_HEADERS, n, head(attacker)) + update + n.to_bytes(4, "big") + b"\0\0\0\0" for n in numbers()
    )
    assert flood(attacker, frames, 20_000) == CODES.ENHANCE_YOUR_CALM


@pytest.mark.parametrize("piece", [b"", b"a" * 10])
def test_endless_continuation(attacker, piece):
    start = frame(HEADERS, END_STREAM, 3, head(attacker))
    frames = itertools.chain([start], itertools.repeat(frame(CONTINUATION, 0, 3, piece)))
    assert flood(attacker, frames, 20_000) == CODES.ENHANCE_YOUR_CALM


def test_a_header_block_of_many_megabytes(attacker):
    start = frame(HEADERS, END_STREAM, 3, head(attacker))
    frames = itertools.chain([start], itertools.repeat(frame(CONTINUATION, 0, 3, b"\x00\x01x\x7f\x80\x7f" * 2_000)))
    assert flood(attacker, frames, 20_000) == CODES.ENHANCE_YOUR_CALM


def test_a_header_bomb(attacker, listener):
    """One large field, named again and again by one byte."""
    large = head(attacker, [("x-bomb", "a" * 3_000)])
    again = head(attacker, [("x-bomb", "a" * 3_000)] * 5_000)
    assert len(again) < 16_000
    blocks = frame(HEADERS, END_STREAM | END_HEADERS, 3, large)
    blocks += b"".join(frame(HEADERS, END_STREAM | END_HEADERS, n, again) for n in range(5, 105, 2))
    before = listener.requests
    attacker.write(blocks + frame(SETTINGS_FRAME, 0, 0, b"?"))
    answered = [stream for kind, stream, _ in attacker.frames() if kind == HEADERS]
    assert set(range(5, 105, 2)) <= set(answered), "431 for each"
    assert listener.requests - before < 1_000


@pytest.mark.parametrize(
    "one",
    [
        frame(SETTINGS_FRAME, 0, 0),
        frame(SETTINGS_FRAME, 0, 0, b"\x00\x04\x00\x00\x10\x00" * 10),
        frame(PING, 0, 0, b"12345678"),
        frame(PING, ACK, 0, b"12345678"),
        frame(PRIORITY, 0, 5, b"\0\0\0\0\x10"),
        frame(WINDOW_UPDATE, 0, 0, b"\0\0\0\1"),
        frame(0x77, 0, 0, b"?"),
        frame(SETTINGS_FRAME, ACK, 0),
    ],
    ids=["settings", "settings-of-ten", "ping", "pong", "priority", "window-update", "unknown", "acknowledgement"],
)
def test_floods_of_frames_that_move_nothing(attacker, one):
    assert flood(attacker, itertools.repeat(one * 20), 5_000) == CODES.ENHANCE_YOUR_CALM


def test_a_flood_whose_answers_are_not_read(paraph, world):
    client = HTTP2Client(paraph, world.HOST)
    client.socket.settimeout(LIMIT)
    with pytest.raises((ConnectionError, ssl.SSLError)):
        for _ in range(200_000):
            client.socket.sendall(frame(PING, 0, 0, b"12345678") * 100)
    client.close()


def test_empty_data_frames(attacker):
    attacker.write(
        frame(
            HEADERS,
            END_HEADERS,
            3,
            attacker.h2.encoder.encode(
                [(":method", "POST"), (":scheme", "https"), (":authority", attacker.authority), (":path", "/x")]
            ),
        )
    )
    assert flood(attacker, itertools.repeat(frame(DATA, 0, 3) * 20), 5_000) == CODES.ENHANCE_YOUR_CALM


def test_a_body_in_single_bytes_that_nobody_takes(paraph, world, provider):
    """Each comes in a TLS record of its own, and waits for the upstream."""
    go = threading.Event()

    def handler(call):
        assert go.wait(LIMIT)
        call.answer()

    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        path = provider.route(handler)
        one = client.request("PUT", path, [("content-type", "x/y")], ends=False)
        for _ in range(20_000):
            client.h2.send_data(one, b"a")
            client.flush()
            if client.h2.local_flow_control_window(one) == 0:
                break
        go.set()
        client.end(one)
        assert client.answer(one).verified()["body_length"] > 10_000


@pytest.mark.growth(4 * 100 * 65_536)
def test_a_client_that_opens_no_window(paraph, world, provider, limited):
    """A hundred large answers, none of which is taken: of each a window is held here, and they are given up in time."""
    calls, written, over, go = [], [], [], threading.Event()

    def handler(call):
        calls.append(call)
        try:
            assert go.wait(LIMIT)
            call.begin(200, length=50 * MB)
            for piece in stream(50 * MB):
                call.write(piece)
            written.append(call)
        finally:
            over.append(call)

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST, {SETTINGS.INITIAL_WINDOW_SIZE: 0}) as client:
        streams = [client.request("GET", path) for _ in range(100)]
        provider.wait(lambda: len(calls) == len(streams), what="the requests")
        with limited(idle="1s"):
            go.set()
            for one in streams:
                client.wait(lambda one=one: client.streams[one].reset is not None)
                assert client.streams[one].byte_count == 0
            client.wait(lambda: client.went_away)
            assert client.ended_with() == CODES.NO_ERROR
    # By a reset, or by the end of a connection that has none left.
    provider.wait(lambda: len(over) == len(streams), what="the upstream to be told")
    assert not written


def test_small_answers_that_nobody_takes(paraph, world, provider, limited):
    """They are over for the upstream, and wait here for a window."""
    go = threading.Event()

    def handler(call):
        assert go.wait(LIMIT)
        call.answer()

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST, {SETTINGS.INITIAL_WINDOW_SIZE: 0}) as client:
        streams = [client.request("GET", path) for _ in range(100)]
        provider.wait(lambda: len(provider.requests_for(path)) == len(streams), what="the requests")
        with limited(idle="1s"):
            go.set()
            client.wait(lambda: all(client.streams[one].status for one in streams))
            assert client.ended_with() == CODES.NO_ERROR
        assert not any(client.streams[one].byte_count for one in streams)


def test_windows_that_open_by_single_bytes(paraph, world, provider, limited):
    """Not even that keeps a large answer going for ever."""

    def handler(call):
        call.begin(200, length=50 * MB)
        for piece in stream(50 * MB):
            call.write(piece)

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST, {SETTINGS.INITIAL_WINDOW_SIZE: 1}) as client:
        with limited(idle="1s"):
            one = client.request("GET", path)
            client.head(one)
            try:
                while client.streams[one].reset is None:
                    # Each byte gives the next one back.
                    client.step()
            except Closed:
                assert client.ended_with() == CODES.ENHANCE_YOUR_CALM
        assert client.streams[one].byte_count < 100_000


def test_answers_that_are_never_read(paraph, world, limited):
    """Requests without end, whose answers need no window. If they are not read on, that ends when it is idle."""
    client = HTTP2Client(paraph, world.HOST)
    client.socket.settimeout(LIMIT)
    block = client.h2.encoder.encode(
        [(":method", "HEAD"), (":scheme", "https"), (":authority", client.authority), (":path", "/x" + "a" * 200)]
    )
    with limited(idle="1s"):
        try:
            for n in itertools.islice(itertools.count(1, 2), 60_000):
                client.socket.sendall(frame(HEADERS, END_STREAM | END_HEADERS, n, block))
        except (ConnectionError, ssl.SSLError):
            pass
    client.close()


def test_header_blocks_that_come_slowly(attacker, provider, limited):
    """The time for a head is that of HTTP/1.1, also while other requests keep the connection busy."""
    go = threading.Event()

    def handler(call):
        assert go.wait(LIMIT)
        call.answer()

    attacker.request("GET", provider.route(handler))
    block = head(attacker)
    try:
        with limited(request_header="1s"):
            attacker.write(frame(HEADERS, END_STREAM, 5, block[:3]) + frame(CONTINUATION, 0, 5, block[3:4]))
            assert attacker.ended_with() == CODES.ENHANCE_YOUR_CALM
    finally:
        go.set()


def test_a_handshake_that_does_not_begin(paraph, world, limited):
    with limited(handshake="1s"), paraph.raw(f"{world.HOST}:443", tls=False) as client:
        assert client.is_closed()


def test_a_preface_that_does_not_come(paraph, world, limited):
    with paraph.raw(f"{world.HOST}:443", tls=False) as client, limited(request_header="1s"):
        context = ssl.create_default_context(cafile=str(paraph.ca))
        context.set_alpn_protocols(["h2"])
        with context.wrap_socket(client.wire.socket, server_hostname=world.HOST) as wire:
            assert wire.selected_alpn_protocol() == "h2"
            # The proxy's own SETTINGS, and what it says at the end.
            while wire.recv(65_536):
                pass


def test_ten_thousand_streams(paraph, world, listener):
    """One after another, as many at a time as are admitted."""
    with HTTP2Client(paraph, world.HOST, window=1 << 24) as client:
        open_streams, begun = [], 0
        while begun < 3_000 or open_streams:
            while begun < 3_000 and len(open_streams) < 100:
                open_streams.append(client.request("GET", f"/n{begun}"))
                begun += 1
            client.answer(open_streams.pop(0)).verified()


def test_more_streams_than_are_admitted(paraph, world, provider):
    """Those that are too many are refused, and nothing happens to the others."""
    go = threading.Event()

    def handler(call):
        assert go.wait(LIMIT)
        call.answer()

    path = provider.route(handler)
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/first").verified()
        admitted = client.h2.remote_settings.max_concurrent_streams
        # h2 itself keeps to what it was told.
        client.h2.remote_settings[SETTINGS.MAX_CONCURRENT_STREAMS] = 10_000
        client.h2.remote_settings.acknowledge()
        streams = [client.request("GET", path) for _ in range(admitted + 50)]
        client.wait(lambda: sum(client.streams[one].reset is not None for one in streams) == 50)
        assert {client.streams[one].reset for one in streams[-50:]} == {CODES.REFUSED_STREAM}
        go.set()
        for one in streams[:-50]:
            client.answer(one).verified()
