"""`paraph run` under a service manager: what it is told."""

import pytest

from harness.raw import ask
from harness.service_manager import Notifications
from harness.waiting import wait_until


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
    assert "could not be told" in paraph.log()
    assert paraph.stop() == 0
