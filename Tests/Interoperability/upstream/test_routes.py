"""How hosts are reached: names, ports, literals, wildcards, blind tunnels; and what is refused on the way."""

import ssl

import pytest
from cryptography import x509

from harness.certificates import public_key_pin
from harness.clients import Request
from harness.ipv6 import need_ipv6
from harness.raw import ask, request


def host_of(description):
    return [v for n, v in description["fields"] if n.lower() == "host"]


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("authority", ["api.test.example", "api.test.example:8443", "a.wild.test.example"])
def test_names_and_ports(paraph, client, scheme, authority):
    description = client.send(paraph, Request(f"{scheme}://{authority}/x?a=1")).verified()
    assert host_of(description) == [authority]


def test_a_wildcard_is_one_label(paraph, world):
    for host in ("wild.test.example", "a.b.wild.test.example"):
        answer = ask(paraph, f"https://{host}/x")
        assert answer.status in (403, 502) and answer.from_the_proxy, "another host must be a tunnel to somewhere else"


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("kind", ["IPv4", "IPv6", "name"])
def test_literals_and_local_names(paraph, world, curl, scheme, kind):
    listener = world.main6 if kind == "IPv6" else world.main
    authority = f"localhost:{listener.port}" if kind == "name" else listener.address
    description = curl.send(paraph, Request(f"{scheme}://{authority}/x?a=1")).verified()
    assert host_of(description) == [authority]


@pytest.mark.parametrize("kind", ["IPv4", "IPv6"])
def test_literals_from_every_client(paraph, world, client, kind):
    if kind in client.cannot:
        pytest.skip(f"{client.name} cannot reach an IPv6 literal through a proxy")
    authority = (world.main6 if kind == "IPv6" else world.main).address
    assert host_of(client.send(paraph, Request(f"https://{authority}/x")).verified()) == [authority]


def test_the_proxy_listens_on_ipv6(launch, world, curl):
    need_ipv6()
    paraph = launch(world.configuration(listen={"proxy": "[::1]:0", "admin": "[::1]:0"}))
    assert paraph.proxy.startswith("[::1]:")
    curl.send(paraph, Request(f"{world.URL}/x")).verified()


def test_a_leaf_is_what_the_contract_says(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        leaf = x509.load_der_x509_certificate(client.certificate)
    authority = x509.load_pem_x509_certificate(paraph.ca.read_bytes())
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [world.HOST]
    assert (leaf.not_valid_after_utc - leaf.not_valid_before_utc).days <= 7
    assert leaf.public_key().curve.name == "secp256r1"
    assert public_key_pin(leaf) != public_key_pin(authority)
    leaf.verify_directly_issued_by(authority)
    with paraph.raw(f"{world.HOST}:443") as client:
        assert x509.load_der_x509_certificate(client.certificate) == leaf, "leaves are cached"


def test_another_host_is_a_blind_tunnel(paraph, world):
    with paraph.raw(world.other.address, tls=False) as client:
        client.start_tls("127.0.0.1", world.certificates.root_file)
        assert x509.load_der_x509_certificate(client.certificate) == world.certificates.other.leaf
        answer = client.exchange(request("GET", "/t?a=1", world.other.address))
        assert answer.status == 401, "nothing was signed"
        assert [n for n, _ in answer.json["fields"]] == ["Host"], "nothing was added"


def test_a_blind_tunnel_by_name_for_curl(paraph, world, curl):
    url = f"https://localhost:{world.other.port}/t"
    answer = curl.send(paraph, Request(url), "--cacert", str(world.certificates.root_file))
    assert answer.status == 401 and answer.json["refused"].startswith("parameter_absent")


def test_a_tunnel_passes_the_end_of_each_side_on(paraph, world, provider):
    """Either side may end; the other hears of it, and nothing that was sent before is lost."""
    path = provider.route(lambda call: (setattr(call, "close", True), call.respond(200, body=b"x" * 300000)))
    with paraph.raw(world.other.address, tls=False) as client:
        client.start_tls("127.0.0.1", world.certificates.root_file)
        assert len(client.exchange(request("GET", path, world.other.address)).body) == 300000
        assert client.is_closed()


def test_an_untrusting_client_refuses_the_leaf(paraph, world):
    with pytest.raises(ssl.SSLCertVerificationError):
        with paraph.raw(f"{world.HOST}:443", tls=False) as client:
            client.start_tls(world.HOST, world.certificates.root_file)


def test_other_hosts_can_be_refused(launch, world):
    paraph = launch(world.configuration(access={"other_hosts": "refuse"}))
    ask(paraph, f"https://{world.other.address}/t").problem(403, "http_request_denied")
    ask(paraph, f"http://{world.other.address}/t").problem(403, "http_request_denied")
    ask(paraph, f"{world.URL}/x").verified()


def test_some_other_hosts_can_be_allowed(launch, world):
    host = world.other.address.rpartition(":")[0]
    paraph = launch(world.configuration(access={"other_hosts": {"allow": [host], "else": "refuse"}}))
    with paraph.raw(world.other.address, tls=False) as client:
        client.start_tls(host, world.certificates.root_file)
    answer = ask(paraph, "https://pypi.test/simple")
    answer.problem(403, "http_request_denied")
    assert "access.other_hosts" in answer.json["detail"], answer
    ask(paraph, f"{world.URL}/x").verified()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"])
@pytest.mark.parametrize("listener", ["admin", "proxy"])
def test_nobody_reaches_the_proxys_own_listeners_through_it(launch, world, host, listener):
    """Least of all the admin listener, which asks who comes from this machine for no token."""
    paraph = launch(world.configuration())
    port = paraph.addresses[listener].rpartition(":")[2]
    paraph.allow_port(port)
    ask(paraph, f"http://{host}:{port}/accounts").problem(403, "destination_ip_prohibited")
    ask(paraph, f"{world.URL}/x").verified()


def test_connect_to_a_port_that_is_not_allowed(launch, world):
    paraph = launch(world.configuration(access={"connect_ports": [443]}))
    ask(paraph, f"https://{world.other.address}/t").problem(403, "http_request_denied")
    ask(paraph, f"https://{world.HOST}:8443/x").verified()


@pytest.mark.parametrize("host", ["other.example", "api.test.example:8443", "127.0.0.1", "a.wild.test.example"])
def test_a_host_that_is_not_the_tunnels_is_misdirected(paraph, world, host):
    ask(paraph, f"{world.URL}/x", host=host).problem(421, "http_request_error")


def test_a_host_that_ends_in_a_dot_is_another_one_or_none(paraph, world):
    answer = ask(paraph, f"{world.URL}/x", host=f"{world.HOST}.")
    answer.problem(answer.status, "http_request_error")
    assert answer.status in (400, 421)


def test_a_server_name_that_is_not_the_tunnels_gets_no_signature(paraph, world):
    """SNI is the client's claim; the CONNECT authority counts. The connection fails, or serves the authority's leaf."""
    try:
        with paraph.raw(f"{world.HOST}:443", server_name="a.wild.test.example") as client:
            client.exchange(request("GET", "/x", "a.wild.test.example")).problem(421, "http_request_error")
    except (ssl.SSLError, ConnectionError):
        pass


@pytest.mark.parametrize("host", ["other.example", "api.test.example:8443"])
def test_absolute_form_and_host_that_differ(paraph, world, host):
    """RFC 9112, section 3.2.2: the target counts and Host is replaced; or the request is refused."""
    answer = ask(paraph, f"http://{world.HOST}/x", host=host)
    if answer.from_the_proxy:
        answer.problem(421, "http_request_error")
    else:
        assert host_of(answer.verified()) == [world.HOST]


def test_absolute_form_inside_the_tunnel(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        answer = client.exchange(request("GET", f"https://{world.HOST}/x?a=1", world.HOST))
        if answer.from_the_proxy:
            answer.problem(400, "http_request_error")
        else:
            assert answer.verified()["target"] == "/x?a=1"
    with paraph.raw(f"{world.HOST}:443") as client:
        answer = client.exchange(request("GET", "https://other.example/x?a=1", world.HOST))
        assert answer.from_the_proxy and answer.status in (400, 421)


@pytest.mark.parametrize(
    "authority",
    [
        "api.test.example",
        "api.test.example:",
        "api.test.example:0",
        "api.test.example:99999",
        "user@api.test.example:443",
        "/path",
        "https://api.test.example/",
        "[::1",
        "[zz]:443",
        ":443",
        "a b:443",
        "api.test.example:443/x",
        "api.test.example:+443",
    ],
)
def test_malformed_authorities_of_connect(paraph, authority):
    with paraph.raw() as client:
        client.send(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n")
        answer = client.answer_or_close("CONNECT")
        assert answer is None or answer.status in (400, 403), answer
        if answer:
            answer.problem(answer.status)
