"""WebSocket with real libraries on both sides, through interception and in absolute form."""

import asyncio
import contextlib
import hashlib
import json
import signal
import ssl

import aiohttp
import pytest

from harness.raw import request
from harness.separate import SeparateClient
from harness.waiting import LIMIT, wait_until
from harness.websocket_server import WebSocketServer, block, digest_of_blocks

MB = 1 << 20
ALLOWED_GROWTH = 16 * MB
# Without the pages of the program itself: those that only its start ran are given back, and mapped again when they run.
HELD = "RssAnon"
KEY = [
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
]


@pytest.fixture(scope="module")
def servers(provider, certificates):
    """By the scheme that is used upstream."""
    made = {"https": WebSocketServer(provider, certificates.good), "http": WebSocketServer(provider)}
    yield made
    for one in made.values():
        one.stop()


def clear(world, servers):
    """The API that is spoken to without TLS."""
    entry = world.api(["clear.test.example"], connect_to=servers["http"], upstream="http")
    del entry["tls"]
    return entry


def configuration(world, servers, **more):
    apis = {"secure": world.api([world.HOST], connect_to=servers["https"]), "clear": clear(world, servers)}
    return world.configuration(apis, **more)


@pytest.fixture
def paraph(launch, world, servers):
    return launch(configuration(world, servers))


# The client's scheme, the host, the scheme upstream.
WAYS = [
    ("wss", "api.test.example", "https"),
    ("ws", "api.test.example", "https"),
    ("wss", "clear.test.example", "http"),
    ("ws", "clear.test.example", "http"),
]


@pytest.fixture(params=WAYS, ids=lambda way: f"{way[0]}-{way[2]}")
def way(request):
    return request.param


@contextlib.asynccontextmanager
async def opened(paraph, url, user=None, **options):
    """A WebSocket of aiohttp's."""
    context = ssl.create_default_context(cafile=str(paraph.ca))
    proxy = paraph.url if user is None else paraph.url.replace("//", f"//{user}:x@")
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, proxy=proxy, ssl=context, max_msg_size=0, **options) as socket:
            yield socket


def run(paraph, url, course, user=None, **options):
    """Has `course(socket)` done on a WebSocket of aiohttp's, and returns what it returns."""

    async def main():
        async with opened(paraph, url, user, **options) as socket:
            return await course(socket)

    return asyncio.run(asyncio.wait_for(main(), LIMIT))


def test_messages_of_any_kind_and_size(paraph, servers, way):
    scheme, host, upstream = way
    server = servers[upstream]
    before = len(server.verdicts)

    async def course(socket):
        assert socket.protocol == "chat"
        for text in ("", "hello", "ü" * 100_000):
            await socket.send_str(text)
            assert await socket.receive_str(timeout=LIMIT) == text
        for size in (0, 1, 125, 126, 65535, 65536, 3 * MB + 1):
            content = (block(size) * 4)[:size]
            await socket.send_bytes(content)
            assert await socket.receive_bytes(timeout=LIMIT) == content
        for number in range(200):
            await socket.send_str(str(number))
        assert [await socket.receive_str(timeout=LIMIT) for _ in range(200)] == [str(n) for n in range(200)]

    run(paraph, f"{scheme}://{host}/echo?room=a%20b&x=1", course, protocols=("chat",))
    assert len(server.verdicts) == before + 1
    assert "oauthlib" in server.verdicts[-1].by
    assert server.verdicts[-1].token.user == "default"
    assert server.targets[-1] == "/echo?room=a%20b&x=1"


def test_messages_compressed(paraph, servers, way):
    scheme, host, _ = way

    async def course(socket):
        assert socket.compress
        await socket.send_str("a" * 500_000)
        assert await socket.receive_str(timeout=LIMIT) == "a" * 500_000

    run(paraph, f"{scheme}://{host}/echo", course, compress=15)


def test_the_account_is_the_user_of_the_proxy(paraph, servers, way):
    scheme, host, upstream = way

    async def course(socket):
        await socket.send_str("who")
        return await socket.receive_str(timeout=LIMIT)

    assert run(paraph, f"{scheme}://{host}/echo", course, user="alice") == "who"
    assert servers[upstream].verdicts[-1].token.user == "alice"


def test_closes_pass_in_both_directions(paraph, servers, way):
    scheme, host, upstream = way
    url = f"{scheme}://{host}/echo"

    async def closed_by_server(socket):
        await socket.send_str("close 4001")
        message = await socket.receive(timeout=LIMIT)
        assert (message.type, message.data, message.extra) == (aiohttp.WSMsgType.CLOSE, 4001, "as you wish")

    run(paraph, url, closed_by_server)
    servers[upstream].closed.clear()

    async def closed_by_client(socket):
        await socket.close(code=4002)

    run(paraph, url, closed_by_client)
    wait_until(lambda: 4002 in servers[upstream].closed, "the server to see the close")


def test_a_server_that_does_not_switch(paraph, servers, way):
    scheme, host, _ = way

    async def nothing(socket):
        raise AssertionError("there is no WebSocket")

    with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
        run(paraph, f"{scheme}://{host}/http", nothing)
    assert caught.value.status == 200


def test_a_refused_handshake_is_diagnosed(launch, world, servers, provider):
    """Signed with a secret that the provider does not know."""
    wrong = {"default": {"token": world.tokens["default"].value, "token_secret": world.password()}}
    paraph = launch(
        world.configuration({"secure": world.api([world.HOST], connect_to=servers["https"], accounts=wrong)})
    )
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", "/echo", world.HOST, KEY))
        answer = client.receive()
    assert answer.status == 401
    assert "signature" in answer.values("proxy-status")[0].lower()


def test_the_access_log_has_a_line(paraph, servers, way):
    scheme, host, _ = way

    async def course(socket):
        await socket.send_str("12345")
        await socket.receive_str(timeout=LIMIT)

    run(paraph, f"{scheme}://{host}/echo?secret=no", course)

    def line():
        entries = [json.loads(one) for one in paraph.lines if '"status":101' in one]
        return entries[0] if entries else None

    entry = wait_until(line, "the access log's line")
    counts = paraph.metrics("paraph_upstream_connections")
    assert all(count == 0 for labels, count in counts.items() if 'state="in_use"' in labels), counts
    assert (entry["method"], entry["path"]) == ("GET", "/echo")
    assert entry["account"] == "default"
    # 6 bytes of framing from a client, 2 from a server; the close frames besides.
    assert entry["request_bytes"] >= 11 and entry["response_bytes"] >= 7


@pytest.fixture
def warm(paraph, servers):
    async def course(socket):
        for _ in range(10):
            await socket.send_bytes(block(1))
            await socket.receive_bytes(timeout=LIMIT)

    for scheme, host, _ in WAYS:
        run(paraph, f"{scheme}://{host}/echo", course)
    return paraph


async def is_held_back(paraph, memory, count, pass_one):
    """`count()` of 100 stays as it is while so many messages pass the other way, one after the other: each takes a turn
    of all that carries them, in which whoever was not held back would have got on. By then the proxy holds all that it
    will hold: `memory` is what it had before."""
    before, passed = count(), 0
    while passed < 300:
        await pass_one(str(passed))
        assert count() < 60
        passed = passed + 1 if count() == before else 0
        before = count()
    assert paraph.memory(HELD) - memory <= ALLOWED_GROWTH


def test_a_client_that_does_not_read_holds_the_server_back(warm, servers, way):
    scheme, host, upstream = way
    server = servers[upstream]
    server.sent = 0
    memory = warm.memory(HELD)

    async def course(socket):
        async def pass_one(text):
            await socket.send_str(text)
            assert await asyncio.to_thread(server.heard.get, timeout=LIMIT) == text

        await is_held_back(warm, memory, lambda: server.sent, pass_one)
        digest, count = hashlib.sha256(), 0
        async for message in socket:
            digest.update(message.data)
            count += 1
        assert (count, digest.hexdigest()) == (100, digest_of_blocks(100))

    run(warm, f"{scheme}://{host}/flood/100", course)


def test_a_server_that_does_not_read_holds_the_client_back(warm, servers, way):
    scheme, host, upstream = way
    server = servers[upstream]
    memory = warm.memory(HELD)

    async def course(socket):
        sent = 0

        async def send():
            nonlocal sent
            for number in range(100):
                await socket.send_bytes(block(number))
                sent += 1
            await socket.send_str("digest")

        async def pass_one(text):
            server.says.put(text)
            assert await socket.receive_str(timeout=LIMIT) == text

        sending = asyncio.create_task(send())
        await is_held_back(warm, memory, lambda: sent, pass_one)
        server.says.put(None)
        await sending
        assert await socket.receive_str(timeout=LIMIT) == digest_of_blocks(100)

    run(warm, f"{scheme}://{host}/sink", course)


def test_a_reload_leaves_it_open(paraph, world, servers):
    async def course(socket):
        await socket.send_str("before")
        assert await socket.receive_str(timeout=LIMIT) == "before"
        only = world.configuration({"clear": clear(world, servers)})
        await asyncio.to_thread(paraph.reload, only)
        await socket.send_str("after")
        assert await socket.receive_str(timeout=LIMIT) == "after"

    run(paraph, f"wss://{world.HOST}/echo", course)
    with paraph.raw(f"{world.HOST}:443", tls=False) as client:
        # What the API was is now any other host.
        assert client.refusal is None or client.refusal.status >= 400


async def is_cut(socket):
    message = await socket.receive(timeout=LIMIT)
    assert message.type in (aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
    assert socket.close_code == aiohttp.WSCloseCode.ABNORMAL_CLOSURE


def test_a_drain_waits(paraph, world):
    async def course(socket):
        await socket.send_str("before")
        assert await socket.receive_str(timeout=LIMIT) == "before"
        paraph.signal(signal.SIGTERM)
        await asyncio.to_thread(wait_until, lambda: "stopping" in paraph.log(), "the drain")
        await socket.send_str("draining")
        assert await socket.receive_str(timeout=LIMIT) == "draining"
        assert paraph.running
        paraph.signal(signal.SIGTERM)
        await is_cut(socket)

    run(paraph, f"wss://{world.HOST}/echo", course)
    assert paraph.wait() == 0


def test_a_drain_cuts_at_its_limit(launch, world, servers):
    paraph = launch(configuration(world, servers, timeouts={"drain": "500ms"}))

    async def course(socket):
        await socket.send_str("before")
        assert await socket.receive_str(timeout=LIMIT) == "before"
        paraph.signal(signal.SIGTERM)
        await is_cut(socket)

    run(paraph, f"wss://{world.HOST}/echo", course)
    assert paraph.wait() == 0
    assert "timeouts.drain is over" in paraph.log()


def until_open(paraph, url, course):
    """The server may stand still for longer than is waited for it."""
    while True:
        try:
            return run(paraph, url, course)
        except aiohttp.WSServerHandshakeError as error:
            assert error.status == 504


def test_an_idle_connection_is_cut_and_one_with_pings_is_not(launch, world, servers):
    paraph = launch(configuration(world, servers, timeouts={"idle": "2s"}))

    with SeparateClient("pings.py", paraph.proxy, paraph.ca, world.HOST, "/echo") as pings:
        pings.expect("open")
        # Outlives one that came later.
        until_open(paraph, f"wss://{world.HOST}/echo", is_cut)
        pings.finish()
        pings.expect("alive")
        pings.expect("closed")
