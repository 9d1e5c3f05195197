"""`paraph accounts rekey` of a vault in etcd: another vault key, while several proxies serve and enrol."""

import base64
import itertools
import json
import os
import random
import subprocess
import threading

import pytest

from harness.applications import remember
from harness.enrolment import Scene
from harness.raw import ask
from harness.waiting import LIMIT, wait_until

COUNT = 60


@pytest.fixture
def scene(world, launch, etcd):
    """Two running proxies with enrolled accounts."""
    found = Scene(world, launch, vault=vault(etcd, remember(base64.b64encode(os.urandom(32)).decode())))
    found.proxies = [found.paraph, launch(found.paraph.configuration)]
    found.names = [str(7000 + n) for n in range(COUNT)]
    for name in found.names:
        assert found.register(found.claim("oauth1", name)).status == 201
    return found


def vault(etcd, key):
    return {"etcd": {"endpoints": [etcd.url]}, "key": key}


def signs(paraph, name):
    answer = ask(paraph, "https://api.test.example/x", fields=[("Paraph-Account", name)])
    return answer.status == 200 and answer.verified()["user"] == name


def expect_all(scene):
    for paraph in scene.proxies:
        assert [name for name in scene.names if not signs(paraph, name)] == []
    code, said = scene.proxies[0].command("accounts", "list", "twitter")
    assert code == 0 and said.split() == [word for name in sorted(scene.names) for word in ("twitter", name)], said


class Load:
    """Goes on asking each proxy for one account after the other, and enrolling more with each, until it is left."""

    def __init__(self, scene):
        self.scene, self.failures, self.ended = scene, [], threading.Event()
        self.counts = [0] * len(scene.proxies)
        self.threads = [threading.Thread(target=self.ask, args=[n]) for n in range(len(scene.proxies))]
        self.threads.append(threading.Thread(target=self.enrol))
        self.enrolled = 0

    def ask(self, number):
        for name in itertools.cycle(self.scene.names[:COUNT]):
            if self.ended.is_set():
                return
            try:
                if not signs(self.scene.proxies[number], name):
                    self.failures.append(name)
            except Exception as failure:
                self.failures.append(f"{name}: {failure!r}")
            self.counts[number] += 1

    def enrol(self):
        while not self.ended.is_set():
            name = str(8000 + self.enrolled)
            try:
                answer = self.scene.register(self.scene.claim("oauth1", name))
                if answer.status != 201:
                    self.failures.append(f"{name}: {answer!r}")
            except Exception as failure:
                self.failures.append(f"{name}: {failure!r}")
            self.scene.names.append(name)
            self.enrolled += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def wait_for_more(self):
        """Until everybody has done more."""
        before, enrolled = list(self.counts), self.enrolled
        wait_until(
            lambda: (
                all(count > old + 20 for count, old in zip(self.counts, before, strict=True))
                and self.enrolled > enrolled + 1
            ),
            "more requests",
        )

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join(LIMIT)


def expect_key(paraph, key, *kinds):
    """Has the status tell which of the vault's keys the proxy has, and what is wrong about that."""

    def is_told():
        told = json.loads(paraph.admin("/status")[1])
        found = {problem["kind"] for problem in told["problems"]} & {"rekey_unfinished", "vault_key_replaced"}
        return told["store"]["key"] == key and found == set(kinds)

    wait_until(is_told, f"the key to be told as {key}")


def test_proxies_serve_while_their_vault_is_rekeyed(scene, launch, etcd):
    one, other = scene.proxies
    file = one.folder / "new.key"
    with Load(scene) as load:
        load.wait_for_more()
        code, said = one.command("accounts", "rekey", "--new-key-file", "new.key")
        assert code == 0 and str(file) in said and "--finish" in said, said
        assert file.stat().st_mode & 0o777 == 0o600
        remember(file.read_text().strip())
        load.wait_for_more()
        expect_key(one, "old", "rekey_unfinished")
        # With the old key, it is not finished.
        code, said = one.command("accounts", "rekey", "--finish")
        assert code == 65 and "has the old key" in said, said
        configuration = {**one.configuration, "vault": vault(etcd, {"file": str(file)})}
        other.reload(configuration)
        load.wait_for_more()
        expect_key(other, "new", "rekey_unfinished")
        code, said = other.command("accounts", "rekey", "--finish")
        assert code == 0 and "The old key is of no use any more" in said, said
        # Also one that still has the old key goes on, until it is started anew.
        load.wait_for_more()
        expect_key(one, "dead", "vault_key_replaced")
        one.reload(configuration)
        load.wait_for_more()
        for paraph in scene.proxies:
            expect_key(paraph, "current")
    assert load.failures == []
    expect_all(scene)
    for paraph in scene.proxies:
        paraph.kill()
        paraph.start()
    expect_all(scene)
    code, said = other.command("accounts", "rekey", "--finish")
    assert code == 65 and "nothing to finish" in said, said


def test_the_old_key_opens_what_is_not_finished_and_nothing_afterwards(scene, launch, etcd):
    one, other = scene.proxies
    old = one.configuration
    assert one.command("accounts", "rekey", "--new-key-file", "new.key")[0] == 0
    file = one.folder / "new.key"
    remember(file.read_text().strip())
    for paraph in scene.proxies:
        paraph.kill()
        paraph.start()
    expect_all(scene)
    for paraph in scene.proxies:
        paraph.reload({**old, "vault": vault(etcd, {"file": str(file)})})
    assert one.command("accounts", "rekey", "--finish")[0] == 0
    expect_all(scene)
    stranger = launch(old, wait=False)
    wait_until(
        lambda: "admin" in stranger.announced and stranger.admin("/readyz") == (503, b"not ready: vault\n"),
        "the proxy to say that it is not ready",
    )
    stranger.told("the vault cannot be read", "sealed under another vault key")


def test_killed_at_any_moment(scene):
    one = scene.proxies[0]
    command = [one.binary, "accounts", "rekey", "--new-key-file", "new.key", "--config", str(one.file)]
    for turn in range(8):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=one.folder, env=one.environment()
        )
        try:
            process.wait(random.uniform(0, 0.4))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(LIMIT)
        name = str(8000 + turn)
        assert scene.register(scene.claim("oauth1", name)).status == 201
        scene.names.append(name)
        for paraph in scene.proxies:
            for name in random.sample(scene.names, 5):
                assert signs(paraph, name)
    code, said = one.command("accounts", "rekey", "--new-key-file", "new.key")
    assert code == 0, said
    remember((one.folder / "new.key").read_text().strip())
    code, said = one.command("accounts", "rekey", "--new-key-file", "another.key")
    assert code == 65 and "has not been finished" in said, said
    assert not (one.folder / "another.key").exists()
    expect_all(scene)


def test_what_to_name_is_said(scene):
    one = scene.proxies[0]
    code, said = one.command("accounts", "rekey")
    assert code == 65 and "--new-key-file" in said, said
    code, said = one.command("accounts", "rekey", "--finish")
    assert code == 65 and "nothing to finish" in said, said
    code, said = one.command("accounts", "rekey", "--finish", "--new-key-file", "new.key")
    assert code == 64 and "name no file" in said, said
    assert not (one.folder / "new.key").exists()
