"""`upstream_proxy`: everything goes through tunnels of another proxy, which learns names and sizes and nothing else."""

import concurrent.futures
import socket
import threading
from pathlib import Path

import pytest

from harness.applications import secret
from harness.clients import Request
from harness.connect_proxy import ConnectProxy
from harness.login import Login
from harness.raw import ask, connect, request
from harness.waiting import LIMIT, wait_until
from harness.watched_proxy import USER, only_through, says


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_requests(start, world, other, client, scheme):
    paraph = start()
    for _ in range(3):
        client.send(paraph, Request(f"{scheme}://{world.HOST}/x?a=1")).verified()
    assert only_through(other) and set(other.opened) == {f"{world.HOST}:443"}


def test_a_tunnel_is_used_again(start, world, other):
    paraph = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        for _ in range(5):
            client.exchange(request("GET", "/x", world.HOST)).verified()
    assert len(other.opened) == 1


def test_many_clients_at_once(start, world, other):
    paraph = start()
    body = b"x" * 100_000

    def send(number):
        fields = [("Content-Type", "text/plain")]
        return ask(paraph, f"{world.URL}/x?n={number}", "POST", fields, body)

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        for answer in pool.map(send, range(60)):
            assert answer.verified()["body_length"] == len(body)
    assert only_through(other)


def test_connect_to_is_where_the_tunnel_leads(start, world, other):
    paraph = start({"connect_to": other.listener.address})
    ask(paraph, f"{world.URL}/x").verified()
    assert other.opened == [other.listener.address]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
def test_it_does_not_lead_to_the_proxys_own_listeners(start, other, host):
    """It may be on the same machine."""
    paraph = start()
    port = paraph.addresses["admin"].rpartition(":")[2]
    paraph.allow_port(port)
    ask(paraph, f"http://{host}:{port}/accounts").problem(403, "destination_ip_prohibited")
    assert not other.opened


def test_a_proxy_without_credentials(launch, world, other, application):
    open_to_all = ConnectProxy(hosts=other.hosts)
    api = world.api((world.HOST,), application, connect_to=False)
    paraph = launch(world.configuration({"main": api}, upstream_proxy=open_to_all.settings()))
    ask(paraph, f"{world.URL}/x").verified()
    assert not open_to_all.violations and open_to_all.opened


def test_a_second_paraph_with_clients_of_its_own(launch, start, world, other):
    password = world.password()
    elsewhere = {"elsewhere": world.api(["elsewhere.test.example"])}
    access = {
        "clients": [{"name": "first", "password": password}],
        "connect_ports": [other.listener.port],
        "allowed_networks": ["127.0.0.0/8"],
    }
    second = launch(world.configuration(elsewhere, access=access))
    settings = {"url": second.url, "username": "first", "password": password}
    paraph = start({"connect_to": other.listener.address}, whole={"upstream_proxy": settings})
    ask(paraph, f"{world.URL}/x").verified()
    wrong = start({"connect_to": other.listener.address}, whole={"upstream_proxy": {**settings, "username": "nobody"}})
    assert "407" in ask(wrong, f"{world.URL}/x").problem(502)
    assert other.listener.requests == 1
    # Before the second one: that could not know whether anything is still to come through a tunnel.
    assert paraph.stop() == 0


# Hosts of no API


def test_tunnels_of_clients(start, world, other):
    whole = {"access": {"connect_ports": [world.other.port]}}
    paraph = start(whole=whole)
    for _ in range(2):
        ask_without_api(paraph, world)
    assert other.opened == [world.other.address] * 2


def ask_without_api(paraph, world):
    with paraph.raw(world.other.address, tls=False) as client:
        assert client.refusal is None, client.refusal
        client.start_tls("127.0.0.1", world.certificates.root_file)
        assert client.exchange(request("GET", "/t", world.other.address)).status == 401


def test_plain_requests_to_hosts_of_no_api(start, world, provider, launch):
    """Without TLS the other proxy sees them: there is nothing of Paraph's in them but Via."""
    another = ConnectProxy(USER, secret("pw"))
    plain = provider.listen(None)
    paraph = start(whole={"upstream_proxy": another.settings(), "access": {"connect_ports": [plain.port]}})
    answer = ask(paraph, f"http://{plain.address}/t", connect_fields=[("Proxy-Authorization", "Basic eDp5")])
    assert answer.status == 401 and [n.lower() for n, _ in answer.json["fields"]] == ["host", "via"]
    assert another.opened == [plain.address] and not another.violations
    assert b"uthorization" not in another.tunnels[0].sent


def test_what_is_denied_is_not_asked_for(start, world, other):
    """The other proxy could reach what this one may not."""
    networks = {"denied_networks": ["127.0.0.9/32"], "connect_ports": [443, 80]}
    paraph = start(whole={"access": networks})
    ask(paraph, "https://127.0.0.9/x").problem(403, "destination_ip_prohibited")
    ask(paraph, "http://127.0.0.9/x").problem(403, "destination_ip_prohibited")
    assert not other.asked


# Which proxy


def test_an_api_may_do_without(start, world, other, application):
    """`off` for one API; the exchange goes the same way."""
    whole = {"access": {"connect_ports": [world.other.port]}}
    direct = {"connect_to": other.listener.address, "upstream_proxy": "off"}
    paraph = start(direct, {"default": world.reverse_auth_account(application)}, whole)
    ask(paraph, f"{world.URL}/x").verified()
    assert not other.asked and other.listener.requests == 3
    ask_without_api(paraph, world)
    assert other.opened == [world.other.address]


def test_an_api_may_have_another_one(start, world, other):
    """The one at the top is for everything else."""
    nobodys = ConnectProxy(hosts=other.hosts)
    whole = {"upstream_proxy": nobodys.settings(), "access": {"connect_ports": [world.other.port]}}
    paraph = start({"upstream_proxy": other.settings()}, whole=whole)
    ask(paraph, f"{world.URL}/x").verified()
    ask_without_api(paraph, world)
    assert (other.opened, nobodys.opened) == ([f"{world.HOST}:443"], [world.other.address])


VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]


def test_the_environment_is_not_asked(start, world, other, application):
    stranger = ConnectProxy(hosts=other.hosts)
    environment = dict.fromkeys(VARIABLES, f"http://{stranger.address}")
    account = world.reverse_auth_account(application)
    direct = {"connect_to": other.listener.address}
    whole = {"upstream_proxy": "off", "access": {"connect_ports": [world.other.port]}}
    paraph = start(direct, {"default": account}, whole, environment=environment)
    ask(paraph, f"{world.URL}/x").verified()
    ask_without_api(paraph, world)
    code, said = Login(paraph, "main", environment=environment).finish()
    assert code == 0, said
    for arguments in (("pins", world.HOST, "--trust", str(world.certificates.root_file)), ("pins", "--check")):
        code, said = paraph.command(*arguments, environment=environment)
        assert code == 0, said
    assert not stranger.asked and not other.asked


def test_a_reload_changes_the_way(start, world, other):
    """Idle connections of the old way are not used any more, tunnels of clients stay."""
    second = ConnectProxy("x", secret("another pw"), other.hosts)
    paraph = start(whole={"access": {"connect_ports": [world.other.port]}})
    with paraph.raw(world.other.address, tls=False) as tunnel, paraph.raw(f"{world.HOST}:443") as client:
        tunnel.start_tls("127.0.0.1", world.certificates.root_file)
        client.exchange(request("GET", "/x", world.HOST)).verified()
        paraph.reload({**paraph.configuration, "upstream_proxy": second.settings()})
        wait_until(lambda: other.listener.ended == 1, "the idle connection to be closed")
        client.exchange(request("GET", "/x", world.HOST)).verified()
        assert tunnel.exchange(request("GET", "/t", world.other.address)).status == 401
    assert second.opened == [f"{world.HOST}:443"] and len(other.opened) == 2 and not second.violations


# `paraph pins`


def test_pins_goes_the_same_way(start, world, other):
    paraph = start()
    code, said = paraph.command("pins", world.HOST, "--trust", str(world.certificates.root_file))
    assert code == 0, said
    code, said = paraph.command("pins", "--check")
    assert (code, said.split(":")[0]) == (0, "not pinned"), said
    assert other.opened == [f"{world.HOST}:443"] * 2 and other.listener.requests == 0


# Ends


def test_a_client_that_ends_before_its_tunnel_is_open(start, other):
    """What it sent goes through, its end behind it, and the answer comes back."""
    opened, heard = threading.Event(), []

    def behave(tunnel, connection):
        assert opened.wait(LIMIT)
        connection.sendall(b"HTTP/1.1 200 Open\r\n\r\n")
        while data := connection.recv(4096):
            heard.append(data)
        connection.sendall(b"an answer")

    other.behave = behave
    paraph = start()
    with connect(paraph.proxy) as client:
        client.sendall(b"CONNECT www.example:443 HTTP/1.1\r\nHost: www.example:443\r\n\r\nhello")
        client.shutdown(socket.SHUT_WR)
        port = client.getsockname()[1]
        # 08: its end has come, and has been read.
        wait_until(lambda: ("08", 0, port) in paraph.sockets(), "the proxy to read the end")
        opened.set()
        assert client.makefile("rb").read().endswith(b"\r\n\r\nan answer")
    assert b"".join(heard) == b"hello"


# The password


def test_the_password_is_nowhere_to_be_seen(start, world, other):
    """The log is searched after every test, as answers and the output of commands are."""
    paraph = start(whole={"log": {"level": "trace", "format": "json"}})
    ask(paraph, f"{world.URL}/x").verified()
    other.behave = says(f"HTTP/1.1 407 {other.basic} {other.password}\r\nX: {other.basic}\r\n\r\n".encode())
    with paraph.raw("www.example:443", tls=False) as client:
        client.refusal.problem(502)
    seen = [Path(f"/proc/{paraph.process.pid}/cmdline").read_text()]
    seen += [paraph.admin(path)[1].decode() for path in ("/metrics", "/healthz", "/readyz", "/accounts")]
    url = f"http://{other.address}"
    whole = paraph.file.read_text()
    for old, new in (('"username"', '"usernam"'), (url, url.replace("http", "socks5")), (url, f"{url}/x")):
        paraph.file.write_text(whole.replace(old, new))
        code, said = paraph.command("check")
        assert code == 65 and "upstream_proxy" in said, said
        seen.append(said)
    within = url.replace("//", "//user:very-secret@")
    paraph.file.write_text(whole.replace(url, within))
    code, said = paraph.command("check")
    assert code == 65 and "very-secret" not in said and "password" in said, said
    assert not [one for one in (other.password, other.basic[6:]) for text in seen if one in text]
