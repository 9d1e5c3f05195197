"""Several proxies that keep what they obtain in etcd: what one has, or removes, the others have, or have no more."""

import base64
import concurrent.futures
import json
import os
import socket
from pathlib import Path

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from harness import enrolment
from harness.applications import remember, secret
from harness.etcd import Etcd
from harness.programs import need
from harness.raw import ask
from harness.waiting import LIMIT, wait_until
from harness.xauth import XAuth


@pytest.fixture
def etcds(tmp_path):
    """Makes servers, which do not run yet."""
    need("etcd", ["etcd"])
    made = []

    def make(**options):
        made.append(Etcd(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        one.end()


@pytest.fixture
def etcd(etcds):
    return etcds().start()


@pytest.fixture
def key():
    return remember(base64.b64encode(os.urandom(32)).decode())


@pytest.fixture
def server(world):
    found = XAuth(world.provider, world.provider.new_application())
    found.new_user("alice")
    return found


@pytest.fixture
def configured(world, server, key):
    """A configuration with one account that is exchanged, and a vault in etcd."""

    def make(etcd, more=None, **whole):
        accounts = {"default": {"xauth": server.settings(world, "alice")}}
        vault = {"etcd": {"endpoints": [etcd.url], **(more or {})}, "key": key}
        apis = {"main": world.api((world.HOST,), server.application, accounts)}
        return world.configuration(apis, vault=vault, **whole)

    return make


def signs(paraph, world):
    return ask(paraph, f"{world.URL}/x").verified()["user"] == "alice"


def not_ready(paraph):
    """Whether it says that it is not, for want of the vault."""
    return "admin" in paraph.announced and paraph.admin("/readyz") == (503, b"not ready: vault\n")


def test_one_exchanges_and_the_other_signs(launch, world, server, etcd, configured):
    one, other = launch(configured(etcd)), launch(configured(etcd))
    for paraph in (one, other, one, other):
        assert signs(paraph, world)
    assert server.requests == 1
    other.kill()
    other.start()
    assert signs(other, world) and server.requests == 1


def test_commands_say_the_same_of_every_replica(launch, world, server, etcd, configured):
    one, other = launch(configured(etcd)), launch(configured(etcd))
    assert one.command("accounts", "list") == (0, "")
    assert signs(one, world)
    for words in (["list"], ["list", "--long"], ["show", "main", "default"]):
        said = [paraph.command("accounts", *words) for paraph in (one, other)]
        assert said[0] == said[1] and said[0][0] == 0 and "main" in said[0][1], said
    assert signs(other, world)
    # What is removed is used no more, anywhere.
    code, said = other.command("accounts", "remove", "main", "default")
    assert code == 0, said
    place = f"paraph/ in etcd ({etcd.url})"
    for paraph in (one, other):
        code, said = paraph.command("accounts", "show", "main", "default")
        assert code == 65 and f"The vault {place} holds nothing for main/default." in said, said
    wait_until(lambda: signs(one, world) and server.requests == 2, "the other replica's removal to be seen")
    assert signs(other, world) and server.requests == 2


def test_a_log_in_holds_everywhere(launch, world, server, etcd, configured):
    one, other = launch(configured(etcd)), launch(configured(etcd))
    assert signs(one, world) and signs(other, world)
    code, said = other.command("login", "main")
    assert code == 0 and server.requests == 2, said
    server.issued[0].revoked = True
    for paraph in (one, other):
        assert signs(paraph, world)
    assert server.requests == 2


def test_enrolled_accounts_are_everywhere(launch, world, etcd, key):
    scene = enrolment.Scene(world, launch, vault={"etcd": {"endpoints": [etcd.url]}, "key": key})
    one, other = scene.paraph, launch(scene.paraph.configuration)
    assert scene.register(scene.claim("oauth1")).status == 201
    for scene.paraph in (other, one):
        assert scene.use("oauth1").verified()["user"] == enrolment.IDS["oauth1"]
        assert scene.accounts() == {("twitter", enrolment.IDS["oauth1"])}
    scene.paraph = other
    assert other.administer("DELETE", f"/accounts/twitter/{enrolment.IDS['oauth1']}").status == 204
    scene.paraph = one
    wait_until(lambda: scene.use("oauth1").status == 403, "the removal to be seen")
    assert scene.accounts() == set()


def test_a_proxy_waits_for_etcd(launch, world, server, etcds, configured):
    etcd = etcds()
    paraph = launch(configured(etcd), wait=False)
    wait_until(lambda: not_ready(paraph), "the proxy to say that it is not ready")
    (line,) = paraph.told("the vault cannot be read")
    assert f"etcd ({etcd.url}) cannot be reached" in line
    problems = {one["kind"]: one["message"] for one in paraph.administer("GET", "/status").json["problems"]}
    assert f"etcd ({etcd.url}) cannot be reached" in problems["vault_unreadable"] and "not_ready" in problems
    etcd.start()
    paraph.wait_until_ready()
    paraph.told("the vault can be read again")
    assert signs(paraph, world) and server.requests == 1
    # It goes away: what is known is used.
    etcd.stop()
    wait_until(lambda: not_ready(paraph), "the proxy to say that it is not ready")
    assert signs(paraph, world) and server.requests == 1
    etcd.start()
    paraph.wait_until_ready()
    paraph.told("the vault can be read again", count=2)


def test_commands_name_the_servers_that_do_not_answer(launch, etcds, configured):
    etcd = etcds()
    paraph = launch(configured(etcd), wait=False)
    sentence = f"etcd ({etcd.url}) cannot be reached: {etcd.url}: "
    for words in (
        ["accounts", "list"],
        ["accounts", "show", "main", "default"],
        ["accounts", "remove", "main", "default"],
        ["login", "main"],
    ):
        code, said = paraph.command(*words)
        assert code == 65 and said.startswith(f"paraph: {sentence}") and said.count("\n") == 1, (words, code, said)
    code, said = paraph.command("doctor", "--no-requests")
    assert code == 69 and "vault           FAILS" in said and sentence in said, said
    wait_until(lambda: "admin" in paraph.announced, "the proxy to listen")


def test_exec_signs_by_what_is_in_etcd(new_session, launch, world, server, etcd, configured):
    assert signs(launch(configured(etcd)), world)
    done = new_session(configured(etcd)).run(["curl", "-sS", f"{world.URL}/x"])
    assert b'"alice"' in done.stdout and server.requests == 1, done


def test_exec_names_the_servers_that_do_not_answer(new_session, etcds, configured):
    done = new_session(configured(etcds())).run(["true"])
    assert done.returncode == 65 and b"cannot be reached" in done.stderr, done


def test_the_doctor_counts_what_is_there(launch, world, etcd, configured):
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    _, said = paraph.command("doctor", "--no-requests")
    assert f"paraph/ in etcd ({etcd.url}) can be read, and holds 1 credential" in said, said


def test_the_doctor_looks_at_each_server(launch, world, etcd, etcds, configured):
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    away = etcds()
    more = {"endpoints": [etcd.url, away.url]}
    other = launch(configured(etcd, more))
    code, said = other.command("doctor", "--no-requests")
    assert f"etcd            ok     {etcd.url} answers, version 3." in said, said
    assert f"etcd            note   {away.url} does not answer: " in said, said
    assert "can be read, and holds 1 credential" in said, said
    findings = [json.loads(line) for line in other.administer("POST", "/doctor").body.splitlines()]
    verdicts = [one["verdict"] for one in findings if one.get("subject") == "etcd"]
    assert verdicts == ["ok", "note"], findings


def test_the_doctor_makes_nothing(launch, etcd, configured):
    need("etcdctl", ["etcdctl"])
    idle = launch(configured(etcd, {"prefix": "idle/"}))
    idle.kill()
    etcd.control("del", "--prefix", "idle/")
    _, said = idle.command("doctor", "--no-requests")
    assert "nothing is stored yet; idle/ in etcd" in said, said
    assert etcd.control("get", "--prefix", "idle/") == ""


def test_the_doctor_notices_what_may_not_be_written(launch, world, etcd, configured):
    need("etcdctl", ["etcdctl"])
    password = secret("etcd")
    etcd.let_only("paraph", password, "paraph/")
    paraph = launch(configured(etcd, {"username": "paraph", "password": password}))
    assert signs(paraph, world)
    root = ["--user", "root:an administrator's"]
    etcd.control(*root, "role", "revoke-permission", "--prefix=true", "paraph", "paraph/")
    etcd.control(*root, "role", "grant-permission", "--prefix=true", "paraph", "read", "paraph/")
    code, said = paraph.command("doctor", "--no-requests")
    assert code == 69, said
    assert "can be read, but not written: etcd (" in said and "permission denied" in said, said
    assert "fix: etcdctl role grant-permission ROLE readwrite --prefix=true paraph/" in said, said


def told_store(paraph):
    return paraph.administer("GET", "/status").json["store"]


def test_the_status_tells_of_etcd(launch, world, etcd, application, key):
    """Who exchanges now, and since when changes are not seen, by each replica."""
    apis = {"main": world.api(application=application, accounts={"default": world.reverse_auth_account(application)})}
    configuration = world.configuration(apis, vault={"etcd": {"endpoints": [etcd.url]}, "key": key})
    one, other = launch(configuration), launch(configuration)
    application.reverse_auth.gate.clear()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        try:
            answer = pool.submit(ask, one, f"{world.URL}/x")
            assert application.reverse_auth.reached.wait(LIMIT)
            turn = {"api": "main", "account": "default", "holder": socket.gethostname()}
            for paraph in (one, other):
                assert told_store(paraph)["turns"] == [turn]
            one.name_ports()
            _, said = one.command("status")
            assert f"exchanges for main/default by {turn['holder']}\n" in said, said
        finally:
            application.reverse_auth.gate.set()
        assert answer.result(LIMIT).verified()["user"] == "reverse"
    wait_until(lambda: told_store(other)["turns"] == [], "the turn to be over")
    wait_until(lambda: told_store(other)["lag_seconds"] == 0, "changes to be seen")
    told = told_store(other)
    assert (told["kind"], told["reachable"], told["records"], told["lag_revisions"]) == ("etcd", True, 1, 0), told
    assert 0 < told["seen_revision"] <= told["revision"] and told["interrupted_since"] is None, told
    assert paraph_says(one, "changes seen as they come") == 0
    etcd.stop()
    wait_until(lambda: told_store(other)["interrupted_since"], "the interruption to be told")
    told = told_store(other)
    assert not told["reachable"] and "cannot be reached" in told["reason"] and told["interruption"], told
    assert paraph_says(one, "NOT REACHABLE") == 2
    etcd.start()
    wait_until(lambda: told_store(other)["interrupted_since"] is None, "changes to be seen again")
    assert told_store(other)["reachable"]


def paraph_says(paraph, words):
    code, said = paraph.command("status")
    assert words in said, said
    return code


def test_an_older_credential_that_was_put_back_is_removed(launch, world, server, etcd, configured):
    need("etcdctl", ["etcdctl"])
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    (pair,) = json.loads(etcd.control("get", "--prefix", "paraph/credentials/", "-w", "json"))["kvs"]
    server.issued[0].revoked = True
    wait_until(lambda: signs(paraph, world), "another token")
    etcd.put(base64.b64decode(pair["key"]).decode(), base64.b64decode(pair["value"]))

    def found():
        problems = paraph.administer("GET", "/status").json["problems"]
        return next((one for one in problems if one["kind"] == "account_unusable"), None)

    problem = wait_until(found, "it to be noticed")
    assert "is an older one that was put back" in problem["message"], problem
    command, _, sequel = problem["remedy"].partition("   # ")
    assert command.startswith("paraph accounts remove --config ") and sequel == "the next request gets a new token"
    assert command.endswith(" main/default"), problem
    code, said = paraph.command("accounts", "remove", "main", "default")
    assert code == 0, said
    wait_until(lambda: signs(paraph, world), "a new token")


def test_the_status_does_not_read_everything(launch, world, etcd, key):
    """Some hundred of the enrolled accounts are listed; the others are counted."""
    scene = enrolment.Scene(world, launch, vault={"etcd": {"endpoints": [etcd.url]}, "key": key})
    assert scene.register(scene.claim("oauth1")).status == 201
    told = scene.paraph.administer("GET", "/status").json
    names = [one["account"] for one in told["accounts"]]
    assert enrolment.IDS["oauth1"] in names and told["accounts_left_out"] == 0
    for number in range(300):
        etcd.put(f"paraph/credentials/{number:064x}", b"nobody can open it")
    told = scene.paraph.administer("GET", "/status").json
    assert told["store"]["records"] == 301 and told["accounts_left_out"] == 301 - 256
    assert "vault_unreadable" in [one["kind"] for one in told["problems"]]


def test_a_reload_moves_to_another_prefix(launch, world, server, etcd, configured):
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    paraph.reload(configured(etcd, {"prefix": "other/"}))
    assert signs(paraph, world) and server.requests == 2
    assert "other/ in etcd" in paraph.command("accounts", "show", "main", "nobody")[1]
    # Nothing that concerns the vault: its connections stay.
    paraph.reload(configured(etcd, {"prefix": "other/"}, limits={"connections": 100}))
    paraph.reload(configured(etcd))
    assert signs(paraph, world) and server.requests == 2
    paraph.wait_until_ready()


def test_a_reload_to_servers_that_do_not_answer_is_refused(launch, world, server, etcd, etcds, configured):
    paraph, away = launch(configured(etcd)), etcds()
    assert signs(paraph, world)
    paraph.reload(configured(away), "refused")
    paraph.told("the configuration was not reloaded", f"etcd ({away.url}) cannot be reached")
    assert signs(paraph, world) and server.requests == 1
    # When the present ones do not either, nothing is lost by it.
    etcd.stop()
    paraph.reload(configured(away))
    wait_until(lambda: not_ready(paraph), "the proxy to say that it is not ready")
    away.start()
    paraph.wait_until_ready()
    assert signs(paraph, world) and server.requests == 2


def test_a_reload_while_etcd_is_away_costs_no_token(launch, world, server, etcd, etcds, configured):
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    etcd.stop()
    wait_until(lambda: not_ready(paraph), "the proxy to say that it is not ready")
    paraph.reload(configured(etcd, limits={"connections": 100}))
    assert signs(paraph, world) and server.requests == 1
    # Its servers are reached in another way now, as after a change of a password.
    paraph.reload(configured(etcd, {"endpoints": [etcds().url, etcd.url]}))
    told = paraph.administer("GET", "/status").json
    assert [one["state"] for one in told["accounts"]] == ["ready"], told["accounts"]
    (told,) = [one["message"] for one in told["problems"] if one["kind"] == "not_ready"]
    assert "accounts whose token is known go on with it" in told, told
    assert signs(paraph, world) and server.requests == 1
    etcd.start()
    paraph.wait_until_ready()
    assert signs(paraph, world) and server.requests == 1


def test_nobody_is_enrolled_while_etcd_is_away(launch, world, etcd, key):
    scene = enrolment.Scene(world, launch, vault={"etcd": {"endpoints": [etcd.url]}, "key": key})
    etcd.stop()
    answer = scene.register(scene.claim("oauth1"))
    assert answer.status == 503 and answer.value("retry-after") == "1", answer
    assert f"etcd ({etcd.url}) cannot be reached" in answer.json["detail"], answer
    assert "Nothing was asked of the provider" in answer.json["detail"], answer
    for method, path in (("GET", "/accounts"), ("DELETE", "/accounts/twitter/1")):
        answer = scene.paraph.administer(method, path)
        assert answer.status == 503 and answer.value("retry-after") == "1", answer
    etcd.start()
    scene.paraph.wait_until_ready()
    assert scene.register(scene.claim("oauth1")).status == 201
    assert scene.use("oauth1").verified()["user"] == enrolment.IDS["oauth1"]


def test_another_reason_is_told_when_etcd_is_there(launch, world, etcd, configured):
    assert signs(launch(configured(etcd)), world)
    etcd.stop()
    configuration = configured(etcd)
    configuration["vault"]["key"] = remember(base64.b64encode(os.urandom(32)).decode())
    stranger = launch(configuration, wait=False)
    stranger.told("the vault cannot be read", "cannot be reached")
    etcd.start()
    stranger.told("the vault cannot be read", "sealed under another vault key")
    assert not_ready(stranger)


def connections(paraph, etcd):
    """How many the proxy has to etcd."""
    mine = paraph.descriptors()
    fields = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(1 for one in fields if one[2].endswith(f":{etcd.port:04X}") and f"socket:[{one[9]}]" in mine)


def test_reloads_leave_no_connections_behind(launch, world, etcd, configured):
    """Each store has some, for its watch and its requests: those of what was replaced are closed."""
    paraph, count = launch(configured(etcd)), 10
    for number in range(count):
        assert signs(paraph, world)
        paraph.reload(configured(etcd, {"prefix": f"{number}/"}))
    wait_until(lambda: connections(paraph, etcd) < count, "connections to be closed")
    assert signs(paraph, world)


def test_a_directory_becomes_etcd(launch, world, server, etcd, configured):
    configuration = configured(etcd)
    paraph = launch({**configuration, "vault": {}})
    assert signs(paraph, world)
    paraph.reload(configuration)
    assert signs(paraph, world) and server.requests == 2
    paraph.reload({**configuration, "vault": {}})
    assert signs(paraph, world) and server.requests == 2


def test_another_key_opens_nothing(launch, world, etcd, configured):
    paraph = launch(configured(etcd))
    assert signs(paraph, world)
    configuration = configured(etcd)
    configuration["vault"]["key"] = remember(base64.b64encode(os.urandom(32)).decode())
    stranger = launch(configuration, wait=False)
    wait_until(lambda: not_ready(stranger), "the proxy to say that it is not ready")
    stranger.told("the vault cannot be read", "sealed under another vault key")
    code, said = stranger.command("accounts", "list")
    assert code == 65 and "sealed under another vault key" in said, said


def test_a_key_is_not_made(launch, etcd, configured):
    configuration = configured(etcd)
    configuration["vault"]["key"] = {"file": "state/vault.key"}
    paraph = launch(configuration, wait=False)
    assert paraph.wait() == 65
    assert "head -c 32 /dev/urandom | base64" in paraph.log()
    assert not (paraph.folder / "state").exists()


def test_a_user_and_a_password(launch, world, server, etcd, configured):
    need("etcdctl", ["etcdctl"])
    password = secret("etcd é&+ ")
    etcd.let_only("paraph", password, "paraph/")
    one = launch(configured(etcd, {"username": "paraph", "password": password}))
    assert signs(one, world) and server.requests == 1
    assert one.command("accounts", "list") == (0, "main\tdefault\n")
    for more in (
        {},
        {"username": "paraph", "password": secret("wrong")},
        {"username": "paraph", "password": password, "prefix": "other/"},
    ):
        other = launch(configured(etcd, more), wait=False)
        wait_until(lambda: not_ready(other), "the proxy to say that it is not ready")  # noqa: B023
        (line,) = other.told("the vault cannot be read")
        assert "etcd" in line, line
        code, said = other.command("accounts", "list")
        assert code == 65 and said.startswith("paraph: etcd ("), said


def test_both_sides_show_certificates(launch, world, server, etcds, configured, certificates):
    usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    chain = certificates.server("etcd", ["127.0.0.1"], usages=usages)
    root = str(certificates.root_file)
    tls = ["--cert-file", chain.file, "--key-file", chain.file, "--client-cert-auth", "--trusted-ca-file", root]
    etcd = etcds(tls=[str(word) for word in tls]).start()
    certificate, private_key = map(str, certificates.client("paraph"))
    shown = {"certificate": certificate, "private_key": private_key}
    one, other = (launch(configured(etcd, {"trust": root, **shown})) for _ in range(2))
    assert signs(one, world) and signs(other, world) and server.requests == 1
    for more in ({"trust": root}, shown):
        stranger = launch(configured(etcd, more), wait=False)
        wait_until(lambda: not_ready(stranger), "the proxy to say that it is not ready")  # noqa: B023
        (line,) = stranger.told("the vault cannot be read")
        assert f"etcd ({etcd.url}) cannot be reached" in line
