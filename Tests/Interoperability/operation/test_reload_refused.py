"""Reloads that come to nothing: whatever is wrong, everything goes on as before, and the log says why."""

import os
import re

import pytest

from harness.reload import UNUSED, Scene


@pytest.fixture
def scene(world, launch):
    return Scene(world, launch)


def position(file, text):
    """Of the key or the list's entry in whose line `text` is."""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if text in line:
            return f"{file}:{number}:{len(re.match('[ -]*', line).group()) + 1}: "
    raise AssertionError(f"no {text} in {file}")


def with_secret(value):
    return lambda scene: {"oauth1": {**scene.apis[1]["oauth1"], "consumer_secret": value}}


# title → (what is wrong in the entry of the API, where in the file, what is said of it)
MISTAKES = {
    "an unknown key": (lambda scene: {"hots": "x"}, "hots", "did you mean hosts"),
    "a secret whose file is gone": (with_secret({"file": "secrets/gone.txt"}), '"file"', "secrets/gone.txt"),
    "a secret whose variable is not set": (with_secret({"env": "UNSET_TOKEN"}), '"env"', "UNSET_TOKEN"),
    "a trust file that is gone": (lambda scene: {"tls": {"trust": ["gone.pem"]}}, "gone.pem", "no such file"),
    "a single pin": (
        lambda scene: {"tls": {"pinning": {"mode": "public_key", "pins": [UNUSED]}}},
        '"pins"',
        "at least two pins",
    ),
}


def is_refused(scene, *words):
    """A reload, and that nothing has changed by it."""
    before, lines = dict(scene.paraph.addresses), len(scene.paraph.lines)
    with scene.client() as kept:
        assert scene.signer(kept.exchange(scene.request())) == 0
        scene.paraph.reload(outcome="refused")
        assert scene.signer(kept.exchange(scene.request())) == 0
    assert scene.signer(scene.ask()) == 0
    assert scene.paraph.addresses["proxy"] == before["proxy"]
    assert scene.paraph.admin("/healthz")[0] == 200
    scene.paraph.told('"level":"error"', "was not reloaded", since=lines)
    said = [line for line in scene.paraph.lines[lines:] if '"level":"error"' in line]
    assert "was not reloaded" in said[-1], scene.paraph.tail()
    for word in words:
        assert any(word in line for line in said), f"{word!r} is not in {said}"


def and_then_it_is_mended(scene):
    scene.paraph.reload(scene.second)
    assert scene.signer(scene.ask()) == 1


@pytest.mark.parametrize("title", MISTAKES)
def test_a_mistake_changes_nothing_and_is_told_with_its_line(scene, title):
    entry, place, words = MISTAKES[title]
    scene.paraph.reconfigure(scene.changed(whole={"log": {"level": "debug", "format": "text"}}, **entry(scene)))
    is_refused(scene, position(scene.paraph.file, place), words)
    and_then_it_is_mended(scene)


def test_a_fifo_that_nobody_writes_to_is_not_waited_for(scene):
    os.mkfifo(scene.paraph.folder / "secret")
    scene.paraph.reconfigure(scene.changed(**with_secret({"file": "secret"})(scene)))
    is_refused(scene, "secret", "is empty")
    and_then_it_is_mended(scene)


def test_what_is_no_yaml_changes_nothing(scene):
    scene.paraph.reconfigure("apis: [\n  x: }\n")
    is_refused(scene, f"{scene.paraph.file}:2:6: ")
    scene.paraph.file.unlink()
    is_refused(scene, str(scene.paraph.file), "there is no such file or directory")
    and_then_it_is_mended(scene)


@pytest.mark.parametrize("other", ["127.0.0.1:0", "127.0.0.2:0"])
@pytest.mark.parametrize("listener", ["proxy", "admin"])
def test_an_address_in_use_changes_nothing(scene, closed_port, listener, other):
    """Neither does the other listener move, where it could."""
    listen = {"proxy": other, "admin": other, listener: f"127.0.0.1:{closed_port}"}
    scene.paraph.reconfigure(scene.changed(whole={"listen": listen}))
    is_refused(scene, f"127.0.0.1:{closed_port}", "in use")
    and_then_it_is_mended(scene)


@pytest.mark.parametrize("file", ["ca.key", "vault.key"])
def test_a_key_that_others_can_read_changes_nothing(scene, file):
    key = scene.paraph.folder / "state" / file
    key.chmod(0o644)
    scene.paraph.reconfigure(scene.second)
    is_refused(scene, file, "chmod 600")
    key.chmod(0o600)
    and_then_it_is_mended(scene)
