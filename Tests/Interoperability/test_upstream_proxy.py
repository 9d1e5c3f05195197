"""`upstream_proxy`: everything goes through tunnels of another proxy, which learns names and sizes and nothing else."""

import concurrent.futures
import threading
from pathlib import Path

import pytest

from harness.applications import KNOWN_SECRETS, KNOWN_TOKENS, secret
from harness.clients import Request
from harness.connect_proxy import ConnectProxy
from harness.enrolment import IDS
from harness.enrolment import Scene as EnrolmentScene
from harness.login import Browser, Login
from harness.password_grant import PasswordGrant
from harness.raw import ask, request
from harness.three_legged import ThreeLegged
from harness.waiting import wait_until
from harness.xauth import XAuth

# RFC 7617: the password may hold colons; both are UTF-8.
USER = "señor x"


@pytest.fixture
def other(world):
    """The other proxy, which alone knows where the API's host is; and what it saw, once the test is over."""
    proxy = ConnectProxy(USER, secret("pä:ss w+/="))
    proxy.listener = world.provider.listen(world.certificates.good)
    proxy.hosts[f"{world.HOST}:443"] = proxy.listener.address
    yield proxy
    assert not proxy.violations, proxy.violations
    known = [one.encode() for one in KNOWN_SECRETS | KNOWN_TOKENS] + [b"uthorization", b"oauth"]
    for tunnel in proxy.tunnels:
        for octets in (bytes(tunnel.sent), bytes(tunnel.received)):
            assert not [one for one in known if one in octets], f"to be read in the tunnel to {tunnel.authority}"
            assert octets[:2] in (b"", b"\x16\x03"), "something was said before TLS"


@pytest.fixture
def application(provider):
    return provider.new_application()


@pytest.fixture
def start(launch, world, other, application):
    """A proxy that has no other way than the other one: the API's host does not resolve."""

    def launched(entry=None, accounts=None, whole=None, **options):
        api = {**world.api((world.HOST,), application, accounts, connect_to=False), **(entry or {})}
        api = {key: value for key, value in api.items() if value is not None}
        configuration = world.configuration({"main": api}, **{"upstream_proxy": other.settings(), **(whole or {})})
        return launch(configuration, **options)

    return launched


def only_through(other):
    """Each connection that the provider had was a tunnel."""
    return other.listener.connections == len(other.opened) > 0


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


def test_a_proxy_without_credentials(launch, world, other, application):
    open_to_all = ConnectProxy(hosts=other.hosts)
    api = world.api((world.HOST,), application, connect_to=False)
    paraph = launch(world.configuration({"main": api}, upstream_proxy=open_to_all.settings()))
    ask(paraph, f"{world.URL}/x").verified()
    assert not open_to_all.violations and open_to_all.opened


def test_a_second_paraph_with_clients_of_its_own(launch, start, world, other):
    password = world.password()
    elsewhere = {"elsewhere": world.api(["elsewhere.test.example"])}
    access = {"clients": [{"name": "first", "password": password}], "connect_ports": [other.listener.port]}
    second = launch(world.configuration(elsewhere, access=access))
    settings = {"url": second.url, "username": "first", "password": password}
    paraph = start({"connect_to": other.listener.address}, whole={"upstream_proxy": settings})
    ask(paraph, f"{world.URL}/x").verified()
    wrong = start({"connect_to": other.listener.address}, whole={"upstream_proxy": {**settings, "username": "nobody"}})
    assert "407" in ask(wrong, f"{world.URL}/x").problem(502)
    assert other.listener.requests == 1
    # Before the second one: that could not know whether anything is still to come through a tunnel.
    assert paraph.stop() == 0


# Ways to a token


class Exchanges:
    """What an account needs, and how often the provider was asked for its token."""

    @staticmethod
    def reverse_auth(world, application):
        flow = application.reverse_auth
        return {}, world.reverse_auth_account(application), "/x", lambda: flow.second_steps

    @staticmethod
    def xauth(world, application):
        server = XAuth(world.provider, application)
        server.new_user("alice")
        return {}, {"xauth": server.settings(world, "alice")}, "/x", lambda: server.requests

    @staticmethod
    def password(world, application):
        server = PasswordGrant(world.provider)
        account = {"password": {"username": "alice", "password": server.new_user("alice")}}
        entry = {"oauth1": None, "oauth2": server.settings(world)}
        return entry, account, server.resource, lambda: len(server.token_requests)


KINDS = ["reverse_auth", "xauth", "password"]


@pytest.fixture(params=KINDS)
def exchange(request, world, application):
    return getattr(Exchanges, request.param)(world, application)


def test_exchanges(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account})
    for _ in range(2):
        ask(paraph, f"{world.URL}{path}").verified()
    assert count() == 1 and only_through(other)


def test_a_refresh(start, world, other, application):
    server = PasswordGrant(world.provider)
    account = {"password": {"username": "alice", "password": server.new_user("alice")}}
    paraph = start({"oauth1": None, "oauth2": server.settings(world)}, {"default": account})
    ask(paraph, f"{world.URL}{server.resource}").verified()
    server.revoke_access_tokens()
    ask(paraph, f"{world.URL}{server.resource}").verified()
    assert server.kinds == ["password", "refresh"] and only_through(other)


def test_logins_that_need_no_person(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account})
    code, said = Login(paraph, "main").finish()
    assert code == 0, said
    assert count() == 1 and only_through(other)
    ask(paraph, f"{world.URL}{path}").verified()
    assert count() == 1


def test_a_login_with_a_person(start, world, other, application):
    server = ThreeLegged(world.provider, application)
    paraph = start(accounts={"default": {"three_legged": server.settings(world)}})
    person = Login(paraph, "main")
    person.type(Browser(world.certificates).pin(person.address()))
    code, said = person.finish()
    assert code == 0, said
    assert only_through(other) and other.listener.requests == 2
    assert ask(paraph, f"{world.URL}/x").verified()["user"] == "alice"


@pytest.mark.parametrize("kind", IDS)
def test_enrolment(world, launch, other, kind):
    found = EnrolmentScene(world, launch, upstream_proxy=other.settings())
    before = world.main.connections
    assert found.register(found.claim(kind)).status == 201
    assert found.use(kind).verified()["user"] == IDS[kind]
    assert world.main.connections - before == len(other.opened) > 0
    assert set(other.opened) == {world.main.address}


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
    paraph = start(whole={"upstream_proxy": another.settings()})
    answer = ask(paraph, f"http://{plain.address}/t", connect_fields=[("Proxy-Authorization", "Basic eDp5")])
    assert answer.status == 401 and [n.lower() for n, _ in answer.json["fields"]] == ["host", "via"]
    assert another.opened == [plain.address] and not another.violations
    assert b"uthorization" not in another.tunnels[0].sent


def test_what_is_denied_is_not_asked_for(start, world, other):
    """The other proxy could reach what this one may not."""
    networks = {"denied_networks": ["127.0.0.9/32"], "connect_ports": [443]}
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


# What goes wrong


def wrong(other):
    return {**other.settings(), "password": secret("wrong pw")}


def refused_by(other, told, *words):
    for word in (other.address, *words):
        assert word in told, told
    assert ".." not in told
    assert other.listener.octets == 0


def test_wrong_credentials(start, world, other):
    paraph = start(whole={"upstream_proxy": wrong(other), "access": {"connect_ports": [world.other.port]}})
    words = "407", "upstream_proxy.password", world.HOST
    for scheme in ("https", "http"):
        refused_by(other, ask(paraph, f"{scheme}://{world.HOST}/x").problem(502, "connection_refused"), *words)
    told = ask(paraph, f"https://{world.other.address}/t").problem(502, "connection_refused")
    refused_by(other, told, "407", world.other.address)
    for arguments in (("pins", world.HOST), ("pins", "--check")):
        code, said = paraph.command(*arguments)
        assert code == 69 and "407" in said, said
    assert not other.opened


def test_wrong_credentials_of_an_exchange(start, world, other, exchange):
    entry, account, path, count = exchange
    paraph = start(entry, {"default": account}, {"upstream_proxy": wrong(other)})
    refused_by(other, ask(paraph, f"{world.URL}{path}").problem(502), "407", "upstream_proxy.password")
    code, said = Login(paraph, "main").finish()
    assert code != 0 and count() == 0
    refused_by(other, said, "407", "upstream_proxy.password")


@pytest.mark.parametrize("kind", IDS)
def test_wrong_credentials_of_enrolment(world, launch, other, kind):
    found = EnrolmentScene(world, launch, upstream_proxy=wrong(other))
    answer = found.register(found.claim(kind))
    assert answer.status == 502 and answer.json["message"] == "USER_CREATION_FAILED"
    refused_by(other, answer.json["detail"], "407", "upstream_proxy.password")


def says(octets, then_close=True):
    def behave(tunnel, connection):
        connection.sendall(octets)
        if not then_close:
            connection.recv(1)

    return behave


def silence(tunnel, connection):
    connection.recv(1)


FAILURES = {
    "403": (says(b"HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno\n"), 502, ["403", "rules"]),
    "502 without a length": (says(b"HTTP/1.1 502 Down\r\n\r\nsomething"), 502, ["502"]),
    "a redirect": (says(b"HTTP/1.1 302 Found\r\nLocation: http://portal/\r\nContent-Length: 0\r\n\r\n"), 502, ["302"]),
    "it closes": (says(b""), 502, ["closed"]),
    "it closes in the middle": (says(b"HTTP/1.1 200 Conn"), 502, ["closed"]),
    "no HTTP": (says(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), 502, ["HTTP"]),
    "a head without an end": (says(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000, False), 502, ["HTTP"]),
    "silence": (silence, 504, ["timeouts.connect"]),
}


@pytest.mark.parametrize("title", FAILURES)
def test_a_proxy_that_fails(start, world, other, title):
    behave, status, words = FAILURES[title]
    other.behave = behave
    paraph = start(whole={"timeouts": {"connect": "500ms"}})
    refused_by(other, ask(paraph, f"{world.URL}/x").problem(status), *words, world.HOST)
    wait_until(lambda: all(tunnel.is_over for tunnel in other.tunnels), "the connection to be closed")
    other.behave = None
    ask(paraph, f"{world.URL}/x").verified()


def test_a_proxy_that_is_not_there(start, world, other):
    other.close()
    paraph = start()
    refused_by(other, ask(paraph, f"{world.URL}/x").problem(502, "connection_refused"), "upstream_proxy", world.HOST)


def in_pieces(*pieces):
    def behave(other):
        def answer(tunnel, connection):
            for piece in pieces[:-1]:
                connection.sendall(piece)
            other.open(tunnel, connection, pieces[-1])

        return answer

    return behave


ANSWERS = {
    "octet by octet": in_pieces(*(bytes([octet]) for octet in b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n")),
    "after 100 and 103": in_pieces(b"HTTP/1.1 100 x\r\n\r\n", b"HTTP/1.1 103 x\r\n\r\n", b"HTTP/1.1 200 x\r\n\r\n"),
    "HTTP/1.0": in_pieces(b"HTTP/1.0 200 Connection established\r\nProxy-agent: Apache\r\n\r\n"),
    "another 2xx": in_pieces(b"HTTP/1.1 204 Fine\r\n\r\n"),
    "a length that means nothing": in_pieces(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "a coding that means nothing": in_pieces(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
}


@pytest.mark.parametrize("title", ANSWERS)
def test_answers_that_open_a_tunnel(start, world, other, title):
    other.behave = ANSWERS[title](other)
    paraph = start()
    ask(paraph, f"{world.URL}/x").verified()


def test_a_tunnel_that_breaks_under_a_request(start, world, other):
    """Nothing is sent again that was perhaps carried out."""
    reached, go = threading.Event(), threading.Event()

    def hold(call):
        call.read_body()
        reached.set()
        assert go.wait(30)
        call.answer()

    path = world.provider.route(hold)
    connections = []
    other.behave = lambda tunnel, connection: (connections.append(connection), other.open(tunnel, connection))
    paraph = start()
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(request("POST", path, world.HOST, body=b""))
        assert reached.wait(20)
        connections[0].shutdown(2)
        client.receive().problem(502, "connection_terminated")
    go.set()
    assert len(world.provider.requests_for(path)) == 1


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
