"""`authority.shared`: the proxies of a vault in etcd have one local CA, made by whichever is first."""

import base64
import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import binary
from harness.applications import remember
from harness.paraph import Paraph
from harness.waiting import LIMIT


@pytest.fixture
def configuration(world, etcd):
    key = remember(base64.b64encode(os.urandom(32)).decode())
    return {
        **world.configuration({"main": world.api()}),
        "authority": {"shared": "on"},
        "vault": {"etcd": {"endpoints": [etcd.url]}, "key": key},
    }


def certificate(paraph):
    return (paraph.folder / "state" / "ca.pem").read_text()


def serves(paraph, pem, host="api.test.example"):
    """Whether a client that trusts only this certificate gets an answer."""
    trusted = paraph.folder / "trusted.pem"
    trusted.write_text(pem)
    options = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-x", paraph.url, "--cacert", trusted]
    client = subprocess.run(
        ["curl", *options, f"https://{host}/x"],
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    return client.stdout == "200", client.stderr


def expect_serving(paraph, pem, **more):
    assert serves(paraph, pem, **more) == (True, "")


def test_proxies_that_start_at_once_have_one(configuration, launch, etcd):
    with ThreadPoolExecutor(4) as pool:
        proxies = list(pool.map(lambda _: launch(configuration), range(4)))
    one = certificate(proxies[0])
    for paraph in proxies:
        assert certificate(paraph) == one
        assert (paraph.folder / "state" / "ca.key").stat().st_mode & 0o777 == 0o600
        expect_serving(paraph, one)
        assert paraph.admin("/ca.pem") == (200, one.encode())
    assert len({(paraph.folder / "state" / "ca.pem.anchors").read_bytes() for paraph in proxies}) == 1
    pairs = json.loads(etcd.control("get", "--prefix", "paraph/", "-w", "json"))["kvs"]
    kept = {base64.b64decode(pair["key"]).decode(): base64.b64decode(pair["value"]) for pair in pairs}
    assert set(kept) == {"paraph/authority", "paraph/names"}
    assert not any(b"PRIVATE KEY" in value or b"CERTIFICATE" in value for value in kept.values())
    # One whose disk is lost.
    paraph = proxies[0]
    paraph.stop()
    shutil.rmtree(paraph.folder / "state")
    paraph.start()
    assert certificate(paraph) == one
    expect_serving(paraph, one)
    code, said = paraph.command("doctor")
    assert "local CA" in said and "etcd has another" not in said, said


def test_one_of_its_own_becomes_the_shared_one_or_gives_way(configuration, launch):
    alone = {key: value for key, value in configuration.items() if key != "authority"}
    one, other = launch(alone), launch(alone)
    mine, theirs = certificate(one), certificate(other)
    assert mine != theirs
    one.reload(configuration)
    assert certificate(one) == mine
    other.reload(configuration)
    other.told("the local CA took the place of another one")
    assert certificate(other) == mine
    expect_serving(other, mine)
    assert theirs in [file.read_text() for file in (other.folder / "state").glob("ca.pem.old-*")]


def test_one_that_others_made_is_not_shared(configuration, launch, tmp_path):
    openssl = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=own"]
    paraph = Paraph(binary(), tmp_path / "own", configuration)
    state = paraph.folder / "state"
    state.mkdir(mode=0o700)
    files = ["-keyout", str(state / "ca.key"), "-out", str(state / "ca.pem")]
    subprocess.run([*openssl, *files], check=True, capture_output=True, timeout=LIMIT)
    before = (state / "ca.pem").read_bytes()
    # Whether another one is shared already or not.
    for _ in range(2):
        code, said = paraph.command("run")
        assert code == 65 and "was not made by Paraph, and only one that was is shared by authority.shared" in said, said
        assert (state / "ca.pem").read_bytes() == before
        launch(configuration)


def test_without_etcd(configuration, launch, etcd):
    first = launch(configuration)
    one = certificate(first)
    etcd.stop()
    first.stop()
    # It has the files.
    since = len(first.lines)
    first.start(wait=False)
    first.told('"listener":"proxy"', since=since)
    first.told("whether the local CA is the one that the proxies share could not be looked up")
    expect_serving(first, one)
    # This one has none, and waits for them.
    second = launch(configuration, wait=False)
    second.told("the local CA that the proxies share cannot be had, which is tried again and again")
    assert not (second.folder / "state" / "ca.pem").exists()
    etcd.start()
    second.wait_until_ready()
    assert certificate(second) == one
    expect_serving(second, one)


def test_renewed_for_all(configuration, launch):
    first, second = launch(configuration), launch(configuration)
    before = certificate(first)
    hosts = ["api.test.example", "new.test.example"]
    wider = {**configuration, "apis": {"main": {**configuration["apis"]["main"], "hosts": hosts}}}
    first.reconfigure(wider)
    code, said = first.command("ca", "renew")
    assert code == 0 and "Let all proxies take it" in said, said
    code, said = second.command("doctor")
    assert "etcd has another one than" in said, said
    second.reconfigure(wider)
    code, said = second.command("doctor", "--no-requests")
    # To renew it once more would be of no use.
    assert "does not reach new.test.example" in said and "it was renewed already" in said, said
    assert "fix: pkill -HUP -x paraph" in said and "ca renew" not in said, said
    assert certificate(second) == before
    for paraph in (first, second):
        paraph.reload(wider)
        assert certificate(paraph) != before
        expect_serving(paraph, before)
        expect_serving(paraph, certificate(first), host="new.test.example")
    assert certificate(first) == certificate(second)
    code, said = second.command("ca", "renew", "--new-key")
    assert code == 0, said
    for paraph in (first, second):
        paraph.reload(wider)
        expect_serving(paraph, certificate(second))
        assert not serves(paraph, before)[0]


def test_there_is_nothing_to_renew(configuration, tmp_path, etcd):
    paraph = Paraph(binary(), tmp_path / "own", configuration)
    code, said = paraph.command("ca", "renew")
    assert code == 65 and said.startswith(f"paraph: there is no CA in paraph/ in etcd ({etcd.url}) yet; paraph run"), said
    etcd.stop()
    code, said = paraph.command("ca", "renew")
    assert code == 65 and "cannot be reached" in said, said
    assert not (paraph.folder / "state" / "ca.pem").exists()


def test_the_status_tells_who_has_to_take_a_renewed_one(configuration, launch):
    hosts = ["api.test.example", "new.test.example"]
    wider = {**configuration, "apis": {"main": {**configuration["apis"]["main"], "hosts": hosts}}}
    first, second = launch(configuration), launch(configuration)

    def remedies(paraph):
        problems = paraph.administer("GET", "/status").json["problems"]
        return [one["remedy"].split("  ")[0] for one in problems if one["kind"] == "authority_reach"]

    for paraph in (first, second):
        paraph.reload(wider)
        (remedy,) = remedies(paraph)
        assert remedy.startswith("paraph ca renew --config "), remedy
    code, said = first.command("ca", "renew")
    assert code == 0, said
    for paraph in (first, second):
        assert remedies(paraph) == ["pkill -HUP -x paraph"]
        paraph.reload(wider)
        assert remedies(paraph) == []
