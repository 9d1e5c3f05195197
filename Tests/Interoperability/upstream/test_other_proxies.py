"""`upstream_proxy` with proxies of other makers: in clear text and by TLS, with Basic credentials."""

import pytest

from harness.applications import secret
from harness.certificates import public_key_pin
from harness.other_proxies import EVERY_OTHER_PROXY
from harness.raw import ask, request

PAIRS = [(maker, scheme) for maker in EVERY_OTHER_PROXY for scheme in maker.schemes]


@pytest.fixture(scope="module")
def running(certificates):
    """Starts each of them once."""
    started = {}

    def start(maker):
        if maker not in started:
            if not maker.available():
                pytest.skip(f"there is no {maker.program} on this machine, or it lacks what is needed")
            started[maker] = maker(certificates.good, "paraph", secret("pw-of-another"))
        return started[maker]

    yield start
    for one in started.values():
        one.stop()


@pytest.fixture(params=PAIRS, ids=lambda p: f"{p[0].__name__} by {p[1]}")
def way(request, running):
    maker, scheme = request.param
    return running(maker), scheme


@pytest.fixture
def start(launch, world, way, certificates):
    other, scheme = way

    def launched(password=None, listener=None, **whole):
        settings = other.settings(scheme, password)
        if scheme == "https":
            settings["trust"] = [str(certificates.root_file)]
        listener = listener or world.provider.listen(certificates.good)
        pinning = {"mode": "public_key", "pins": [public_key_pin(certificates.good.leaf), "sha256/" + "A" * 42 + "8="]}
        api = world.api((world.HOST,), connect_to=listener, tls={"pinning": pinning})
        return launch(world.configuration({"main": api}, upstream_proxy=settings, **whole)), listener

    return launched


def test_requests(start, world):
    paraph, listener = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(4):
            body = b"x" * 300_000 * number
            answer = client.exchange(request("POST", f"/x?n={number}", world.HOST, body=body))
            assert answer.verified()["body_length"] == len(body)
    assert listener.connections == 1


def test_a_server_without_a_pin(start, world, certificates):
    renewed = world.provider.listen(certificates.server("by another way", certificates.NAMES))
    paraph, _ = start(listener=renewed)
    ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    assert renewed.byte_count == 0


def test_wrong_credentials(start, world):
    paraph, listener = start(password=secret("wrong"))
    told = ask(paraph, f"{world.URL}/x").problem(502, "connection_refused")
    assert "407" in told or "401" in told, told
    assert listener.connections == 0


def test_a_destination_that_is_not_there(start, world, closed_port):
    paraph, _ = start()
    api = {**paraph.configuration["apis"]["main"], "connect_to": f"127.0.0.1:{closed_port}"}
    paraph.reload({**paraph.configuration, "apis": {"main": api}})
    told = ask(paraph, f"{world.URL}/x").problem(502, "connection_refused", "connection_terminated")
    assert "upstream proxy 127.0.0.1:" in told, told


def test_tunnels_of_clients(start, world):
    paraph, _ = start(access={"connect_ports": [world.other.port]})
    with paraph.raw(world.other.address, tls=False) as client:
        assert client.refusal is None, client.refusal
        client.start_tls("127.0.0.1", world.certificates.root_file)
        for _ in range(3):
            assert client.exchange(request("GET", "/t", world.other.address)).status == 401
