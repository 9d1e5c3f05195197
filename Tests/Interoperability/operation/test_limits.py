"""How much may go on at once: requests in flight, by whatever version of HTTP, and what the system allows."""

import re
import select
import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from harness.clients import STALLED, run
from harness.paraph import Paraph
from harness.raw import ask, connect, request
from harness.waiting import LIMIT, wait_until


@pytest.fixture
def held(provider):
    """A path whose requests stay in flight until they are let go."""
    go = threading.Event()

    def handler(call):
        call.verify()
        assert go.wait(LIMIT)
        call.answer()

    path = provider.route(handler)
    yield path, go
    go.set()


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
@pytest.mark.parametrize("limit", ["requests_per_client", "requests_per_api"])
def test_requests_in_flight_are_limited(launch, world, provider, held, version, limit):
    paraph = launch(world.configuration(limits={limit: 2}))
    path, go = held
    urls = [f"{world.URL}{path}?{number}" for number in range(5)]
    answers = []

    def ask_all():
        # One connection for all of them by HTTP/2, one for each by HTTP/1.1.
        words = ["curl", "-sS", "-Z", version, "--proxy", paraph.url, "--cacert", str(paraph.ca), *STALLED]
        words += ["-w", "%{http_version} %{http_code}\\n"]
        answers.append(run([*words, *(word for url in urls for word in ("-o", "/dev/null", url))]))

    thread = threading.Thread(target=ask_all)
    thread.start()
    provider.wait(lambda: len(provider.requests_for(path)) == 2, what="as many requests as may be")
    refused = ask(paraph, f"{world.URL}/x")
    assert limit in refused.problem(503, "connection_limit_reached")
    assert refused.value("retry-after") == "1"

    def refusals():
        return sum(path in line and '"status":503' in line for line in paraph.lines)

    wait_until(lambda: refusals() == 3, "the others to be refused")
    go.set()
    thread.join(LIMIT)
    found = sorted(answers[0].stdout.decode().split())
    version = {"--http1.1": "1.1", "--http2": "2"}[version]
    assert found == sorted([version] * 5 + ["200"] * 2 + ["503"] * 3), answers
    assert len(provider.requests_for(path)) == 2
    ask(paraph, f"{world.URL}/x").verified()


def test_an_api_has_a_limit_of_its_own(launch, world, provider, held):
    path, go = held
    apis = {"main": world.api(requests=1), "free": world.api(["*.wild.test.example"], requests="off")}
    paraph = launch(world.configuration(apis, limits={"requests_per_api": 1}))
    with paraph.raw(f"{world.HOST}:443") as first, paraph.raw("a.wild.test.example:443") as other:
        first.send(request("GET", path, world.HOST))
        other.send(request("GET", path, "a.wild.test.example"))
        provider.wait(lambda: len(provider.requests_for(path)) == 2)
        assert "The API main" in ask(paraph, f"{world.URL}/x").problem(503, "connection_limit_reached")
        ask(paraph, "https://a.wild.test.example/x").verified()
        go.set()
        first.receive().verified()
        other.receive().verified()


def open_files(paraph):
    line = re.search(r"(?m)^Max open files +(\d+) +(\d+)", Path(f"/proc/{paraph.process.pid}/limits").read_text())
    return int(line[1]), int(line[2])


def limited(binary, folder, *limits):
    """The executable, begun with these limits of open files."""
    script = folder / "limited"
    script.write_text("#!/bin/sh\n" + "".join(f"ulimit {limit}\n" for limit in limits) + f'exec {binary} "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_it_may_open_as_many_files_as_the_system_allows(tmp_path, world, paraph):
    one = Paraph(limited(paraph.binary, tmp_path, "-Sn 256"), tmp_path, world.configuration())
    one.start()
    soft, hard = open_files(one)
    assert soft == hard and "files open" not in one.log()
    assert one.stop() == 0


def test_newcomers_that_are_turned_away_are_counted_and_told_once(launch, world):
    """Beyond limits.connections 64 connections may wait to be told so, of one address fewer; the others are told at
    once, unheard."""
    paraph = launch(world.configuration(limits={"connections": 1}))
    connections, away = [], 10

    def counted():
        metrics = paraph.admin("/metrics")[1].decode()
        return int(re.search(r"^paraph_turned_away_connections_total (\d+)$", metrics, re.M)[1])

    def answered():
        return select.select(connections, [], [], 0)[0]

    try:
        for _ in range(1 + 64 + away):
            connections.append(connect(paraph.proxy))
        wait_until(lambda: len(answered()) >= away and counted() == len(answered()), "them to be turned away")
        for connection in answered():
            with connection.makefile("rb") as answer:
                assert answer.read().startswith(b"HTTP/1.1 503 ")
    finally:
        for connection in connections:
            connection.close()
    told = paraph.told("turned away unheard")
    assert len(told) == 1 and '"warning"' in told[0] and "127.0.0.1: " in told[0], told


def test_it_takes_fewer_connections_where_it_may_not(tmp_path, world, paraph):
    configuration = world.configuration(limits={"connections": 1000})
    one = Paraph(limited(paraph.binary, tmp_path, "-Sn 512", "-Hn 512"), tmp_path, configuration)
    one.start()
    assert open_files(one) == (512, 512)
    told = one.told("files open")
    assert len(told) == 1 and '"warning"' in told[0]
    # What the process has open besides depends on the machine.
    most = int(re.search("no more than ([0-9]+) connections", told[0])[1])
    assert 100 < most < 300
    held = []
    for _ in range(400):
        # One that comes while others are being looked through for an idle one may be reset instead.
        with suppress(ConnectionError):
            held.append(connect(one.proxy))
    wait_until(lambda: one.established() <= most + 1, "the longest idle to give way")
    ask(one, f"{world.URL}/x").verified()
    for connection in held:
        connection.close()
    assert one.stop() == 0


def test_uploads_without_end_by_one_client_leave_files_to_others(tmp_path, world, paraph):
    one = Paraph(limited(paraph.binary, tmp_path, "-Sn 512", "-Hn 512"), tmp_path, world.configuration())
    with socket.create_server(("127.0.0.1", 0), backlog=512) as silent:
        port = silent.getsockname()[1]
        one.start()
        one.allow_port(port)
        head = f"POST http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
        held = []
        for _ in range(250):
            # Some of those that are too many are closed without a word.
            with suppress(ConnectionError):
                held.append(connect(one.proxy))
                held[-1].sendall(head.encode())
        wait_until(lambda: any('"status":503' in line for line in one.lines), "the client to have its share")
        words = ["curl", "-sS", "--interface", "127.0.0.2", "--proxy", one.url, "--cacert", str(one.ca), *STALLED]
        for number in range(20):
            assert run([*words, f"{world.URL}/x?{number}"]).returncode == 0
            assert one.admin("/healthz")[0] == 200
        told = one.told("open connections are used up")
        assert len(told) == 1 and '"by":"127.0.0.1: ' in told[0]
        for connection in held:
            connection.close()
    assert one.stop() == 0
