"""The policy for the provider's TLS: validity, host names, versions, pins; nothing is said before it holds."""

import re
import socket
import ssl
import threading

import pytest

from harness.certificates import certificate_pin, public_key_pin
from harness.clients import Request
from harness.raw import ask

UNUSED = "sha256/" + "A" * 42 + "8="
PIN = re.compile(r"sha256/[A-Za-z0-9+/]{43}=")


class PlainServer:
    """Says that it expects HTTP to whoever begins with anything else, as web servers do on their plain port."""

    byte_count = requests = 0

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                connection.recv(1)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.fixture(scope="module")
def servers(provider, certificates):
    """A listener for each chain."""
    chains = [
        "good",
        "expired",
        "not_yet_valid",
        "wrong_host",
        "incomplete",
        "untrusted",
        "with_stranger",
        "with_good_leaf",
    ]
    found = {name: provider.listen(getattr(certificates, name)) for name in chains}
    found["tls12"] = provider.listen(certificates.good, maximum_version=ssl.TLSVersion.TLSv1_2)
    found["plain"] = PlainServer()
    return found


def pins(pin, *certificates):
    """A pinning block with a second pin that matches nothing, as a backup would."""
    return {"mode": "public_key" if pin is public_key_pin else "certificate", "pins": [*map(pin, certificates), UNUSED]}


def pinned(pin, *certificates):
    return {"pinning": pins(pin, *certificates)}


def policies(c):
    """title → (server, policy, accepted)."""
    leaf, middle, root = c.good.leaf, c.intermediate.certificate, c.root.certificate
    stranger = c.stranger.certificate
    table = {
        "plain trust": ("good", {}, True),
        "expired": ("expired", {}, False),
        "not yet valid": ("not_yet_valid", {}, False),
        "wrong host": ("wrong_host", {}, False),
        "wrong host that is not verified": ("wrong_host", {"verify_hostname": False}, True),
        "expired although the host is not verified": ("expired", {"verify_hostname": False}, False),
        "no intermediate": ("incomplete", {}, False),
        "untrusted root": ("untrusted", {}, False),
        "an unrelated certificate in the chain": ("with_stranger", {}, True),
        "the system's roots": ("good", {"trust": "system"}, False),
        "TLS 1.2 at least": ("tls12", {"minimum_version": "1.2"}, True),
        "TLS 1.3 at least": ("tls12", {"minimum_version": "1.3"}, False),
        "TLS 1.3 at both ends": ("good", {"minimum_version": "1.3"}, True),
        "no TLS at all": ("plain", {}, False),
    }
    for title, pin in (("key", public_key_pin), ("certificate", certificate_pin)):
        table |= {
            f"{title} of the leaf": ("good", pinned(pin, leaf), True),
            f"{title} of the intermediate": ("good", pinned(pin, middle), True),
            f"{title} of the root": ("good", pinned(pin, root), True),
            f"{title} of none": ("good", pinned(pin, c.expired.leaf), False),
            f"{title} of an unrelated chain member": ("with_stranger", pinned(pin, stranger), False),
            f"{title} of a leaf that is not this one's": ("with_good_leaf", pinned(pin, leaf), False),
            f"{title} of an expired leaf": ("expired", pinned(pin, c.expired.leaf), False),
            f"{title} of a leaf for another host": ("wrong_host", pinned(pin, c.wrong_host.leaf), False),
            f"{title} of an untrusted leaf": ("untrusted", pinned(pin, c.untrusted.leaf), False),
        }
    table["key of the leaf in certificate mode"] = (
        "good",
        {"pinning": {**pins(public_key_pin, leaf), "mode": "certificate"}},
        False,
    )
    table["certificate of the leaf in key mode"] = (
        "good",
        {"pinning": {**pins(certificate_pin, leaf), "mode": "public_key"}},
        False,
    )
    table["pins that are not asked for"] = ("good", {"pinning": {"mode": "none"}}, True)
    return table


TITLES = [
    "plain trust",
    "expired",
    "not yet valid",
    "wrong host",
    "wrong host that is not verified",
    "expired although the host is not verified",
    "no intermediate",
    "untrusted root",
    "an unrelated certificate in the chain",
    "the system's roots",
    "TLS 1.2 at least",
    "TLS 1.3 at least",
    "TLS 1.3 at both ends",
    "no TLS at all",
    *(
        f"{kind} of {what}"
        for kind in ("key", "certificate")
        for what in (
            "the leaf",
            "the intermediate",
            "the root",
            "none",
            "an unrelated chain member",
            "a leaf that is not this one's",
            "an expired leaf",
            "a leaf for another host",
            "an untrusted leaf",
        )
    ),
    "key of the leaf in certificate mode",
    "certificate of the leaf in key mode",
    "pins that are not asked for",
]


def slug(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower())


def host(title):
    return f"{slug(title)}.test.example"


@pytest.fixture(scope="module")
def strict(launch_for_session, world, certificates, servers):
    """One host for each policy."""
    apis = {
        slug(title): world.api([host(title)], connect_to=servers[server], tls=policy)
        for title, (server, policy, _) in policies(certificates).items()
    }
    return launch_for_session(world.configuration(apis))


def test_the_table_is_whole(certificates):
    assert list(policies(certificates)) == TITLES or set(policies(certificates)) == set(TITLES)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_policies(strict, servers, certificates, title, scheme):
    server, policy, accepted = policies(certificates)[title]
    listener = servers[server]
    before = (listener.byte_count, listener.requests)
    answer = ask(strict, f"{scheme}://{host(title)}/x?a=1")
    if accepted:
        answer.verified()
        return
    assert (listener.byte_count, listener.requests) == before, "the provider has seen a byte of the request"
    if server == "plain":
        answer.problem(502)
        return
    if policy.get("minimum_version") == "1.3":
        answer.problem(502, "tls_certificate_error", "tls_protocol_error", "tls_alert_received")
        return
    detail = answer.problem(502, "tls_certificate_error")
    chain = getattr(certificates, server).certificates
    pin = certificate_pin if policy.get("pinning", {}).get("mode") == "certificate" else public_key_pin
    for certificate in chain:
        assert pin(certificate) in detail, f"the pin of {certificate.subject.rfc4514_string()} is not there to paste"
    if "pinning" in policy:
        for configured in policy["pinning"]["pins"]:
            assert configured in detail, "the configured pins are not told"


def test_a_pin_can_be_pasted_from_the_answer(strict, launch, world, certificates, servers):
    """What a refusal prints, put into the configuration, lets the request through."""
    title = "key of none"
    found = PIN.findall(ask(strict, f"https://{host(title)}/x").problem(502, "tls_certificate_error"))
    configured = policies(certificates)[title][1]["pinning"]["pins"]
    fresh = [p for p in dict.fromkeys(found) if p not in configured]
    assert len(fresh) >= 2
    tls = {"pinning": {"mode": "public_key", "pins": fresh[:2]}}
    paraph = launch(world.configuration({"main": world.api(connect_to=servers["good"], tls=tls)}))
    ask(paraph, f"{world.URL}/x").verified()


@pytest.mark.parametrize("title", ["key of none", "expired", "wrong host", "key of an unrelated chain member"])
def test_every_client_is_told(strict, client, title):
    client.send(strict, Request(f"https://{host(title)}/x")).problem(502, "tls_certificate_error")


def test_what_is_switched_off_is_named_at_the_start(strict):
    strict.told('"level":"warning"', "verify_hostname")


def test_a_refused_server_does_not_spoil_others(strict):
    for _ in range(3):
        ask(strict, f"https://{host('key of none')}/x").problem(502, "tls_certificate_error")
        ask(strict, f"https://{host('key of the leaf')}/x").verified()


def test_policies_do_not_share_connections(strict):
    """Hosts with different policies lead to one address: a connection that one policy accepted serves no other."""
    for _ in range(3):
        ask(strict, f"https://{host('plain trust')}/x").verified()
        ask(strict, f"https://{host('certificate of none')}/x").problem(502, "tls_certificate_error")


def test_a_literal_is_verified_as_an_address(launch, world, provider, certificates):
    server = provider.listen(certificates.wrong_host)
    paraph = launch(world.configuration({"main": world.api([server.address], connect_to=False)}))
    ask(paraph, f"https://{server.address}/x").problem(502, "tls_certificate_error")
    assert server.byte_count == 0


def test_the_exchange_obeys_the_policy_too(launch, world, provider, certificates, servers):
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    for server, policy in (
        ("good", pinned(public_key_pin, certificates.expired.leaf)),
        ("expired", {}),
        ("wrong_host", {}),
    ):
        before = servers[server].byte_count
        paraph = launch(
            world.configuration({"main": world.api((world.HOST,), application, accounts, servers[server], policy)})
        )
        ask(paraph, f"{world.URL}/x").problem(502)
        assert servers[server].byte_count == before
    assert application.reverse_auth.first_steps == 0
    good = pinned(public_key_pin, certificates.good.leaf)
    paraph = launch(
        world.configuration({"main": world.api((world.HOST,), application, accounts, servers["good"], good)})
    )
    ask(paraph, f"{world.URL}/x").verified()


def test_a_reload_has_revocation_lists_read_again(world, launch, provider, certificates, tmp_path):
    """Whoever was trusted until then loses the connections that are there, and a list that is missing counts as told."""
    listener = provider.listen(certificates.good)
    leafs, middles = tmp_path / "leafs.crl", tmp_path / "middles.crl"

    def configuration(on_missing, *files):
        revocation = {"crls": [str(file) for file in files], "on_missing": on_missing}
        return world.configuration({"main": world.api(connect_to=listener, tls={"revocation": revocation})})

    leafs.write_bytes(certificates.intermediate.revocation_list(certificates.other.leaf))
    paraph = launch(configuration("accept", leafs))
    ask(paraph, f"{world.URL}/x").verified()
    leafs.write_bytes(certificates.intermediate.revocation_list(certificates.good.leaf))
    paraph.reload()
    requests = listener.requests
    assert "was revoked" in ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    assert listener.requests == requests, "nothing was sent"

    leafs.write_bytes(certificates.intermediate.revocation_list())
    paraph.reload(configuration("refuse", leafs))
    told = ask(paraph, f"{world.URL}/x").problem(502, "tls_certificate_error")
    assert "Interoperability Intermediate" in told and "revocation list" in told, told
    middles.write_bytes(certificates.root.revocation_list())
    paraph.reload(configuration("refuse", leafs, middles))
    ask(paraph, f"{world.URL}/x").verified()
