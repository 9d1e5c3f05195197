"""SIGHUP: the configuration is read again, all of it or nothing, and nobody who is being served hears of it."""

import base64
import os
import signal
import ssl
import threading

import pytest

from harness.applications import secret
from harness.certificates import public_key_pin
from harness.enrolment import IDS
from harness.enrolment import Scene as EnrolmentScene
from harness.password_grant import PasswordGrant
from harness.raw import RawClient, ask, request
from harness.reload import UNUSED, Scene, half_sent
from harness.waiting import LIMIT, wait_until


@pytest.fixture
def scene(world, launch):
    return Scene(world, launch)


# What changes


def test_requests_are_signed_with_the_new_credentials(scene):
    with scene.client() as client:
        assert scene.signer(client.exchange(scene.request())) == 0
        scene.paraph.reload(scene.second)
        assert scene.signer(client.exchange(scene.request())) == 1, "also on a connection that was there before"
        assert scene.signer(scene.ask()) == 1
        scene.paraph.reload(scene.first)
        assert scene.signer(client.exchange(scene.request())) == 0


def test_a_secret_in_a_file_is_read_again(world, launch, tmp_path):
    """The provider has given out another consumer secret; the configuration itself is what it was."""
    application = world.provider.new_application()
    file = tmp_path / "secret"
    file.write_text(application.secret + "\n")
    entry = world.api((world.HOST,), application, oauth1={"consumer_secret": {"file": str(file)}})
    paraph = launch(world.configuration({"main": entry}))
    ask(paraph, f"{world.URL}/x").verified()
    application.secret = secret("another cs+")
    assert ask(paraph, f"{world.URL}/x").json["refused"].startswith("signature_invalid")
    file.write_text(application.secret + "\n")
    paraph.reload()
    ask(paraph, f"{world.URL}/x").verified()


def test_hosts_come_and_go(scene, world):
    kept, gone = scene.client(), scene.client()
    assert scene.signer(gone.exchange(scene.request())) == 0
    both = {"main": scene.apis[0], "wild": {**scene.apis[1], "hosts": ["*.wild.test.example"]}}
    scene.paraph.reload(world.configuration(both))
    assert scene.signer(kept.exchange(scene.request())) == 0
    assert scene.signer(ask(scene.paraph, "http://a.wild.test.example/x")) == 1
    scene.paraph.reload(world.configuration({"wild": both["wild"]}, access={"other_hosts": "refuse"}))
    assert kept.is_closed() and gone.is_closed(), "nobody talks on to a host of no API as if it were one's"
    scene.ask().problem(403, "http_request_denied")


def test_a_new_host_needs_the_local_ca_renewed(scene, world):
    """The log says so, and the renewed CA comes into force with another reload."""
    both = {"main": scene.apis[0], "new": {**scene.apis[1], "hosts": ["new.test.example"]}}
    kept = scene.client()
    scene.paraph.reload(world.configuration(both))
    scene.paraph.told("paraph ca renew", "new.test.example")
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(scene.paraph, "https://new.test.example/x")
    old = scene.paraph.folder / "old-ca.pem"
    old.write_bytes(scene.paraph.ca.read_bytes())
    code, said = scene.paraph.command("ca", "renew")
    assert code == 0, said
    scene.paraph.reload()
    assert scene.paraph.ca.read_bytes() != old.read_bytes()
    assert scene.paraph.admin("/ca.pem")[1] == scene.paraph.ca.read_bytes()
    assert scene.signer(ask(scene.paraph, "https://new.test.example/x")) == 1
    with RawClient(scene.paraph.proxy, f"{world.HOST}:443", ca=old) as client:
        assert scene.signer(client.exchange(scene.request())) == 0, "who has the old certificate still is served"
    assert scene.signer(kept.exchange(scene.request())) == 0
    kept.close()


@pytest.mark.parametrize("listener", ["proxy", "admin"])
def test_a_listener_moves(scene, world, listener):
    with scene.client() as before:
        assert scene.signer(before.exchange(scene.request())) == 0
        old = dict(scene.paraph.addresses)
        listen = {**scene.paraph.DEFAULTS["listen"], listener: "127.0.0.2:0"}
        scene.paraph.reload(scene.changed(whole={"listen": listen}))
        wait_until(lambda: scene.paraph.addresses[listener].startswith("127.0.0.2:"), "the new address to be announced")
        assert {n: a for n, a in scene.paraph.addresses.items() if n != listener} == {
            n: a for n, a in old.items() if n != listener
        }
        assert scene.paraph.admin("/readyz")[0] == 200
        assert scene.signer(scene.ask()) == 1
        wait_until(lambda: not scene.paraph.accepts(address=old[listener]), "the old address to be given up")
        assert scene.signer(before.exchange(scene.request())) == 1, "connections stay where they are"


def test_the_admin_listener_goes_and_comes_back(scene):
    listen = scene.paraph.DEFAULTS["listen"]
    scene.paraph.reconfigure(scene.changed(whole={"listen": {**listen, "admin": "off"}}))
    os.kill(scene.paraph.process.pid, signal.SIGHUP)
    wait_until(lambda: scene.paraph.admin("/healthz")[0] == 0, "the admin listener to be gone")
    wait_until(lambda: scene.signer(scene.ask()) == 1, "the reload")
    scene.paraph.announced.clear()
    scene.paraph.reconfigure(scene.first)
    os.kill(scene.paraph.process.pid, signal.SIGHUP)
    wait_until(lambda: "admin" in scene.paraph.announced, "the admin listener to be back")
    wait_until(lambda: scene.paraph.reloads() == {"applied": 2, "refused": 0}, "what was counted to be known")
    assert scene.signer(scene.ask()) == 0


def test_the_admin_token_changes(scene, world):
    tokens = [secret("admin"), secret("admin")]
    access_types = {"2": {"api": "main", "verify_url": f"{world.URL}/x", "id": "user"}}
    wholes = [{"enrolment": {"token": token, "access_types": access_types}} for token in tokens]

    def statuses():
        return [scene.paraph.administer("GET", "/accounts", token=token).status for token in tokens]

    scene.paraph.reload(scene.changed(0, whole=wholes[0]))
    assert statuses() == [200, 401]
    scene.paraph.reload(scene.changed(0, whole=wholes[1]))
    assert statuses() == [401, 200]


def test_the_log_changes(scene):
    def line_of(path):
        scene.ask(path)
        return wait_until(lambda: next((line for line in scene.paraph.lines if path in line), None), "the access log")

    assert line_of("/in-json").startswith("{")
    scene.paraph.reload(scene.changed(whole={"log": {"level": "info", "format": "text"}}))
    assert not line_of("/in-text").startswith("{")
    before = len(scene.paraph.lines)
    scene.paraph.reload(scene.changed(whole={"log": {"level": "error", "format": "text"}}))
    scene.ask("/in-silence").verified()
    scene.paraph.reload(scene.first)
    assert line_of("/in-json-again").startswith("{")
    assert not [line for line in scene.paraph.lines[before:] if "/in-silence" in line]


def test_the_passwords_of_clients_change(scene, world):
    passwords = [world.password(), world.password()]
    configurations = [
        scene.changed(0, whole={"access": {"clients": [{"name": "billing", "password": password}]}})
        for password in passwords
    ]

    def authorized(password):
        return [("Proxy-Authorization", "Basic " + base64.b64encode(f"billing:{password}".encode()).decode())]

    scene.paraph.reload(configurations[0])
    with scene.paraph.raw(f"{world.HOST}:443", connect_fields=authorized(passwords[0])) as client:
        assert scene.signer(client.exchange(scene.request())) == 0
        assert scene.ask(connect_fields=authorized(passwords[1])).status == 407
        scene.paraph.reload(configurations[1])
        assert client.is_closed(), "it was let in with a password that is no more"
    assert scene.ask(connect_fields=authorized(passwords[0])).status == 407
    assert scene.signer(scene.ask(connect_fields=authorized(passwords[1]))) == 0


# What is in flight


def test_a_download_goes_on_and_the_next_request_is_another_matter(scene, world):
    """Everything is another: credentials, hosts, pins that the present connection fails, and the listener."""
    body = os.urandom(1 << 20)
    path, half, go = half_sent(scene.provider, body)
    wrong = {"mode": "public_key", "pins": [UNUSED, public_key_pin(world.certificates.expired.leaf)]}
    with scene.client() as client:
        client.send(scene.request(path))
        assert half.wait(LIMIT)
        scene.paraph.reload(
            scene.changed(
                hosts=["a.wild.test.example"],
                tls={"pinning": wrong},
                whole={"access": {"other_hosts": "refuse"}, "listen": {"proxy": "127.0.0.2:0", "admin": "127.0.0.1:0"}},
            )
        )
        go.set()
        answer = client.receive()
        assert answer.body == body and answer.value("x-verified") == "yes"
    record = scene.provider.requests_for(path)[0]
    assert record.verdict.application is scene.applications[0]
    scene.ask().problem(403, "http_request_denied")


def test_an_upload_goes_on(scene):
    body = os.urandom(1 << 20)
    with scene.client() as client:
        data = request("PUT", "/x", scene.world.HOST, [("Content-Type", "application/octet-stream")], body)
        before = len(scene.provider.records)
        client.send(data[: len(data) // 2])
        scene.provider.wait(lambda: len(scene.provider.records) > before, what="the head of the request")
        scene.paraph.reload(scene.second)
        client.send(data[len(data) // 2 :])
        answer = client.receive()
        assert scene.signer(answer) == 0 and answer.json["body_length"] == len(body)
        assert scene.signer(client.exchange(scene.request())) == 1


def test_a_repetition_is_signed_as_the_request_was(scene, world):
    """The token is refused when the account's configuration is another already."""
    application = scene.applications[0]
    account = {"default": world.reverse_auth_account(application)}
    scene.paraph.reload(scene.changed(0, accounts=account))
    scene.ask().verified()
    reached, go = threading.Event(), threading.Event()

    def refuse_once(call):
        if reached.is_set():
            return call.answer()
        call.verify()
        reached.set()
        assert go.wait(LIMIT)
        call.respond(401, [("WWW-Authenticate", 'OAuth oauth_problem="token_rejected"')])

    path = world.provider.route(refuse_once)
    with scene.client() as client:
        client.send(scene.request(path))
        assert reached.wait(LIMIT)
        scene.paraph.reload(scene.second)
        go.set()
        assert scene.signer(client.receive()) == 0
        assert scene.signer(client.exchange(scene.request())) == 1
    assert application.reverse_auth.second_steps == 2


def test_a_blind_tunnel_stays(scene, world):
    with scene.paraph.raw(world.other.address, tls=False) as client:
        client.start_tls("127.0.0.1", world.certificates.root_file)
        client.exchange(request("GET", "/t", world.other.address))
        scene.paraph.reload(scene.changed(whole={"access": {"other_hosts": "refuse"}}))
        assert client.exchange(request("GET", "/t", world.other.address)).status == 401
    ask(scene.paraph, f"https://{world.other.address}/t").problem(403, "http_request_denied")


# Upstream connections


def pinned(scene, *certificates):
    pins = [*map(public_key_pin, certificates), UNUSED]
    tls = {"trust": [str(scene.world.certificates.root_file)], "pinning": {"mode": "public_key", "pins": pins}}
    return {"tls": tls, "connect_to": scene.listener.address}


@pytest.fixture
def own(scene):
    """The scene, with a listener of the provider's that is nobody else's."""
    scene.listener = scene.provider.listen(scene.world.certificates.good)
    scene.paraph.reload(scene.changed(0, connect_to=scene.listener.address))
    return scene


def test_idle_upstream_connections_whose_chain_passes_are_kept(own):
    c = own.world.certificates
    with own.client() as client:
        assert own.signer(client.exchange(own.request())) == 0
        for certificate in (c.good.leaf, c.root.certificate):
            own.paraph.reload(own.changed(1, **pinned(own, certificate)))
            assert own.signer(client.exchange(own.request())) == 1
    assert (own.listener.connections, own.listener.ended) == (1, 0)


def test_idle_upstream_connections_whose_chain_no_longer_passes_are_closed(own):
    c = own.world.certificates
    with own.client() as client:
        client.exchange(own.request()).verified()
        own.paraph.reload(own.changed(0, **pinned(own, c.expired.leaf)))
        wait_until(lambda: own.listener.ended == 1, "the provider to see the close")
        told = client.exchange(own.request()).problem(502, "tls_certificate_error")
        assert public_key_pin(c.good.leaf) in told
    assert own.listener.requests == 1


def test_an_upstream_connection_in_use_is_finished_and_then_closed(own):
    c = own.world.certificates
    body = os.urandom(100_000)
    path, half, go = half_sent(own.provider, body)
    with own.client() as busy, own.client() as client:
        busy.send(own.request(path))
        assert half.wait(LIMIT)
        own.paraph.reload(own.changed(0, **pinned(own, c.expired.leaf)))
        client.exchange(own.request()).problem(502, "tls_certificate_error")
        assert own.listener.ended == 0
        go.set()
        assert busy.receive().body == body
        wait_until(lambda: own.listener.ended == 1, "it to be closed behind its answer")
        busy.exchange(own.request()).problem(502, "tls_certificate_error")
    assert own.listener.requests == 1


# What is kept over reloads


def test_a_fetched_token_is_not_fetched_again(scene, world):
    """Those of reverse auth, of the password grant, and another application's that comes between."""
    application = scene.applications[0]
    grant = PasswordGrant(world.provider)
    password = {"password": {"username": "alice", "password": grant.new_user("alice")}}
    members = {
        **world.api(("members.test.example",), accounts={"default": password}),
        "oauth2": {**grant.settings(world), "token_url": f"https://members.test.example{grant.path}/token.json"},
    }
    del members["oauth1"]
    exchanged = {**scene.apis[0], "accounts": {"default": world.reverse_auth_account(application)}}
    for order in (("main", "members"), ("members", "main"), ("members",), ("main",), ("main", "members")):
        apis = {"main": exchanged, "members": members}
        scene.paraph.reload(world.configuration({name: apis[name] for name in order}))
        if "main" in order:
            assert scene.signer(scene.ask()) == 0
        if "members" in order:
            ask(scene.paraph, f"http://members.test.example{grant.resource}").verified()
    assert (application.reverse_auth.first_steps, application.reverse_auth.second_steps) == (1, 1)
    assert grant.kinds == ["password"]


def test_enrolled_accounts_stay(world, launch):
    found = EnrolmentScene(world, launch)
    for kind in ("oauth1", "bearer", "password"):
        assert found.register(found.claim(kind)).status == 201
    for _ in range(3):
        found.paraph.reload()
        for kind in ("oauth1", "bearer", "password"):
            assert found.use(kind).verified()["user"] == IDS[kind]
    assert found.members.kinds == ["password"]


def test_an_exchange_under_way_serves_both_sides_of_a_reload(scene, world):
    application = scene.applications[0]
    configuration = scene.changed(0, accounts={"default": world.reverse_auth_account(application)})
    scene.paraph.reload(configuration)
    application.reverse_auth.gate.clear()
    with scene.client() as before, scene.client() as after:
        before.send(scene.request())
        assert application.reverse_auth.reached.wait(LIMIT)
        scene.paraph.reload()
        after.send(scene.request())
        application.reverse_auth.gate.set()
        assert scene.signer(before.receive()) == 0
        assert scene.signer(after.receive()) == 0
    assert (application.reverse_auth.first_steps, application.reverse_auth.second_steps) == (1, 1)


def test_no_monotonic_timestamp_comes_twice(scene, world):
    """Also not when requests of the configuration before are still being signed: they share one clock."""
    keys = [{**entry["oauth1"], "timestamp": "monotonic"} for entry in scene.apis]
    entries = [scene.changed(number, oauth1=keys[number]) for number in (0, 1)]
    scene.paraph.reload(entries[0])
    before = len(world.provider.records)
    clients = [scene.client() for _ in range(4)]
    for number in range(20):
        for client in clients:
            client.send(scene.request())
        # Into the middle of it.
        if number % 5 == 2:
            scene.paraph.reload(entries[number % 2])
        for client in clients:
            client.receive().verified()
    for client in clients:
        client.close()
    stamps = [int(r.verdict.parameters["oauth_timestamp"]) for r in world.provider.records[before:] if r.verdict]
    assert len(stamps) == 80 and len(set(stamps)) == 80, sorted(stamps)
