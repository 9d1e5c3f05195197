"""The instruments that a fleet is disturbed with: that they do what they say, and count what they ought to."""

import asyncio
import contextlib
import random
import shutil
import subprocess
import sys
import time
from urllib.parse import urlencode

import pytest

from harness.fleet import etcd
from harness.fleet.history import History
from harness.fleet.provider import CLIENT, HOST, CountingProvider, Habits
from harness.fleet.relay import Relay
from harness.fleet.replica import Replica
from harness.fleet.wire import ask, receive, written
from harness.waiting import LIMIT

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="the fleet's harness needs Python 3.11")


@pytest.fixture
def history(tmp_path):
    made = History(tmp_path / "history")
    yield made
    made.close()


def run(work):
    async def limited():
        async with asyncio.timeout(LIMIT):
            await work()

    asyncio.run(limited())


# The provider


class Scene:
    """A provider, and one replica's port at it."""

    def __init__(self, history, **options):
        self.history = history
        options = {"lifetime": 3600, "habits": Habits(slow=0, dropped=0), **options}
        self.provider = CountingProvider(history, random.Random(1), **options)
        self.password = self.provider.new_account("a")

    async def begin(self):
        self.port = await self.provider.listen("one")

    async def token(self, **form):
        kind = [("Content-Type", "application/x-www-form-urlencoded")]
        return await ask(self.port, "POST", f"http://{HOST}/token", kind, urlencode({**CLIENT, **form}).encode())

    async def grant(self):
        answer = await self.token(grant_type="password", username="a", password=self.password)
        assert answer.status == 200
        return answer.json["access_token"], answer.json["refresh_token"]

    async def refresh(self, refresh_token):
        return await self.token(grant_type="refresh_token", refresh_token=refresh_token)

    async def use(self, access_token):
        return (await ask(self.port, "GET", f"http://{HOST}/x", [("Authorization", f"Bearer {access_token}")])).status

    def told(self, event, *members):
        return [tuple(one[name] for name in members) for one in self.history.events if one["event"] == event]


def test_a_refresh_token_that_comes_twice_logs_the_account_out(history):
    async def work():
        scene = Scene(history, grace=3600)
        await scene.begin()
        access, refresh = await scene.grant()
        renewed = (await scene.refresh(refresh)).json
        assert [await scene.use(one) for one in (access, renewed["access_token"])] == [200, 200]
        assert (await scene.refresh(refresh)).json == {"error": "invalid_grant"}
        assert [await scene.use(one) for one in (access, renewed["access_token"])] == [401, 401]
        assert (await scene.refresh(renewed["refresh_token"])).status == 400, "nor is the newest worth anything"
        assert await scene.use((await scene.grant())[0]) == 200
        assert scene.told("logged out", "account") == [("a",)] * 2
        again = [("refresh_token", serial) for serial in (1, 1, 2)]
        grants = [("password", None), *again, ("password", None)]
        assert scene.told("exchange", "grant", "refresh") == grants
        assert scene.told("issued", "serial") == [(1,), (2,), (3,)]
        outcomes = [(one, "one") for one in ("answered", "answered", "refused", "refused", "answered")]
        assert scene.told("exchange ended", "outcome", "replica") == outcomes
        uses = [(1, True), (2, True), (1, False), (2, False), (3, True)]
        assert scene.told("use", "serial", "accepted") == uses

    run(work)


def test_a_new_token_ends_the_one_before(history):
    async def work():
        scene = Scene(history, grace=0)
        await scene.begin()
        access, refresh = await scene.grant()
        newer = (await scene.refresh(refresh)).json["access_token"]
        assert [await scene.use(one) for one in (access, newer)] == [401, 200]

    run(work)


def test_an_answer_is_lost_on_its_way(history):
    async def work():
        scene = Scene(history, habits=Habits(slow=0, dropped=1))
        await scene.begin()
        with pytest.raises(ConnectionResetError):
            await scene.grant()
        assert scene.told("issued", "serial") == [(1,)] and scene.told("exchange ended", "outcome") == [("dropped",)]

    run(work)


def test_a_client_that_has_gone_ends_its_exchange(history):
    async def work():
        scene = Scene(history, habits=Habits(slow=1, slowness=(10 * LIMIT, 10 * LIMIT), dropped=0))
        await scene.begin()
        asking = asyncio.create_task(scene.grant())
        while not scene.told("exchange", "grant"):
            await asyncio.sleep(0)
        asking.cancel()
        while not scene.told("exchange ended", "outcome"):
            await asyncio.sleep(0)
        assert scene.told("exchange ended", "outcome") == [("abandoned",)]

    run(work)


@pytest.mark.parametrize(
    "form", [{"client_secret": "x"}, {"password": "x"}, {"username": "b"}, {"grant_type": "x"}], ids=str
)
def test_what_is_wrong_is_refused(history, form):
    async def work():
        scene = Scene(history)
        await scene.begin()
        right = {"grant_type": "password", "username": "a", "password": scene.password}
        assert (await scene.token(**{**right, **form})).status in (400, 401)
        assert not scene.told("issued", "serial")

    run(work)


def test_it_is_a_proxy_by_connect_too(history):
    async def work():
        scene = Scene(history)
        await scene.begin()
        reader, writer = await asyncio.open_connection("127.0.0.1", scene.port)
        writer.write(written(f"CONNECT {HOST}:80 HTTP/1.1", [("Host", f"{HOST}:80")]))
        assert (await receive(reader)).status == 200
        writer.write(written("GET /x HTTP/1.1", [("Host", HOST), ("Authorization", "Bearer nonsense")]))
        assert (await receive(reader)).status == 401
        writer.close()

    run(work)


# Clocks


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc on this machine")
@pytest.mark.parametrize("apart", [10_000, -10_000])
def test_a_wall_clock_alone_is_wrong(history, tmp_path, apart):
    Replica.build_clock(tmp_path)
    environment = Replica("one", tmp_path, history, "", apart).environment()
    begin, now = time.monotonic(), time.time()
    words = [sys.executable, "-c", "import time; print(time.time(), time.monotonic())"]
    wall, monotonic = map(float, subprocess.run(words, env=environment, capture_output=True, check=True).stdout.split())
    assert abs(wall - now - apart) < LIMIT and begin <= monotonic <= time.monotonic()


# Relays


async def echo(reader, writer):
    with contextlib.suppress(OSError):
        while piece := await reader.read(100):
            writer.write(piece)
    writer.close()


def test_a_cut_relay_keeps_what_comes_until_it_is_joined():
    async def work():
        async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            relay = await Relay(port, lambda first: first[:1]).start()
            streams = {one: await asyncio.open_connection("127.0.0.1", relay.port) for one in (b"a", b"b")}

            async def says(who, what):
                streams[who][1].write(what)
                return await streams[who][0].readexactly(len(what))

            assert [await says(one, one) for one in (b"a", b"b")] == [b"a", b"b"]
            relay.cut(b"a")
            held = asyncio.create_task(says(b"a", b"held"))
            assert await says(b"b", b"through") == b"through"
            assert not held.done() and relay.is_cut
            relay.join(b"a")
            assert await held == b"held" and not relay.is_cut
            relay.cut()
            both = [asyncio.create_task(says(one, b"held")) for one in (b"a", b"b")]
            await asyncio.sleep(0)
            relay.join()
            assert await asyncio.gather(*both) == [b"held", b"held"]
            for _, writer in streams.values():
                writer.close()
            relay.close()

    run(work)


# etcd


@pytest.mark.skipif(not etcd.available(), reason="there is no etcd on this machine")
def test_a_cluster_goes_on_without_one_server(history, tmp_path):
    async def until(condition):
        while not await condition():
            await asyncio.sleep(0.05)

    async def answer(cluster, *numbers):
        found = [await server.answers() for server in cluster.servers]
        return found == [number in numbers for number in range(3)]

    async def work():
        cluster = etcd.EtcdCluster(tmp_path, history)
        try:
            await cluster.start()
            for number in range(3):
                cluster.isolate(number)
                await until(lambda: answer(cluster, *{0, 1, 2} - {number}))
                cluster.rejoin(number)
                await until(lambda: answer(cluster, 0, 1, 2))
            cluster.servers[0].kill()
            await until(lambda: answer(cluster, 1, 2))
            cluster.servers[1].stop()
            await until(lambda: answer(cluster))
            cluster.servers[0].start()
            cluster.servers[1].resume()
            await until(lambda: answer(cluster, 0, 1, 2))
        finally:
            cluster.end()
        assert not any(server.runs for server in cluster.servers)

    run(work)
