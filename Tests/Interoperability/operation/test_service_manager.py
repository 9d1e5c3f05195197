"""`paraph run` under a service manager: what it is told, the sockets that it passes, and taking over from another."""

import os
import socket
from pathlib import Path

import pytest

from conftest import binary
from harness.paraph import Paraph
from harness.raw import ask, request
from harness.separate import SeparateClient
from harness.service_manager import Notifications, address, listening, pass_sockets
from harness.waiting import LIMIT, wait_until

TAKEOVERS = int(os.environ.get("TAKEOVERS", "5"))


@pytest.fixture
def paraph(launch, world):
    """One that has run, and so has its state."""
    one = launch(world.configuration())
    assert one.stop() == 0
    return one


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    found = Notifications(str(tmp_path / "notify") if request.param == "path" else f"@paraph-{tmp_path}")
    yield found
    found.close()


def configured(paraph, **listen):
    """Its configuration, listening elsewhere."""
    return {**paraph.configuration, "listen": {**paraph.configuration["listen"], **listen}}


# Messages


def test_the_manager_is_told_of_every_step(paraph, manager, world):
    paraph.start(wait=False, environment=manager.environment)
    paraph.may_end = False
    ready = manager.next()
    assert ready.keys() == {"READY", "STATUS"} and ready["READY"] == "1"
    assert ready["STATUS"] == f"serving by {paraph.file}"
    # All listeners are open by then; the log that tells where comes by another way.
    wait_until(lambda: {"proxy", "admin"} <= paraph.announced, "the lines of the log")
    assert paraph.admin("/readyz")[0] == 200
    assert ask(paraph, f"{world.URL}/x").status == 200

    good = paraph.configuration
    for configuration, outcome in [(good, "applied"), ("nonsense: 1\n", "refused")]:
        paraph.reload(configuration, outcome)
        begun, over = manager.next(), manager.next()
        assert begun.keys() == {"RELOADING", "MONOTONIC_USEC", "STATUS"} and begun["RELOADING"] == "1"
        assert int(begun["MONOTONIC_USEC"]) > 0
        assert over["READY"] == "1" and ("not reloaded" in over["STATUS"]) == (outcome == "refused")

    paraph.reconfigure(good)
    assert paraph.stop() == 0
    assert manager.next().items() >= {"STOPPING": "1"}.items()
    assert manager.received.empty()


def test_the_watchdog_is_fed(paraph, manager):
    paraph.start(environment={**manager.environment, "WATCHDOG_USEC": "200000"})
    for _ in range(5):
        manager.next_watchdog()


def test_a_manager_that_is_gone_holds_nothing_up(paraph, tmp_path):
    paraph.start(environment={"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    paraph.told("could not be told")
    assert paraph.stop() == 0


# Sockets


def test_inherited_sockets_are_listened_on(paraph, world):
    with listening(3) as (proxy, admin, gateway):
        configuration = configured(paraph, proxy=address(proxy), admin=address(admin))
        configuration["apis"]["main"]["gateway"] = address(gateway)
        paraph.reconfigure(configuration)
        options = pass_sockets(paraph, [gateway, admin, proxy])
        for _ in range(2):
            paraph.start(**options)
            assert paraph.addresses == {
                "proxy": address(proxy), "admin": address(admin), "gateway main": address(gateway)
            }  # fmt: skip
            assert ask(paraph, f"{world.URL}/x").status == 200
            with paraph.raw() as client:
                client.exchange(request("GET", f"http://{world.HOST}/x", world.HOST)).verified()
            assert paraph.admin("/healthz")[0] == 200
            # A reload keeps them, and is refused when it would have nobody serve one.
            paraph.reload()
            without = configured(paraph, proxy="127.0.0.1:0")
            paraph.reload(without, "refused")
            paraph.told(f"bound to {address(proxy)}")
            paraph.reload(configuration)
            assert paraph.admin("/healthz")[0] == 200 and ask(paraph, f"{world.URL}/x").status == 200
            assert paraph.stop() == 0
            # Nobody is refused: the next process serves them.
            for one in (proxy, admin, gateway):
                socket.create_connection(one.getsockname(), timeout=LIMIT).close()


def test_names_say_which_listener_a_socket_is_for(paraph, world):
    with listening(2) as (proxy, admin):
        options = pass_sockets(paraph, [admin, proxy], ["admin", "proxy"])
        paraph.start(**options)
        assert paraph.addresses == {"proxy": address(proxy), "admin": address(admin)}
        assert ask(paraph, f"{world.URL}/x").status == 200


@pytest.mark.parametrize("names", [None, ["other"], ["proxy"]])
def test_a_socket_for_no_listener_is_a_mistake(paraph, names):
    with listening(2) as (proxy, other):
        paraph.reconfigure(configured(paraph, proxy=address(proxy)))
        paraph.start(wait=False, **pass_sockets(paraph, [other], names))
        assert paraph.wait() == 65
        name = f" named {names[0]}" if names else ""
        assert f"file descriptor 3{name}, which is bound to {address(other)}, is for none" in paraph.log()
        assert f"proxy at {address(proxy)}" in paraph.log()


def test_what_does_not_listen_is_a_mistake(paraph):
    with socket.socket() as idle, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        for one in (idle, datagrams):
            paraph.start(wait=False, **pass_sockets(paraph, [one], ["proxy"]))
            assert paraph.wait() == 65
            assert "file descriptor 3 named proxy is not a stream socket that listens" in paraph.log()


# Taking over


@pytest.fixture(params=["one after the other", "side by side"])
def side_by_side(request):
    """Whether the new process is there before the old one begins to stop."""
    if request.param == "side by side" and Path(binary()).resolve().parent.name == "debug":
        pytest.skip("NIO asserts, in debug builds alone, that nobody else accepts connections of a socket")
    return request.param == "side by side"


def test_a_new_process_takes_over_without_a_lost_request(paraph, world, side_by_side):
    with listening(2) as (proxy, gateway):
        configuration = {**configured(paraph, proxy=address(proxy)), "state": str(paraph.folder / "state")}
        configuration["apis"]["main"]["gateway"] = address(gateway)
        present = paraph
        present.reconfigure(configuration)
        present.start(**pass_sockets(present, [proxy, gateway]))
        with SeparateClient("load.py", paraph.ca, address(proxy), address(gateway), world.HOST) as load:

            def answers_come():
                load.process.stdin.write("\n")
                load.process.stdin.flush()
                load.expect("more")

            answers_come()
            for number in range(TAKEOVERS):
                following = Paraph(paraph.binary, paraph.folder.parent / f"following{number}", configuration)
                if not side_by_side:
                    assert present.stop() == 0
                following.start(**pass_sockets(following, [proxy, gateway]))
                if side_by_side:
                    answers_come()
                    assert present.stop() == 0
                present = following
                answers_come()
            load.finish()
            said = load.process.stdout.read()
            print(f"{TAKEOVERS} takeovers: {said}")
            assert said.endswith(" requests, 0 lost\n")
        assert present.stop() == 0
