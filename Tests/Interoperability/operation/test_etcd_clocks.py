"""Several proxies that share etcd, on machines whose clocks are apart: the time of a provider that one learns, all know."""

import base64
import os

import pytest

from harness.applications import remember
from harness.fleet.replica import Replica
from harness.programs import need
from harness.raw import ask
from harness.waiting import wait_until

AHEAD = 5_000


@pytest.fixture
def provider_ahead(provider):
    provider.clock_ahead = AHEAD
    yield provider
    provider.clock_ahead = 0


@pytest.fixture
def configuration(world, etcd):
    vault = {"etcd": {"endpoints": [etcd.url]}, "key": remember(base64.b64encode(os.urandom(32)).decode())}
    return world.configuration({"main": world.api((world.HOST,), world.provider.new_application())}, vault=vault)


@pytest.fixture
def replica(launch, tmp_path):
    """Starts one on a machine whose clock is wrong by some seconds."""
    need("gcc", ["gcc"])
    Replica.build_clock(tmp_path)

    def start(configuration, wrong_by=0):
        if not wrong_by:
            return launch(configuration)
        environment = {"LD_PRELOAD": str(tmp_path / "clock.so"), "SECONDS_APART": str(wrong_by)}
        return launch(configuration, environment=environment)

    return start


def offset(paraph):
    return paraph.administer("GET", "/status").json["apis"][0]["clock"]["offset_seconds"]


def knows(paraph, expected):
    found = offset(paraph)
    return found is not None and abs(found - expected) <= 5


def signs_at_once(paraph, world):
    """Whether the provider takes the first signature."""
    before = len(world.provider.records)
    answer = ask(paraph, f"{world.URL}/x")
    return answer.status == 200 and len(world.provider.records) == before + 1


def test_what_one_learns_the_others_know(replica, world, provider_ahead, configuration):
    one, other = replica(configuration), replica(configuration, wrong_by=-700)
    assert not signs_at_once(one, world) and knows(one, AHEAD)
    wait_until(lambda: knows(other, AHEAD + 700), "the other replica to know the provider's time")
    assert signs_at_once(other, world) and signs_at_once(one, world)
    other.told("the provider's clock is followed, as another replica has learnt it")
    # One that starts later, too, and whoever is left can tell it.
    one.kill()
    third = replica(configuration, wrong_by=400)
    wait_until(lambda: knows(third, AHEAD - 400), "the third replica to know the provider's time")
    assert signs_at_once(third, world)
    # The provider's clock is set right: of those who went by it, only the first has a request refused.
    provider_ahead.clock_ahead = 0
    assert not signs_at_once(third, world) and knows(third, -400)
    wait_until(lambda: knows(other, 700), "the other replica to know that the clock was set")
    assert signs_at_once(other, world)


def test_it_is_known_after_etcd_was_away(replica, world, etcd, provider_ahead, configuration):
    one, other = replica(configuration), replica(configuration, wrong_by=-700)
    etcd.stop()
    assert not signs_at_once(one, world) and signs_at_once(one, world)
    assert offset(other) is None
    etcd.start()
    wait_until(lambda: knows(other, AHEAD + 700), "the other replica to know the provider's time")


def test_a_clock_that_is_not_to_be_followed_is_not(replica, world, provider_ahead, configuration):
    one = replica(configuration)
    api = configuration["apis"]["main"]
    off = {**api, "oauth1": {**api["oauth1"], "clock_correction": False}}
    other = replica({**configuration, "apis": {"main": off}})
    assert not signs_at_once(one, world)
    third = replica(configuration)
    wait_until(lambda: knows(third, AHEAD), "the third replica to know the provider's time")
    assert offset(other) is None
    # Until a reload lets it be.
    other.reload(configuration)
    wait_until(lambda: knows(other, AHEAD), "the other replica to know the provider's time")
    assert signs_at_once(other, world)
