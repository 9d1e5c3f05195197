"""The rows of the table of what the proxy answers itself, limits and times included."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.clients import Request
from harness.http1 import Closed
from harness.raw import RawClient, ask, connect, request
from harness.waiting import LIMIT, wait_until


@pytest.fixture(scope="module")
def deaf():
    """Addresses that do not answer: one whose queue of connections is full, one that accepts and then says nothing."""
    full = socket.socket()
    full.bind(("127.0.0.1", 0))
    full.listen(0)
    fillers = []
    for _ in range(8):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(full.getsockname())
        fillers.append(filler)
    silent = socket.socket()
    silent.bind(("127.0.0.1", 0))
    silent.listen(64)
    yield {"full": f"127.0.0.1:{full.getsockname()[1]}", "silent": f"127.0.0.1:{silent.getsockname()[1]}"}
    for one in [full, silent, *fillers]:
        one.close()


@pytest.fixture(scope="module")
def patient(launch_for_session, world, deaf):
    """A proxy whose times are long, until a test has the one short that it lets pass."""
    apis = {
        "main": world.api(),
        "full": {**world.api(["full.test.example"]), "connect_to": deaf["full"]},
        "silent": {**world.api(["silent.test.example"]), "connect_to": deaf["silent"]},
        "poll": {**world.api(["poll.test.example"]), "timeouts": {"response_header": "10m"}},
    }
    access = {"connect_ports": [443, world.other.port, int(deaf["full"].rpartition(":")[2])]}
    return launch_for_session(world.configuration(apis, access))


@pytest.fixture(scope="module")
def odd(launch_for_session, world):
    """APIs that cannot be reached, or only in part."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    port = held.getsockname()[1]
    apis = {
        "part": world.api(["part.test.example"], paths=["/1.1/", "/2/"], methods=["GET", "HEAD"]),
        "refused": {**world.api(["refused.test.example"]), "connect_to": f"127.0.0.1:{port}"},
        "unknown": world.api(["no-such-host.invalid"], connect_to=False),
        "denied": world.api(["127.9.9.9:8443"], connect_to=False),
        "link-local": world.api(["169.254.1.1"], connect_to=False),
    }
    access = {
        "connect_ports": [443, port],
        "denied_networks": ["127.9.0.0/16", "169.254.0.0/16", "fe80::/10", "::2/128"],
        "allowed_networks": [],
    }
    paraph = launch_for_session(world.configuration(apis, access), environment=world.RESOLVER)
    paraph.closed_port = port
    paraph.held = held
    return paraph


BOTH = pytest.mark.parametrize("scheme", ["https", "http"])


@BOTH
@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/1.0/x"),
        ("GET", "/"),
        ("GET", "/1.1"),
        ("POST", "/1.1/x"),
        ("DELETE", "/2/"),
        ("GET", "/1.1/../secret"),
        ("GET", "/1.1/%2e%2e/secret"),
        ("GET", "//1.1/x"),
    ],
)
def test_a_path_or_method_that_is_not_allowed(odd, scheme, method, path):
    ask(odd, f"{scheme}://part.test.example{path}", method).problem(403, "http_request_denied")


@BOTH
@pytest.mark.parametrize("path", ["/1.1/x?a=1", "/2/", "/2/a/b/c", "/1.1/a%2Fb"])
def test_a_path_that_is_allowed(odd, scheme, path):
    ask(odd, f"{scheme}://part.test.example{path}").verified()


@BOTH
def test_a_name_that_does_not_resolve(odd, scheme):
    ask(odd, f"{scheme}://no-such-host.invalid/x").problem(502, "dns_error")


def test_a_name_that_does_not_resolve_for_a_tunnel(odd):
    ask(odd, "https://no-such-host-either.invalid/x").problem(502, "dns_error")


@BOTH
def test_a_connection_that_is_refused(odd, scheme):
    ask(odd, f"{scheme}://refused.test.example/x").problem(502, "connection_refused")


def test_a_connection_that_is_refused_for_a_tunnel(odd):
    ask(odd, f"https://127.0.0.1:{odd.closed_port}/x").problem(502, "connection_refused")


@pytest.mark.parametrize(
    "url",
    [
        "https://127.9.9.9:8443/x",
        "http://127.9.9.9:8443/x",
        "https://169.254.1.1/x",
        "https://127.9.1.2/x",
        "https://[fe80::1]/x",
        "https://[::2]/x",
        "https://[::ffff:127.9.9.9]/x",
        "https://169.254.169.254/x",
    ],
)
def test_an_address_in_a_denied_network(odd, url):
    ask(odd, url).problem(403, "destination_ip_prohibited")


@pytest.mark.parametrize(
    "url", ["https://2130706433/x", "https://0x7f.9.9.9/x", "https://127.9.2313/x", "https://0177.011.011.011/x"]
)
def test_odd_spellings_of_a_denied_address_lead_nowhere(odd, url):
    answer = ask(odd, url)
    assert answer.from_the_proxy and answer.status in (400, 403, 502), answer


SHORT = "500ms"


@BOTH
def test_a_connection_that_takes_too_long(patient, scheme):
    with patient.limited(connect=SHORT):
        ask(patient, f"{scheme}://full.test.example/x").problem(504, "connection_timeout")


def test_a_tunnel_that_takes_too_long(patient, deaf):
    with patient.limited(connect=SHORT):
        ask(patient, f"https://{deaf['full']}/x").problem(504, "connection_timeout")


@BOTH
def test_a_handshake_that_takes_too_long(patient, scheme):
    """The upstream's: the client's own is over before the time is short."""
    host = "silent.test.example"
    with patient.raw(f"{host}:443" if scheme == "https" else None) as client, patient.limited(handshake=SHORT):
        answer = client.exchange(request("GET", "/x" if scheme == "https" else f"http://{host}/x", host))
        answer.problem(504, "connection_timeout")


@pytest.fixture
def held_path(provider):
    """A path that is answered at the end of the test, or when the event is set."""
    go = threading.Event()

    def handler(call):
        go.wait(LIMIT)
        call.answer()

    yield provider.route(handler), go
    go.set()


@BOTH
def test_an_answer_that_takes_too_long(patient, world, held_path, scheme):
    with patient.limited(response_header=SHORT):
        ask(patient, f"{scheme}://{world.HOST}{held_path[0]}").problem(504, "http_response_timeout")


@BOTH
def test_a_long_poll_lives_as_long_as_its_api_says(patient, world, provider, held_path, scheme):
    """Longer than others' answers may take, and longer than anything may be idle."""
    path, go = held_path
    with ThreadPoolExecutor() as threads, patient.limited(response_header=SHORT, idle="1s"):
        polled = threads.submit(ask, patient, f"{scheme}://poll.test.example{path}")
        try:
            provider.wait(lambda: len(provider.requests_for(path)) == 1, what="the poll")
            told = ask(patient, f"{scheme}://{world.HOST}{path}").problem(504, "http_response_timeout")
            assert "apis.main.timeouts.response_header" in told
            # A connection that is idle from now on is closed first.
            with patient.raw() as idle:
                refused = [("Paraph-Account", "nobody")]
                idle.exchange(request("GET", f"http://{world.HOST}/", world.HOST, refused)).problem(403)
                assert idle.is_closed()
            assert not polled.done()
        finally:
            go.set()
        polled.result().verified()


def test_every_client_hears_of_an_answer_that_takes_too_long(patient, world, held_path, client):
    with patient.limited(response_header=SHORT):
        client.send(patient, Request(f"{world.URL}{held_path[0]}")).problem(504, "http_response_timeout")


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET http://api.test.example/ HTTP/1.1\r\nHost: api.te"],
    ids=["nothing", "a start", "half"],
)
def test_a_request_that_never_ends_is_given_up(patient, sent):
    with patient.limited(request_header=SHORT), patient.raw() as client:
        client.send(sent)
        answer = client.answer_or_close()
        assert answer is None or (sent and answer.status == 408), answer


@pytest.mark.parametrize("sent", [b"", b"GET / HT"], ids=["nothing", "a start"])
def test_a_request_that_never_ends_is_given_up_inside_the_tunnel(patient, world, sent):
    with patient.raw(f"{world.HOST}:443", tls=False) as client, patient.limited(request_header=SHORT):
        client.start_tls(world.HOST, patient.ca)
        client.send(sent)
        answer = client.answer_or_close()
        assert answer is None or (sent and answer.status == 408), answer


@BOTH
def test_a_later_request_that_never_ends_is_given_up(patient, world, scheme):
    """Its time begins with its first byte."""
    with patient.raw(f"{world.HOST}:443" if scheme == "https" else None) as client:
        target = "/x" if scheme == "https" else f"http://{world.HOST}/x"
        client.exchange(request("GET", target, world.HOST)).verified()
        with patient.limited(request_header=SHORT):
            client.send(b"GET / HT")
            assert client.receive().status == 408
            assert client.is_closed()


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01\x02\x00\x01"], ids=["nothing", "a start"])
def test_a_handshake_that_the_client_never_ends_is_given_up(patient, world, sent):
    with patient.limited(handshake=SHORT), patient.raw(f"{world.HOST}:443", tls=False) as client:
        client.send(sent)
        assert client.answer_or_close() is None


def test_a_form_that_never_ends_is_given_up(patient, world, provider):
    path = provider.route(lambda call: call.answer())
    with patient.raw(f"{world.HOST}:443") as client, patient.limited(idle="1s"):
        fields = [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", 100)]
        client.send(request("POST", path, world.HOST, fields) + b"a=1")
        answer = client.answer_or_close()
        assert answer is None or answer.status in (400, 408, 504), answer
    assert provider.requests_for(path) == []


def test_an_idle_connection_is_closed(patient, world):
    with patient.raw(f"{world.HOST}:443") as client, patient.limited(idle="1s"):
        client.exchange(request("GET", "/x", world.HOST)).verified()
        assert client.is_closed()
        with patient.raw(world.other.address, tls=False) as tunnel:
            assert tunnel.is_closed()


def test_too_many_connections(launch, world, provider):
    paraph = launch(world.configuration(limits={"connections": 4}))
    turns = [threading.Event() for _ in range(4)]
    held = []
    for turn in turns:
        path = provider.route(lambda call, turn=turn: turn.wait(LIMIT) and call.answer())
        client = paraph.raw(f"{world.HOST}:443")
        client.send(request("GET", path, world.HOST))
        held.append(client)
        provider.wait(lambda path=path: len(provider.requests_for(path)) == 1)
    with paraph.raw() as fifth:
        fifth.send(request("GET", f"http://{world.HOST}/x", world.HOST))
        answer = fifth.receive()
        answer.problem(503, "connection_limit_reached")
        assert int(answer.value("retry-after")) >= 0
    for client, turn in zip(held, turns):
        turn.set()
        client.receive().verified()
    # Now all of them are idle, and one gives way. Which has been idle longest is known to a few milliseconds.
    wait_until(lambda: ask_or_none(paraph, world) == 200, "a place to be free")
    assert [serves(client, world) for client in held].count(False) == 1


def serves(client, world):
    try:
        client.exchange(request("GET", "/x", world.HOST)).verified()
        return True
    except (OSError, Closed):
        return False
    finally:
        client.close()


def ask_or_none(paraph, world):
    try:
        return ask(paraph, f"http://{world.HOST}/x").status
    except OSError:
        return None


def test_a_header_that_is_too_large(launch, world):
    paraph = launch(world.configuration(limits={"header": "8KiB"}))
    for url in (world.URL, f"http://{world.HOST}"):
        ask(paraph, f"{url}/x", fields=[("X-Large", "x" * 9000)]).problem(431, "http_request_error")
        ask(paraph, f"{url}/x", fields=[("X-Large", "x" * 7000)]).verified()


def test_a_name_is_resolved_by_the_system(launch, world):
    """Whichever of its addresses the provider listens on."""
    families = {entry[0] for entry in socket.getaddrinfo("localhost", 0)}
    ports = [(world.main6 if family == socket.AF_INET6 else world.main).port for family in families]
    apis = {f"port{port}": world.api([f"localhost:{port}"], connect_to=False) for port in ports}
    paraph = launch(world.configuration(apis))
    for port in ports:
        ask(paraph, f"https://localhost:{port}/x").verified()


def test_a_host_may_be_reached_in_the_clear_when_that_is_said(launch, world, provider):
    clear = provider.listen(None)
    api = world.api(connect_to=clear, upstream="http")
    del api["tls"]
    paraph = launch(world.configuration({"main": api}))
    for url in (world.URL, f"http://{world.HOST}"):
        ask(paraph, f"{url}/x?a=1").verified()


def test_the_proxy_asked_for_itself(paraph):
    """An origin-form request is for nobody: a proxy has no pages."""
    for target in ("/", "/x", "*"):
        with RawClient(paraph.proxy) as client:
            answer = client.exchange(request("OPTIONS" if target == "*" else "GET", target, paraph.proxy))
            assert answer.from_the_proxy and answer.status in (400, 403, 421), answer
            answer.problem(answer.status)


def test_the_proxy_does_not_proxy_to_itself(launch, world):
    """A tunnel to its own address must not make a loop that never ends."""
    paraph = launch(world.configuration(access={"connect_ports": list(range(1024, 65536, 64))}), wait=True)
    answer = ask(paraph, f"https://{paraph.proxy}/x")
    assert answer.from_the_proxy and answer.status in (403, 502), answer


def test_the_connection_goes_on_after_an_answer_of_the_proxy(odd):
    with odd.raw("part.test.example:443") as client:
        for _ in range(3):
            client.exchange(request("GET", "/no", "part.test.example")).problem(403, "http_request_denied")
            client.exchange(request("GET", "/2/yes", "part.test.example")).verified()


def test_an_answer_to_head_has_no_body(odd):
    with odd.raw("part.test.example:443") as client:
        answer = client.exchange(request("HEAD", "/no", "part.test.example"), "HEAD")
        assert answer.status == 403 and answer.from_the_proxy
        client.exchange(request("GET", "/2/yes", "part.test.example")).verified()


def test_many_connections_that_say_nothing_do_no_harm(patient, world):
    silent = [connect(patient.proxy) for _ in range(300)]
    ask(patient, f"{world.URL}/x").verified()
    for one in silent:
        one.close()
