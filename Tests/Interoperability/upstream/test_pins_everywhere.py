"""Pins hold on every way to the API: nothing of a request goes to a server that has none of them."""

import json
import re
import ssl

import pytest

from harness.certificates import certificate_pin, public_key_pin
from harness.clients import Request
from harness.connect_proxy import ConnectProxy
from harness.raw import ask, request
from harness.waiting import wait_until
from harness.ways import EVERY_WAY, Way

UNUSED = "sha256/" + "A" * 42 + "8="
PIN = re.compile(r"sha256/[A-Za-z0-9+/]{43}=")
REFUSED = "an upstream certificate was not accepted"
REPORTED = "an upstream certificate fails the pins, and is used all the same"
THROUGH_A_PROXY = ["a request through CONNECT", "reverse auth, step 2", "a refresh", "token credentials"]
THROUGH_A_PROXY += ["an exchange by login", "enrolment by OAuth 1.0a", "enrolment by a password"]


@pytest.fixture(autouse=True)
def right_clock(provider):
    yield
    provider.clock_ahead = 0


@pytest.fixture(scope="module")
def renewed(certificates):
    """What the server presents one day instead of the certificates that are pinned: valid in every other way."""
    return certificates.server("renewed", certificates.NAMES)


def pinned(*pins, **more):
    return {"pinning": {"mode": "public_key", "pins": [*pins, UNUSED], **more}}


def told_of(paraph, message, count):
    """The details in the log, each of a failed connection, once there are `count`."""
    return [json.loads(line)["detail"] for line in paraph.told(f'"message":"{message}"', count=count)]


def failures(paraph, action):
    """How many are counted, whatever the API and the reason."""
    found = paraph.metrics("paraph_upstream_trust_failures_total")
    return sum(count for labels, count in found.items() if f'action="{action}"' in labels)


WAYS = [(title, None) for title in EVERY_WAY]
WAYS += [(title, scheme) for scheme in ("http", "https") for title in THROUGH_A_PROXY]


@pytest.fixture(params=WAYS, ids=lambda w: w[0] if w[1] is None else f"{w[0]}, through an {w[1]} proxy")
def way(request, world, launch, certificates, renewed):
    """One way, at the end of which the server presents other certificates than those before."""
    title, through = request.param
    made = EVERY_WAY[title](world, launch)
    made.listener.change_after(made.before, renewed)
    made.whole = {}
    if through:
        other = ConnectProxy("x", world.password(), tls=certificates.good if through == "https" else None)
        if other.front:
            other.trust = {"trust": [str(certificates.root_file)]}
        made.whole = {"upstream_proxy": other.settings()}
        yield made
        assert other.opened and not other.violations
    else:
        yield made


def test_a_server_without_a_pin_sees_nothing_of_a_request(way, certificates, renewed):
    leaf = public_key_pin(certificates.good.leaf)
    paraph = way.start(pinned(leaf), **way.whole)
    told = way.act()
    assert told, "the request went through"
    assert (way.listener.requests, way.listener.changed_bytes) == (way.before, 0)
    assert "certificate" in told
    if not way.is_command:
        assert failures(paraph, "refuse") == 1 and failures(paraph, "report") == 0
        (detail,) = told_of(paraph, REFUSED, 1)
        told += detail
    for certificate in (renewed.leaf, certificates.intermediate.certificate, certificates.root.certificate):
        assert public_key_pin(certificate) in told and certificate_pin(certificate) in told
    assert leaf in told and UNUSED in told, "the pins configured"
    # The first that it names is the leaf's.
    fresh = next(pin for pin in PIN.findall(told) if pin not in (leaf, UNUSED))
    paraph.reload(way.configuration(pinned(fresh), **way.whole))
    assert way.act() is None, "what was pasted does not work"


def test_in_report_mode_it_goes_through(way, certificates):
    """The chain fails the pins from the beginning, and nothing else is wrong with it."""
    way.listener.change_after(0, certificates.good)
    paraph = way.start(pinned(public_key_pin(certificates.expired.leaf), on_failure="report"), **way.whole)
    assert way.act() is None
    assert way.listener.changed_bytes > 0
    if way.is_command:
        return
    connections = way.listener.connections
    assert failures(paraph, "report") == connections and failures(paraph, "refuse") == 0
    (detail,) = told_of(paraph, REPORTED, 1)
    assert public_key_pin(certificates.good.leaf) in detail and UNUSED in detail
    assert not told_of(paraph, REFUSED, 0)


# How often it is told


def test_it_is_told_once_and_counted_each_time(world, launch, certificates):
    way = Way(world, launch)
    paraph = way.start(pinned(public_key_pin(certificates.expired.leaf)))
    for _ in range(12):
        assert way.act()
    assert failures(paraph, "refuse") == 12 == way.listener.connections
    assert len(told_of(paraph, REFUSED, 1)) == 1
    paraph.reload(way.configuration(pinned(public_key_pin(certificates.expired.leaf), on_failure="report")))
    for _ in range(7):
        assert way.act() is None
    assert (failures(paraph, "refuse"), failures(paraph, "report")) == (12, 7)
    assert (len(told_of(paraph, REFUSED, 1)), len(told_of(paraph, REPORTED, 1))) == (1, 1)


def test_each_host_is_told_of(world, launch, certificates):
    listener = world.provider.listen(certificates.good)
    api = world.api(["*.wild.test.example"], connect_to=listener, tls=pinned(public_key_pin(certificates.expired.leaf)))
    paraph = launch(world.configuration({"main": api}))
    for _ in range(3):
        for host in ("a", "b", "c"):
            ask(paraph, f"https://{host}.wild.test.example/x").problem(502, "tls_certificate_error")
    lines = [json.loads(line)["host"] for line in paraph.told(f'"message":"{REFUSED}"', count=3)]
    assert lines == [f"{host}.wild.test.example:443" for host in ("a", "b", "c")]
    assert listener.byte_count == 0 and failures(paraph, "refuse") == 9


def test_report_is_for_pins_alone(world, launch, certificates):
    """Whatever else is wrong is refused as ever."""
    for chain in ("expired", "wrong_host", "untrusted", "incomplete"):
        way = Way(world, launch)
        way.listener.change_after(0, getattr(certificates, chain))
        paraph = way.start(pinned(public_key_pin(getattr(certificates, chain).leaf), on_failure="report"))
        assert way.act() and way.listener.byte_count == 0, chain
        assert failures(paraph, "refuse") == 1 and failures(paraph, "report") == 0


def test_pins_that_have_expired(world, launch, certificates):
    way = Way(world, launch)
    wrong = public_key_pin(certificates.expired.leaf)
    paraph = way.start(pinned(wrong, expires="2020-01-01"))
    paraph.told("expires", "has passed")
    assert way.act(), "pins that have expired stay in force"
    paraph.reload(way.configuration(pinned(wrong, expires="2020-01-01", on_expiry="report")))
    assert way.act() is None
    assert (failures(paraph, "refuse"), failures(paraph, "report")) == (1, 1)


def test_a_missing_backup_is_told_at_the_first_connection(world, launch, certificates):
    c = certificates
    way = Way(world, launch)
    pins = [public_key_pin(c.good.leaf), public_key_pin(c.root.certificate)]
    paraph = way.start({"pinning": {"mode": "public_key", "pins": pins}})

    def warnings():
        return [line for line in paraph.lines if "every pin is of the chain" in line]

    assert not warnings()
    for _ in range(3):
        assert way.act() is None
    wait_until(warnings, "the warning")
    assert len(warnings()) == 1 and "paraph pins" in warnings()[0]


# Hosts with pins of their own


HOSTS = ["one.test.example", "two.test.example", "one.test.example:8443", "a.wild.test.example", "127.0.0.1"]


@pytest.fixture
def servers(world, certificates):
    """For each host a server with a key of its own; who connects through the other proxy gets to the right one."""
    other = ConnectProxy("x", world.password())
    other.servers = {}
    for number, host in enumerate(HOSTS):
        authority = host if ":" in host else f"{host}:443"
        name = host.partition(":")[0]
        chain = certificates.server(f"host{number}", [name, "*.wild.test.example"] if "wild" in name else [name])
        other.servers[host] = world.provider.listen(chain)
        other.servers[host].chain = chain
        other.hosts[authority] = other.servers[host].address
    return other


def by_host(pins):
    """The `pinning` list for `pins`: host → certificate."""
    return [
        {"hosts": [host.replace("a.wild", "*.wild")], **pinned(public_key_pin(leaf))["pinning"]}
        for host, leaf in pins.items()
    ]


@pytest.fixture
def many_hosts(world, servers):
    def configuration(pinning):
        hosts = [host.replace("a.wild", "*.wild") for host in HOSTS]
        api = world.api(hosts, connect_to=False, tls={"pinning": pinning})
        return world.configuration({"main": api}, upstream_proxy=servers.settings())

    return configuration


def test_each_host_has_its_own_pins(launch, servers, many_hosts):
    leaves = {host: servers.servers[host].chain.leaf for host in HOSTS}
    paraph = launch(many_hosts(by_host(leaves)))
    for host in HOSTS:
        ask(paraph, f"https://{host}/x").verified()
    assert failures(paraph, "refuse") == 0
    # Each has now what another one should have.
    before = {host: servers.servers[host].byte_count for host in HOSTS}
    turned = dict(zip(HOSTS, [*list(leaves.values())[1:], leaves[HOSTS[0]]], strict=True))
    paraph.reload(many_hosts(by_host(turned)))
    for host in HOSTS:
        told = ask(paraph, f"https://{host}/x").problem(502, "tls_certificate_error")
        assert public_key_pin(leaves[host]) in told and public_key_pin(turned[host]) in told
        mine = [PIN.search(line).group() for line in told.splitlines() if line.startswith("- ")][-2:]
        assert mine == [public_key_pin(turned[host]), UNUSED], "no pins of other hosts"
    assert {host: servers.servers[host].byte_count for host in HOSTS} == before
    assert failures(paraph, "refuse") == len(HOSTS)


@pytest.mark.parametrize("wrong", HOSTS)
def test_one_wrong_entry_is_about_its_host_alone(launch, servers, many_hosts, certificates, wrong):
    leaves = {host: servers.servers[host].chain.leaf for host in HOSTS}
    paraph = launch(many_hosts(by_host({**leaves, wrong: certificates.expired.leaf})))
    for host in HOSTS:
        answer = ask(paraph, f"https://{host}/x")
        if host == wrong:
            answer.problem(502, "tls_certificate_error")
        else:
            answer.verified()
    assert servers.servers[wrong].byte_count == 0


def test_a_host_that_is_not_pinned_on_purpose(launch, servers, many_hosts, certificates):
    wrong = dict.fromkeys(HOSTS[1:], certificates.expired.leaf)
    paraph = launch(many_hosts([{"hosts": [HOSTS[0]], "mode": "none"}, *by_host(wrong)]))
    ask(paraph, f"https://{HOSTS[0]}/x").verified()
    for host in HOSTS[1:]:
        ask(paraph, f"https://{host}/x").problem(502, "tls_certificate_error")


def test_an_exchange_at_another_host_has_that_ones_pins(world, launch, provider, servers, certificates):
    """Resources at the one host, tokens from the other."""
    application = provider.new_application()
    account = world.reverse_auth_account(application)
    flow = account["reverse_auth"]
    for key in ("request_token_url", "access_token_url"):
        flow[key] = flow[key].replace(world.HOST, HOSTS[1])
    one, two = (servers.servers[host] for host in HOSTS[:2])

    def configuration(*leaves):
        tls = {"pinning": by_host(dict(zip(HOSTS[:2], leaves, strict=True)))}
        api = world.api(HOSTS[:2], application, {"default": account}, connect_to=False, tls=tls)
        return world.configuration({"main": api}, upstream_proxy=servers.settings())

    paraph = launch(configuration(one.chain.leaf, one.chain.leaf))
    told = ask(paraph, f"https://{HOSTS[0]}/x").problem(502)
    assert HOSTS[1] in told and public_key_pin(two.chain.leaf) in told
    assert one.byte_count == two.byte_count == 0
    paraph.reload(configuration(two.chain.leaf, two.chain.leaf))
    assert HOSTS[0] in ask(paraph, f"https://{HOSTS[0]}/x").problem(502, "tls_certificate_error")
    assert one.byte_count == 0 and application.reverse_auth.second_steps == 1
    paraph.reload(configuration(one.chain.leaf, two.chain.leaf))
    ask(paraph, f"https://{HOSTS[0]}/x").verified()
    assert application.reverse_auth.second_steps == 1


# Mutual TLS


@pytest.fixture(scope="module")
def identities(certificates):
    """What Paraph can show of itself."""
    return {
        "first": certificates.client("first"),
        "second": certificates.client("second"),
        "stranger": certificates.client("stranger", certificates.stranger),
    }


@pytest.fixture
def demanding(provider, certificates):
    """A server that wants to see a certificate."""
    return provider.listen(certificates.good, client_roots=certificates.root_file)


def shows(identity):
    certificate, key = identity
    return {"client_certificate": str(certificate), "client_private_key": str(key)}


def test_a_client_certificate_is_shown(world, launch, identities, demanding, client):
    api = world.api((world.HOST,), connect_to=demanding, tls=shows(identities["first"]))
    paraph = launch(world.configuration({"main": api}))
    client.send(paraph, Request(f"{world.URL}/x")).verified()
    assert set(demanding.client_names) == {"first"}


def test_a_client_certificate_changes_with_a_reload(world, launch, identities, demanding):
    """What was connected as somebody else is not used any more."""

    def configuration(name):
        return world.configuration({"main": world.api(connect_to=demanding, tls=shows(identities[name]))})

    paraph = launch(configuration("first"))
    with paraph.raw(f"{world.HOST}:443") as client:
        for name in ("first", "second", "first"):
            paraph.reload(configuration(name))
            client.exchange(request("GET", "/x", world.HOST)).verified()
            paraph.reload()
            client.exchange(request("GET", "/x", world.HOST)).verified()
    assert demanding.client_names == ["first", "second", "first"]


@pytest.mark.parametrize("version", [None, ssl.TLSVersion.TLSv1_2], ids=["TLS 1.3", "TLS 1.2"])
@pytest.mark.parametrize("shown", [None, "stranger"])
def test_who_shows_no_good_certificate_is_told(world, launch, identities, provider, certificates, shown, version):
    """In TLS 1.3 the server says so only when the handshake is over for the client (RFC 8446, section 4.4.2.4)."""
    demanding = provider.listen(certificates.good, client_roots=certificates.root_file, maximum_version=version)
    tls = shows(identities[shown]) if shown else {}
    paraph = launch(world.configuration({"main": world.api(connect_to=demanding, tls=tls)}))
    for _ in range(3):
        told = ask(paraph, f"{world.URL}/x").problem(502)
        assert "client_certificate" in told, told
    assert demanding.requests == 0


def test_a_server_without_a_pin_is_shown_no_certificate(world, launch, identities, demanding, certificates):
    tls = {**shows(identities["first"]), **pinned(public_key_pin(certificates.expired.leaf))}
    paraph = launch(world.configuration({"main": world.api(connect_to=demanding, tls=tls)}))
    ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    assert (demanding.byte_count, demanding.client_names) == (0, [])


def test_exchanges_show_the_certificate_too(world, launch, provider, identities, demanding):
    application = provider.new_application()
    account = {"default": world.reverse_auth_account(application)}
    api = world.api((world.HOST,), application, account, demanding, tls=shows(identities["first"]))
    paraph = launch(world.configuration({"main": api}))
    ask(paraph, f"{world.URL}/x").verified()
    assert application.reverse_auth.second_steps == 1 and set(demanding.client_names) == {"first"}
    code, said = paraph.command("pins", "--check")
    assert (code, said.split(":")[0]) == (0, "not pinned"), said
    wait_until(lambda: demanding.connections >= 2, "the check to have connected")


@pytest.mark.parametrize("tls12", [False, True])
def test_a_server_that_asks_and_does_not_insist(world, launch, identities, provider, certificates, tls12):
    """Without a certificate of Paraph's, an API is reached as ever."""
    version = ssl.TLSVersion.TLSv1_2 if tls12 else None
    asking = provider.listen(certificates.good, client_roots=certificates.root_file, maximum_version=version)
    asking.context.verify_mode = ssl.CERT_OPTIONAL
    paraph = launch(world.configuration({"main": world.api(connect_to=asking)}))
    ask(paraph, f"{world.URL}/x").verified()
    assert asking.client_names == []
    paraph.reload(world.configuration({"main": world.api(connect_to=asking, tls=shows(identities["first"]))}))
    ask(paraph, f"{world.URL}/x").verified()
    assert asking.client_names == ["first"]
