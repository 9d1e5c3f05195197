"""`upstream_proxy: https://…`: the other proxy is spoken to by TLS of its own, and the API's TLS goes within."""

import pytest

from harness.applications import secret
from harness.certificates import public_key_pin
from harness.connect_proxy import ConnectProxy
from harness.login import Login
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until
from harness.watched_proxy import read_in
from harness.xauth import XAuth

USER = "señor x"


@pytest.fixture
def make(world, certificates):
    """Makes other proxies, and looks at what all of them saw once the test is over."""
    made = []

    def proxy(chain=None):
        other = ConnectProxy(USER, secret("pä:ss w+/="), tls=chain or certificates.good)
        other.trust = {"trust": [str(certificates.root_file)]}
        other.listener = world.provider.listen(certificates.good)
        other.hosts[f"{world.HOST}:443"] = other.listener.address
        made.append(other)
        return other

    yield proxy
    for other in made:
        assert not other.violations, other.violations
        for data in other.front.received:
            data = bytes(data)
            assert not read_in(data)
            assert not [one for one in (b"CONNECT", b"api.test.example", other.basic.encode()) if one in data]
            assert data[:2] in (b"", b"\x16\x03"), "something was said before TLS"
        assert "h2" not in other.front.protocols, "CONNECT is asked for by HTTP/1.1"
        for tunnel in other.tunnels:
            for data in (bytes(tunnel.sent), bytes(tunnel.received)):
                assert not read_in(data), f"to be read in the tunnel to {tunnel.authority}"
                assert b"CONNECT" not in data
                assert data[:2] in (b"", b"\x16\x03"), "something was said before the API's TLS"


@pytest.fixture
def other(make):
    return make()


@pytest.fixture
def start(launch, world, other, application):
    def launched(entry=None, accounts=None, whole=None, **options):
        api = {**world.api((world.HOST,), application, accounts, connect_to=False), **(entry or {})}
        configuration = world.configuration({"main": api}, **{"upstream_proxy": other.settings(), **(whole or {})})
        return launch(configuration, **options)

    return launched


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_requests(start, world, other, scheme):
    paraph = start()
    for number in range(3):
        body = b"x" * 100_000 * number
        fields = [("Content-Type", "text/plain")]
        answer = ask(paraph, f"{scheme}://{world.HOST}/x?a=1", "POST", fields, body)
        assert answer.verified()["body_length"] == len(body)
    assert set(other.opened) == {f"{world.HOST}:443"}
    assert other.listener.connections == len(other.opened) == len(other.front.received)


def test_pins_are_asked_of_the_api_alone(start, world, other, certificates):
    pinning = {"mode": "public_key", "pins": [public_key_pin(certificates.good.leaf), "sha256/" + "A" * 42 + "8="]}
    api = world.api((world.HOST,))
    paraph = start({"tls": {**api["tls"], "pinning": pinning}})
    ask(paraph, f"{world.URL}/x").verified()


def test_exchanges_and_commands(start, world, other, application):
    server = XAuth(world.provider, application)
    server.new_user("alice")
    paraph = start(accounts={"default": {"xauth": server.settings(world, "alice")}})
    code, said = Login(paraph, "main").finish()
    assert code == 0, said
    ask(paraph, f"{world.URL}/x").verified()
    assert server.requests == 1
    before = len(other.opened)
    trust = ("--trust", str(world.certificates.root_file))
    for more in ((), ("--upstream-proxy", f"https://{other.address}")):
        code, said = paraph.command("pins", world.HOST, *trust, *more)
        assert code == 0 and f"https://{other.address}" in said, said
    code, said = paraph.command("pins", "--check")
    assert code == 0, said
    assert len(other.opened) == before + 3


def test_hosts_of_no_api(start, world, other):
    paraph = start(whole={"access": {"connect_ports": [world.other.port]}})
    for _ in range(2):
        with paraph.raw(world.other.address, tls=False) as client:
            assert client.refusal is None, client.refusal
            client.start_tls("127.0.0.1", world.certificates.root_file)
            assert client.exchange(request("GET", "/t", world.other.address)).status == 401
    assert other.opened == [world.other.address] * 2


def test_a_proxy_by_tls_and_one_in_clear_text(start, world, other, launch, application, make):
    """The API's own is spoken to by TLS, the one for everything else is not."""
    plain = ConnectProxy()
    whole = {"upstream_proxy": plain.settings(), "access": {"connect_ports": [world.other.port]}}
    paraph = start({"upstream_proxy": other.settings()}, whole=whole)
    ask(paraph, f"{world.URL}/x").verified()
    with paraph.raw(world.other.address, tls=False) as client:
        client.start_tls("127.0.0.1", world.certificates.root_file)
        assert client.exchange(request("GET", "/t", world.other.address)).status == 401
    assert (other.opened, plain.opened) == ([f"{world.HOST}:443"], [world.other.address])


# What goes wrong


def refused_by(other, told, *words):
    for word in (other.address, *words):
        assert word in told, told
    assert ".." not in told
    assert not other.asked and other.listener.byte_count == 0


ADVICE = {
    "expired": "Who keeps that proxy",
    "wrong_host": "Write a name",
    "untrusted": "upstream_proxy.trust",
    "incomplete": "upstream_proxy.trust",
}


@pytest.mark.parametrize("chain", ADVICE)
def test_a_certificate_that_is_not_accepted(start, world, make, certificates, chain):
    other = make(getattr(certificates, chain))
    paraph = start(whole={"upstream_proxy": other.settings()})
    refused_by(other, ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error"), ADVICE[chain])
    for arguments in (("pins", world.HOST), ("pins", "--check")):
        code, said = paraph.command(*arguments)
        assert code == 69 and ADVICE[chain] in said and other.address in said, said
    assert not other.asked


def test_doctor_tells_of_the_certificate(start, world, make, certificates, tmp_path):
    other = make(certificates.untrusted)
    paraph = start(whole={"upstream_proxy": other.settings()})
    # Of what this machine has nobody asks.
    code, said = paraph.command("doctor", environment={"PATH": str(tmp_path)})
    assert code != 0 and other.address in said and "upstream_proxy.trust" in said, said


def test_the_roots_of_apis_are_not_those_of_proxies(start, world, other):
    """`tls.trust` of the API has the root; the system does not."""
    other.trust = {}
    paraph = start(whole={"upstream_proxy": other.settings()})
    told = ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    refused_by(other, told, "upstream_proxy.trust", "trusted roots")


def test_a_proxy_that_speaks_no_tls(start, world, other):
    plain = ConnectProxy(USER, other.password)
    url = f"https://{plain.address}"
    settings = {"url": url, "username": USER, "password": other.password, **other.trust}
    paraph = start(whole={"upstream_proxy": settings, "timeouts": {"handshake": "500ms"}})
    # The client has no handshake of its own, which would have to be over as soon.
    answer = ask(paraph, f"http://{world.HOST}/x")
    assert plain.address in answer.problem(answer.status) and answer.status in (502, 504)
    assert not plain.opened


def test_wrong_credentials(start, world, other):
    settings = {**other.settings(), "password": secret("wrong pw")}
    paraph = start(whole={"upstream_proxy": settings})
    told = ask(paraph, f"{world.URL}/x").problem(502, "connection_refused")
    assert "407" in told and "upstream_proxy.password" in told and other.address in told
    assert not other.opened


def test_a_tunnel_that_breaks_under_a_request(start, world, other, hold):
    """The TLS of the proxy ends in order, and that of the API does not: nothing is whole, nothing is sent again."""
    held = hold()
    tunnels = []

    def behave(tunnel, connection):
        tunnels.append(connection)
        other.open(tunnel, connection)

    other.behave = behave
    paraph = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("POST", held.path, world.HOST, body=b""))
        assert held.reached.wait(LIMIT)
        tunnels[0].shutdown(2)
        client.receive().problem(502, "connection_terminated")
    held.go.set()
    assert len(world.provider.requests_for(held.path)) == 1


def test_a_reload_changes_the_trust(start, world, other):
    """Connections that were made are not used any more when the proxy would not be trusted now."""
    paraph = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/x", world.HOST)).verified()
        other.trust = {}
        paraph.reload({**paraph.configuration, "upstream_proxy": other.settings()})
        wait_until(lambda: other.listener.ended == 1, "the idle connection to be closed")
        client.exchange(request("GET", "/x", world.HOST)).problem(502, "tls_certificate_error")


WRONG = {
    "trust beside http": ({"url": "http://proxy.example:3128", "trust": "system"}, "trust is of no use"),
    "trust in nobody": ({"url": "https://proxy.example:3128", "trust": []}, "trust is an empty list"),
    "a file that is not there": ({"url": "https://proxy.example:3128", "trust": ["none.pem"]}, "none.pem"),
    "another protocol": ("socks5://proxy.example:1080", "http:// or https://"),
}


@pytest.mark.parametrize("title", WRONG)
def test_the_configuration_is_checked(start, title):
    settings, words = WRONG[title]
    paraph = start()
    assert paraph.command("check")[0] == 0
    paraph.reconfigure({**paraph.configuration, "upstream_proxy": settings})
    code, said = paraph.command("check")
    assert code == 65 and "upstream_proxy" in said and words in said, said


def test_silence(start, world, other):
    """What is given up is closed, and nothing was said that the tunnel was not open for."""
    said = []

    def hear(tunnel, connection):
        while data := connection.recv(1 << 16):
            said.append(data)

    other.behave = hear
    paraph = start(whole={"timeouts": {"connect": "500ms"}})

    def was_asked():
        told = ask(paraph, f"{world.URL}/x").problem(504, "connection_timeout")
        assert "timeouts.connect" in told and other.address in told
        return other.asked

    # The time may be over before the handshake with the other proxy is.
    wait_until(was_asked, "the other proxy to be asked for a tunnel")
    wait_until(lambda: all(tunnel.is_over for tunnel in other.tunnels), "the connection to be closed")
    assert said == []
