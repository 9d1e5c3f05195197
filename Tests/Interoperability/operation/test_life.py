"""Starting, draining, and being killed in the middle of everything."""

import fcntl
import hashlib
import itertools
import signal
import subprocess
import threading

import pytest

from harness.clients import CURL, ClientError, Request
from harness.http1 import Closed
from harness.paraph import listener_in
from harness.ports import held_port
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until


@pytest.fixture
def port():
    with held_port() as found:
        yield found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains(launch, world, hold, number):
    paraph = launch(world.configuration())
    held = hold()
    with paraph.raw(f"{world.HOST}:443") as idle, paraph.raw(f"{world.HOST}:443") as busy:
        idle.exchange(request("GET", "/x", world.HOST)).verified()
        busy.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        paraph.signal(number)

        def refuses():
            """While it drains there are no new connections, or a 503 for each."""
            if not paraph.accepts():
                return True
            try:
                answer = ask(paraph, f"{world.URL}/x")
            except (OSError, Closed):
                return True
            return answer.status == 503

        wait_until(refuses, "the proxy to take no new requests")
        assert paraph.admin("/readyz")[0] in (503, 0)
        assert paraph.running, "a request is still in flight"
        held.go.set()
        busy.receive().verified()
    assert paraph.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_at_the_first_word_is_not_too_early(launch, world, number):
    paraph = launch(world.configuration())
    assert paraph.stop() == 0
    with subprocess.Popen(
        [paraph.binary, "run", "--config", str(paraph.file)],
        stderr=subprocess.PIPE, env=paraph.environment(), cwd=paraph.folder, text=True,
    ) as process:  # fmt: skip
        assert any(listener_in(line) for line in process.stderr), "the proxy ended"
        process.send_signal(number)
        _, rest = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, rest


@pytest.mark.parametrize("reads", ["later", "never"])
def test_standard_error_that_nobody_reads_holds_nothing_up(launch, world, reads):
    paraph = launch(world.configuration())
    assert paraph.stop() == 0
    with subprocess.Popen(
        [paraph.binary, "run", "--config", str(paraph.file)],
        stderr=subprocess.PIPE, env=paraph.environment(), cwd=paraph.folder, text=True,
    ) as process:  # fmt: skip
        # A page: full after a few requests.
        fcntl.fcntl(process.stderr, fcntl.F_SETPIPE_SZ, 4096)
        found = (listener_in(line) for line in process.stderr)
        paraph.addresses = dict(itertools.islice(filter(None, found), 2))
        for _ in range(100):
            ask(paraph, f"{world.URL}/x").verified()
        assert paraph.admin("/healthz")[0] == 200
        lines = process.stderr.read if reads == "later" else str
        process.send_signal(signal.SIGTERM)
        rest = lines()
        assert process.wait(LIMIT) == 0
    if reads == "later":
        assert rest.count('"message":"request"') == 100 and '"message":"stopped"' in rest, rest


def test_a_drain_does_not_wait_for_idle_connections(launch, world):
    paraph = launch(world.configuration())
    with paraph.raw(f"{world.HOST}:443") as idle, paraph.raw() as silent, paraph.raw(f"{world.HOST}:443") as fresh:
        idle.exchange(request("GET", "/x", world.HOST)).verified()
        assert paraph.stop() == 0
        assert idle.is_closed() and silent.is_closed() and fresh.is_closed()


def test_a_second_signal_cuts_the_drain_short(launch, world, hold):
    paraph = launch(world.configuration())
    held = hold()
    with paraph.raw(f"{world.HOST}:443") as busy:
        busy.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        paraph.signal(signal.SIGTERM)
        wait_until(lambda: "stopping" in paraph.log(), "the first signal to be noticed")
        assert paraph.running
        assert paraph.stop(number=signal.SIGINT) == 0
        assert busy.is_closed()
        assert "told again to stop" in paraph.log()
        assert '"outcome":"cut off"' in paraph.log()


def test_a_drain_ends_at_its_limit(launch, world, hold):
    paraph = launch(world.configuration(timeouts={"drain": "1s"}))
    held = hold()
    with paraph.raw(f"{world.HOST}:443") as busy:
        busy.send(request("GET", held.path, world.HOST))
        assert held.reached.wait(LIMIT)
        assert paraph.stop() == 0
        answer = busy.answer_or_close()
        assert answer is None or answer.status >= 500
    assert '"outcome":"cut off"' in paraph.log()


def test_a_download_in_flight_is_finished(launch, world, provider):
    paraph = launch(world.configuration())
    half, go = threading.Event(), threading.Event()
    body = b"0123456789" * 100000

    def handler(call):
        call.read_body()
        call.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body[:500000])
        half.set()
        assert go.wait(LIMIT)
        call.send(body[500000:])

    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("GET", provider.route(handler), world.HOST))
        assert half.wait(LIMIT)
        paraph.signal(signal.SIGTERM)
        wait_until(lambda: paraph.admin("/readyz")[0] in (503, 0), "the drain to begin")
        go.set()
        assert client.receive().body == body
    assert paraph.wait() == 0


def test_a_kill_in_the_middle_of_load(launch, world, provider, port):
    """The vault and the CA are as they were, and clients that come back succeed."""
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    address = f"127.0.0.1:{port}"
    apis = {"main": world.api((world.HOST,), application, accounts)}
    paraph = launch(world.configuration(apis, listen={"proxy": address, "admin": "127.0.0.1:0"}))
    ask(paraph, f"{world.URL}/x").verified()
    authority = paraph.ca.read_bytes()
    done, stop, failures = [0] * 8, threading.Event(), []

    def load(number):
        while not stop.is_set():
            body = hashlib.sha256(b"%d" % done[number]).hexdigest().encode() * 50
            asked = Request(f"{world.URL}/x?n={number}", "POST", {"Content-Type": "text/plain"}, body)
            if number % 2:
                asked.headers["Content-Type"] = "application/x-www-form-urlencoded"
            try:
                answer = CURL.send(paraph, asked)
                if answer.status == 200 and answer.json["verified"]:
                    done[number] += 1
                else:
                    failures.append(answer)
            except ClientError:
                pass

    threads = [threading.Thread(target=load, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            before = list(done)
            wait_until(
                lambda: all(now > then for now, then in zip(done, before, strict=True)), "every client to succeed"
            )
            paraph.kill()
            paraph.start()
            assert paraph.proxy == address
    finally:
        stop.set()
        for thread in threads:
            thread.join(LIMIT)
    assert not failures, failures[0]
    assert paraph.ca.read_bytes() == authority
    ask(paraph, f"{world.URL}/x").verified()
    assert (application.reverse_auth.first_steps, application.reverse_auth.second_steps) == (1, 1)


def test_a_kill_at_any_moment_of_a_write_loses_nothing_that_was_stored(launch, world, provider):
    """One account's token is there; the process is killed around the moment at which another one's is stored."""
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    accounts |= {f"n{number}": accounts["default"] for number in range(12)}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    ask(paraph, f"{world.URL}/x").verified()
    for number in range(12):
        answered = threading.Event()
        application.reverse_auth.after_answer = lambda step, done=answered: (
            done.set() if step.__name__ == "second" else None
        )
        with paraph.raw(f"{world.HOST}:443") as client:
            client.send(request("GET", "/x", world.HOST, [("Paraph-Account", f"n{number}")]))
            assert answered.wait(LIMIT)
            # Not to wait for something, but to be killed at another moment each time.
            threading.Event().wait(number * 0.001)
            paraph.kill()
        paraph.start()
        first_steps = application.reverse_auth.first_steps
        ask(paraph, f"{world.URL}/x").verified()
        assert application.reverse_auth.first_steps == first_steps, "the token that was there is still there"
        ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", f"n{number}")]).verified()
    leftovers = [f for f in (paraph.folder / "state" / "vault").iterdir() if f.is_file()]
    assert len(leftovers) <= 13 + 12, leftovers


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "foreign", "another's"])
def test_a_damaged_file_of_the_vault(launch, world, provider, damage):
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    accounts["other"] = accounts["default"]
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    vault = paraph.folder / "state" / "vault"
    ask(paraph, f"{world.URL}/x").verified()
    before = {f for f in vault.rglob("*") if f.is_file()}
    ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", "other")]).verified()
    (file,) = {f for f in vault.rglob("*") if f.is_file()} - before
    paraph.stop()
    content = file.read_bytes()
    file.write_bytes(
        {
            "cut": content[: len(content) // 2],
            "empty": b"",
            "flipped": content[:-3] + bytes([content[-3] ^ 1]) + content[-2:],
            "foreign": b"not a credential at all\n" * 10,
            "another's": next(iter(before)).read_bytes(),
        }[damage]
    )
    paraph.start()
    ask(paraph, f"{world.URL}/x").verified()
    answer = ask(paraph, f"{world.URL}/x", fields=[("Paraph-Account", "other")])
    assert answer.status >= 500, "a damaged credential is not silently replaced"
    answer.problem(answer.status)
    assert file.name in answer.body.decode() or paraph.told(file.name)
    ask(paraph, f"{world.URL}/x").verified()


def test_two_addresses_that_are_the_same_are_a_clear_error(paraph, launch, world):
    second = launch(world.configuration(listen={"proxy": paraph.proxy, "admin": "127.0.0.1:0"}), wait=False)
    assert second.wait() != 0
    assert paraph.proxy in second.log() or paraph.proxy.rpartition(":")[2] in second.log()


# The admin listener


def test_the_admin_listener(paraph):
    assert paraph.admin("/healthz")[0] == 200
    assert paraph.admin("/readyz")[0] == 200
    status, body = paraph.admin("/ca.pem")
    assert (status, body) == (200, paraph.ca.read_bytes())
    assert b"PRIVATE" not in body
    assert paraph.admin("/nothing-here")[0] == 404


def test_the_admin_listener_can_be_off(launch, world):
    paraph = launch(world.configuration(listen={"proxy": "127.0.0.1:0", "admin": "off"}), wait=False)
    wait_until(lambda: "proxy" in paraph.addresses, "the proxy's address")
    wait_until(paraph.ca.exists, "the CA")
    ask(paraph, f"{world.URL}/x").verified()
    assert "admin" not in paraph.addresses


def test_the_ca_is_kept(launch, world):
    paraph = launch(world.configuration())
    authority = paraph.ca.read_bytes()
    paraph.stop()
    paraph.start()
    assert paraph.ca.read_bytes() == authority
    ask(paraph, f"{world.URL}/x").verified()


def test_a_crash_shows_nothing_of_memory(world, launch, monkeypatch):
    """Whatever Swift's runtime is told to do with one."""
    monkeypatch.setenv("SWIFT_BACKTRACE", "enable=yes")
    paraph = launch(world.configuration())
    lines = len(paraph.lines)
    assert paraph.stop(signal.SIGABRT) == -signal.SIGABRT
    assert not paraph.lines[lines:], paraph.tail()
