"""`paraph accounts rekey`: another vault key, without losing an account, whatever happens at whatever moment."""

import base64
import os
import pty
import random
import subprocess
import time

import pytest

from conftest import binary
from harness.applications import remember
from harness.enrolment import Scene
from harness.paraph import Paraph
from harness.waiting import LIMIT

COUNT = 60


@pytest.fixture
def scene(world, launch):
    """A running proxy with enrolled accounts."""

    def make(count=COUNT, **more):
        found = Scene(world, launch, **more)
        found.names = [str(7000 + n) for n in range(count)]
        for name in found.names:
            assert found.register(found.claim("oauth1", name)).status == 201
        return found

    return make


def key(scene):
    return (scene.paraph.folder / "state" / "vault.key").read_text()


def expect_all(scene):
    for name in scene.names:
        assert scene.use("oauth1", name).verified()["user"] == name
    code, said = scene.paraph.command("accounts", "list", "twitter")
    assert code == 0 and said.split() == [word for name in scene.names for word in ("twitter", name)], said


def test_a_running_proxy_follows(scene):
    found = scene()
    before = key(found)
    code, said = found.paraph.command("accounts", "rekey")
    assert code == 0 and str(COUNT) in said and "vault.key" in said, said
    assert key(found) != before
    remember(key(found).strip())
    expect_all(found)
    assert found.register(found.claim("oauth1", "8000")).status == 201
    assert found.use("oauth1", "8000").verified()["user"] == "8000"
    found.names.append("8000")
    found.paraph.kill()
    found.paraph.start()
    expect_all(found)


def test_a_terminal_is_told_how_far_it_is(scene):
    """And nothing else is: the line goes to nobody's file."""
    found = scene()
    command = [found.paraph.binary, "accounts", "rekey", "--config", str(found.paraph.file)]
    mine, terminal = pty.openpty()
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"}
        )
        os.close(terminal)
        said = process.communicate(timeout=LIMIT)[0]
        shown = os.read(mine, 4096)
    finally:
        os.close(mine)
    assert process.returncode == 0 and b"Sealed" in said and b"Sealing" not in said, said
    assert shown.startswith(f"\rSealing credentials under the new key: 0 of {COUNT}".encode()), shown
    assert shown.endswith(b"\r\x1b[K"), shown
    code, said = found.paraph.command("accounts", "rekey")
    assert code == 0 and "Sealing" not in said, said


def test_the_old_key_is_of_no_use(scene):
    found = scene(count=1)
    file = found.paraph.folder / "state" / "vault.key"
    old = file.read_text()
    assert found.paraph.command("accounts", "rekey")[0] == 0
    found.paraph.stop()
    new = file.read_text()
    file.write_text(old)
    code, said = found.paraph.command("accounts", "show", "twitter", found.names[0])
    assert code == 65 and "another vault key" in said, said
    file.write_text(new)
    assert found.paraph.command("accounts", "show", "twitter", found.names[0])[0] == 0


def test_killed_at_any_moment(scene):
    """While the proxy runs, signs and enrols."""
    found = scene()
    command = [found.paraph.binary, "accounts", "rekey", "--config", str(found.paraph.file)]
    longest = time.monotonic()
    assert subprocess.run(command, capture_output=True, check=True, timeout=LIMIT).stdout
    longest = time.monotonic() - longest
    for turn in range(15):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(random.uniform(0, longest))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(LIMIT)
        name = f"{8000 + turn}"
        assert found.register(found.claim("oauth1", name)).status == 201
        found.names.append(name)
        if turn % 5 == 4:
            found.paraph.kill()
            found.paraph.start()
        for name in random.sample(found.names, 5):
            assert found.use("oauth1", name).verified()["user"] == name
    code, said = found.paraph.command("accounts", "rekey")
    assert code == 0, said
    expect_all(found)
    left = [name for name in os.listdir(found.paraph.folder / "state") if name.endswith(".next")]
    assert not left, "the next key has taken the old one's place"


def test_two_at_once(scene):
    found = scene()
    command = [found.paraph.binary, "accounts", "rekey", "--config", str(found.paraph.file)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(2)]
    ended = [(one.communicate(timeout=LIMIT)[0].decode(), one.returncode) for one in both]
    assert sorted(code for _, code in ended) in ([0, 0], [0, 65]), ended
    for said, code in ended:
        assert code == 0 or "being re-keyed by another process" in said, said
    expect_all(found)


def test_a_key_of_the_configuration_moves_into_a_file(world, scene, monkeypatch):
    monkeypatch.setenv("VAULT_KEY_OF_THE_TESTS", remember(base64.b64encode(os.urandom(32)).decode()))
    found = scene(count=5, vault={"key": {"env": "VAULT_KEY_OF_THE_TESTS"}})
    code, said = found.paraph.command("accounts", "rekey")
    assert code == 65 and "Name a file" in said, said
    code, said = found.paraph.command("accounts", "rekey", "--new-key-file", "moved.key")
    path = found.paraph.folder / "moved.key"
    assert code == 0 and str(path) in said, said
    assert path.stat().st_mode & 0o777 == 0o600
    remember(path.read_text().strip())
    expect_all(found)
    found.paraph.stop()
    found.paraph.configuration["vault"] = {"key": {"file": str(path)}}
    found.paraph.rewrite()
    monkeypatch.delenv("VAULT_KEY_OF_THE_TESTS")
    found.paraph.start()
    expect_all(found)


def test_before_anything_is_stored(command_without_a_vault):
    code, said = command_without_a_vault("accounts", "rekey")
    assert code == 65 and "nothing to re-key" in said, said
    code, said = command_without_a_vault("accounts", "list")
    assert code == 0 and "nothing is stored" in said, said
    code, said = command_without_a_vault("accounts", "show", "main", "default")
    assert code == 65 and "main/default" in said, said


@pytest.fixture
def command_without_a_vault(world, tmp_path):
    return Paraph(binary(), tmp_path, world.configuration({"main": world.api()})).command
