"""Many reloads: under load, in storms, at the wrong time, and what they leave behind."""

import concurrent.futures
import itertools
import os
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from harness.certificates import certificate_pin
from harness.raw import ask, request
from harness.reload import UNUSED, Scene, half_sent
from harness.separate import SeparateClient
from harness.waiting import LIMIT, wait_until

# 1000 show more, and take minutes.
RELOADS = int(os.environ.get("RELOADS", "60"))


@pytest.fixture
def scene(world, launch):
    return Scene(world, launch)


def keeping_their_connections(scene):
    """Clients that go on asking over one connection each; they give a sign of life with every answer."""
    url = f"{scene.world.URL}/x?a=1"

    def with_requests():
        with requests.Session() as session:
            session.trust_env, session.verify = False, str(scene.paraph.ca)
            session.proxies = {"https": scene.paraph.url}
            for number in itertools.count():
                answer = session.post(url, {"number": number}, timeout=LIMIT)
                assert answer.status_code == 200, answer.text
                yield

    def through_connect():
        with scene.client() as client:
            while True:
                client.exchange(scene.request()).verified()
                yield

    def in_absolute_form():
        with scene.paraph.raw() as client:
            while True:
                client.exchange(request("GET", url.replace("https", "http"), scene.world.HOST)).verified()
                yield

    return [with_requests(), with_requests(), through_connect(), through_connect(), in_absolute_form()]


def test_clients_that_keep_their_connections_see_nothing_of_many_reloads(scene, world):
    """Credentials, the upstream's address and its pins change each time, under load; no request fails."""
    c = world.certificates
    pins = {"mode": "certificate", "pins": [certificate_pin(c.root.certificate), UNUSED]}
    tls = {"trust": [str(c.root_file)], "pinning": pins}
    second = scene.changed(connect_to=world.provider.listen(c.good).address, tls=tls)
    clients = keeping_their_connections(scene)
    done, stop = [0] * len(clients), threading.Event()

    def run(number):
        for _ in clients[number]:
            done[number] += 1
            if stop.is_set():
                return

    with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
        running = [pool.submit(run, number) for number in range(len(clients))]

        def everyone_got_on(before):
            for one in running:
                if one.done():
                    one.result()
            return all(now > then for now, then in zip(done, before, strict=True))

        try:
            for number in range(16):
                scene.paraph.reload((second, scene.first)[number % 2])
                before = list(done)
                wait_until(lambda: everyone_got_on(before), "every client to be answered")
                assert scene.signer(scene.ask()) == (number + 1) % 2
        finally:
            stop.set()
        for one in running:
            one.result(LIMIT)
    assert scene.paraph.reloads() == {"applied": 16, "refused": 0}


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_curl_with_many_addresses_sees_nothing_of_many_reloads(scene, scheme):
    """One process and one connection; reloads go on until it is done."""
    reloads, reached = 0, threading.Condition()

    def handler(call):
        # So that there are requests before, between and after reloads.
        number = int(call.record.target.rpartition(b"=")[2])
        with reached:
            assert reached.wait_for(lambda: reloads >= number // 30, LIMIT)
        call.answer()

    path = scene.provider.route(handler)
    command = ["curl", "-sS", "-o", os.devnull, "-w", "%{http_code} %{num_connects}\n", "--proxy", scene.paraph.url]
    command += ["--cacert", str(scene.paraph.ca), f"{scheme}://{scene.world.HOST}{path}?n=[1-150]"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=scene.paraph.environment(), text=True) as curl:
        while curl.poll() is None:
            scene.paraph.reload((scene.first, scene.second)[reloads % 2])
            with reached:
                reloads += 1
                reached.notify_all()
        lines = curl.stdout.read().splitlines()
    assert curl.returncode == 0
    assert lines == ["200 1"] + ["200 0"] * 149


# Many signals, and signals at the wrong time


def test_a_storm_of_signals(scene):
    with scene.client() as client:
        for number in range(5):
            scene.paraph.reconfigure((scene.second, scene.first)[number % 2])
            for _ in range(50):
                os.kill(scene.paraph.process.pid, signal.SIGHUP)
            # The last signal comes after the last change: what is in force in the end is the last configuration.
            wait_until(lambda: scene.signer(client.exchange(scene.request())) != number % 2, "the last one")
    assert scene.paraph.running
    outcome = scene.paraph.reloads()
    assert outcome["refused"] == 0 and outcome["applied"] >= 5


def test_a_signal_while_it_starts_ends_nothing(world, launch):
    paraph = launch(world.configuration(), wait=False)
    wait_until(lambda: paraph.lines, "the first line of the log")
    os.kill(paraph.process.pid, signal.SIGHUP)
    paraph.wait_until_ready()
    ask(paraph, f"{world.URL}/x").verified()


def test_a_signal_while_it_drains_ends_nothing(scene):
    body = os.urandom(100_000)
    path, half, go = half_sent(scene.provider, body)
    with scene.client() as client:
        client.send(scene.request(path))
        assert half.wait(LIMIT)
        scene.paraph.signal(signal.SIGTERM)
        wait_until(lambda: scene.paraph.admin("/readyz")[0] in (503, 0), "the drain to begin")
        scene.paraph.reconfigure(scene.second)
        for _ in range(5):
            os.kill(scene.paraph.process.pid, signal.SIGHUP)
        go.set()
        assert client.receive().body == body
    assert scene.paraph.wait() == 0


def test_many_reloads_leak_nothing(scene, world):
    """Descriptors, and memory beyond what an allocator keeps for later."""
    configurations = [
        scene.changed(0, accounts={"default": world.reverse_auth_account(scene.applications[0])}),
        scene.changed(1, connect_to=world.provider.listen(world.certificates.good).address),
    ]

    def reload(count):
        with scene.client() as client:
            for number in range(count):
                scene.paraph.reload(configurations[number % 2])
                assert scene.signer(client.exchange(scene.request())) == number % 2
                scene.ask().verified()

    def descriptors():
        return len(scene.paraph.descriptors())

    # As many as it takes until what is kept for later is all there.
    reload(100)
    wait_until(lambda: scene.paraph.established() == 0, "the connections of clients to be gone")
    before, memory = descriptors(), scene.paraph.memory("VmRSS")
    reload(100)
    wait_until(lambda: descriptors() <= before + 4, "the descriptors to be as few as before")
    assert scene.paraph.memory("VmRSS") - memory < 16 << 20


def threads_of_its_own(paraph):
    """Those of libdispatch, named after a quality of service, come and go as it likes."""
    count = 0
    for task in Path(f"/proc/{paraph.process.pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            count += "qos" not in (task / "comm").read_text()
    return count


def test_reloads_under_load_lose_no_request_and_leave_nothing(scene, world):
    """New connections all the time, in three ways; every reload brings other credentials, from a file that has just
    changed, and another upstream."""
    files = [scene.paraph.folder / f"secret{number}" for number in (0, 1)]
    other = world.provider.listen(world.certificates.good).address
    keys = [
        {**api["oauth1"], "consumer_secret": {"file": str(file)}} for api, file in zip(scene.apis, files, strict=True)
    ]
    configurations = [
        scene.changed(0, oauth1=keys[0], gateway="127.0.0.1:0"),
        scene.changed(1, oauth1=keys[1], gateway="127.0.0.1:0", connect_to=other),
    ]

    def reload(number):
        # With a line break or without, so that each is another file than before and the secret is the same: whoever
        # notices the one before the other changes nothing.
        files[number % 2].write_text(scene.applications[number % 2].secret + "\n" * (number // 2 % 2))
        scene.paraph.reconfigure(configurations[number % 2])
        answer = scene.paraph.administer("POST", "/reload")
        assert answer.status in (200, 204), repr(answer)

    def under_load(count):
        listeners = (scene.paraph.addresses[name] for name in ("proxy", "gateway main"))
        with SeparateClient("load.py", scene.paraph.ca, *listeners, world.HOST) as load:
            for number in range(count):
                reload(number)
                if number % 10 == 0:
                    load.process.stdin.write("\n")
                    load.process.stdin.flush()
                    load.expect("more")
            load.finish()
            said = load.process.stdout.read()
        assert said.endswith(" requests, 0 lost\n"), said
        wait_until(lambda: scene.paraph.established() == 0, "the connections of clients to be gone")
        return int(said.split()[0])

    def figures():
        return len(scene.paraph.descriptors()), threads_of_its_own(scene.paraph), scene.paraph.memory("VmRSS")

    files[0].write_text(scene.applications[0].secret)
    reload(1)
    wait_until(lambda: "gateway main" in scene.paraph.addresses, "the gateway")
    under_load(20)
    descriptors, threads, memory = figures()
    answers = sum(under_load(min(60, RELOADS - done)) for done in range(0, RELOADS, 60))
    wait_until(lambda: figures()[0] <= descriptors + 4, "the descriptors to be as few as before")
    after = figures()
    print(f"{RELOADS} reloads, {answers} requests, 0 lost: descriptors {descriptors} -> {after[0]}, threads {threads} -> {after[1]}, ", end="")
    print(f"memory {memory >> 10} -> {after[2] >> 10} KiB")
    assert after[1] <= threads
    assert after[2] - memory < 16 << 20
    assert scene.paraph.reloads()["refused"] == 0
