"""xAuth on first use: a user name and a password for a token."""

import pytest

from harness.clients import Request
from harness.raw import ask
from harness.xauth import XAuth


@pytest.fixture
def server(world):
    found = XAuth(world.provider, world.provider.new_application())
    found.new_user("alice")
    return found


@pytest.fixture
def configuration(world, server):
    accounts = {"default": {"xauth": server.settings(world, "alice")}}
    return world.configuration({"main": world.api((world.HOST,), server.application, accounts)})


def test_a_token_is_fetched_once(launch, configuration, world, server, client):
    paraph = launch(configuration)
    for _ in range(3):
        assert client.send(paraph, Request(f"{world.URL}/x")).verified()["user"] == "alice"
    assert server.requests == 1


def test_a_refused_token_is_fetched_again(launch, configuration, world, server):
    paraph = launch(configuration)
    ask(paraph, f"{world.URL}/x").verified()
    server.issued[0].revoked = True
    ask(paraph, f"{world.URL}/x").verified()
    assert server.requests == 2
    paraph.kill()
    paraph.start()
    ask(paraph, f"{world.URL}/x").verified()
    assert server.requests == 2


def test_a_wrong_password(launch, configuration, world, server):
    server.users["alice"] = "another"
    paraph = launch(configuration)
    told = ask(paraph, f"{world.URL}/x").problem(502, "http_request_denied")
    assert "Invalid user name or password" in told and "401" in told and "xAuth" in told
    assert not server.issued
