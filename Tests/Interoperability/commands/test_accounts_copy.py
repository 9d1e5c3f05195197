"""`paraph accounts copy`: every credential from a directory to etcd and back, whatever happens meanwhile."""

import base64
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from conftest import binary
from harness.applications import remember
from harness.enrolment import Scene
from harness.paraph import Paraph
from harness.waiting import LIMIT

THERE = ("accounts", "copy", "--from", "directory", "--to", "etcd")
BACK = ("accounts", "copy", "--from", "etcd", "--to", "directory")


@pytest.fixture
def scene(world, launch, etcd):
    """Accounts in a directory, whose proxy has ended, and a configuration with etcd in its place."""

    def make(count):
        found = Scene(world, launch)
        found.names = [f"{7000 + number}" for number in range(count)]
        claims = [found.claim("bearer", name) for name in found.names]
        with ThreadPoolExecutor(8) as pool:
            assert {answer.status for answer in pool.map(found.register, claims)} == {201}
        found.listed = found.paraph.command("accounts", "list", "--long")
        assert found.listed[0] == 0 and len(found.listed[1].splitlines()) == count, found.listed
        found.paraph.stop()
        found.key = found.paraph.folder / "state" / "vault.key"
        remember(found.key.read_text().strip())
        move(found, {"etcd": {"endpoints": [etcd.url]}, "key": {"file": str(found.key)}})
        found.place = f"paraph/ in etcd ({etcd.url})"
        found.vault = found.paraph.folder / "state" / "vault"
        return found

    return make


def move(scene, vault):
    scene.paraph.reconfigure({**scene.paraph.configuration, "vault": vault})


def contents(folder):
    """Of every file that is a credential's."""
    return {file.name: file.read_bytes() for file in folder.glob("*.sealed")}


def outcomes(said):
    """Of each account, as the lines tell it."""
    return {line.split("\t")[1]: line.split("\t")[2] for line in said.splitlines() if line.count("\t") == 2}


def test_killed_half_way(scene, launch):
    found, count = scene(2000), 2000
    before = contents(found.vault)
    process = subprocess.Popen(
        [found.paraph.binary, *THERE, "--config", str(found.paraph.file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=found.paraph.environment(),
        cwd=found.paraph.folder,
    )
    for _ in range(count // 4):
        assert process.stdout.readline().endswith(b"\tcopied\n")
    process.kill()
    process.communicate(timeout=LIMIT)
    code, said = found.paraph.command("accounts", "list")
    arrived = len(said.splitlines())
    assert code == 0 and count // 4 <= arrived < count, said
    # Again, to the end; and once more, with nothing left to be done.
    code, said = found.paraph.command(*THERE)
    told = list(outcomes(said).values())
    assert code == 0 and said.splitlines()[-1].startswith(f"{count} credentials of {found.vault}, for {found.place}: ")
    assert (told.count("there already"), told.count("copied")) == (arrived, count - arrived), said
    assert found.paraph.command("accounts", "list", "--long") == found.listed
    code, said = found.paraph.command(*THERE)
    assert code == 0 and set(outcomes(said).values()) == {"there already"}, said
    assert contents(found.vault) == before, "the source is not changed"
    # A proxy uses what has arrived.
    found.paraph = launch(found.paraph.configuration)
    for name in found.names[:: count // 10]:
        assert found.use("bearer", name).json["user"] == name


def test_there_and_back(scene, launch):
    found = scene(12)
    assert found.paraph.command(*THERE)[0] == 0
    other = found.paraph.folder / "other"
    code, said = found.paraph.command(*BACK, "--directory", str(other / "vault"))
    assert code == 0, said
    assert f"12 credentials of {found.place}, for {other / 'vault'}: 12 copied." in said, said
    assert set(contents(other / "vault")) == set(contents(found.vault))
    # With a key of its own, which is made.
    code, said = found.paraph.command(*BACK, "--directory", str(other / "own"), "--directory-key", str(other / "key"))
    assert code == 0 and (other / "key").stat().st_mode & 0o777 == 0o600, said
    remember((other / "key").read_text().strip())
    # By a path from where it is run.
    code, said = found.paraph.command(*THERE, "--directory", "other/own", "--directory-key", "other/key")
    assert code == 0 and set(outcomes(said).values()) == {"there already"}, said
    for folder, key in ((other / "vault", found.key), (other / "own", other / "key")):
        move(found, {"directory": str(folder), "key": {"file": str(key)}})
        assert found.paraph.command("accounts", "list", "--long") == found.listed
    found.paraph = launch(found.paraph.configuration)
    assert all(found.use("bearer", name).json["user"] == name for name in found.names)


def test_what_differs_is_kept_unless_it_is_to_be_replaced(scene, launch):
    found = scene(3)
    assert found.paraph.command(*THERE)[0] == 0
    # One gets another token, where the directory is used.
    etcd, name = found.paraph.configuration["vault"], found.names[1]
    move(found, {})
    found.paraph.start()
    assert found.register(found.claim("bearer", name)).status in (200, 201)
    found.paraph.stop()
    move(found, etcd)
    code, said = found.paraph.command(*THERE)
    assert code == 65 and outcomes(said)[name] == "kept, differs", said
    assert f"paraph: facebook/{name} differs, and was kept: " in said and "--replace" in said, said
    assert "2 there already; 1 kept, differs. Not all have arrived" in said, said
    code, said = found.paraph.command(*THERE, "--replace")
    assert code == 0 and outcomes(said)[name] == "replaced" and "2 there already; 1 replaced." in said, said
    code, said = found.paraph.command(*THERE)
    assert code == 0 and set(outcomes(said).values()) == {"there already"}, said


def test_what_cannot_be_opened_is_told_and_the_others_arrive(scene):
    found = scene(20)
    name = found.names[7]
    (file,) = found.vault.glob(f"*{name}.sealed")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    code, said = found.paraph.command(*THERE)
    assert code == 65 and outcomes(said)[name] == "cannot be opened", said
    assert f"paraph: facebook/{name} was not copied. The vault file {file} is damaged" in said, said
    assert "19 copied; 1 cannot be opened. Not all have arrived" in said, said
    code, said = found.paraph.command("accounts", "list", "facebook")
    assert code == 0 and said.split()[1::2] == [one for one in found.names if one != name], said


def test_another_key_of_the_directory_is_told(scene):
    found = scene(2)
    shutil.copytree(found.vault, found.paraph.folder / "full", symlinks=True)
    own = found.paraph.folder / "own.key"
    own.write_text(remember(base64.b64encode(os.urandom(32)).decode()))
    own.chmod(0o600)
    move(found, {**found.paraph.configuration["vault"], "key": {"file": str(own)}})
    code, said = found.paraph.command(*THERE)
    assert code == 65 and said.count("name its file: --directory-key FILE") == 1, said
    assert "2 cannot be opened" in said, said
    assert found.paraph.command(*THERE, "--directory-key", str(found.key))[0] == 0
    # Two keys in one directory would be of no use.
    code, said = found.paraph.command(*BACK, "--directory", str(found.paraph.folder / "full"))
    assert code == 65 and "--directory-key FILE" in said and "copied" not in said, said


def test_etcd_that_is_away(scene, etcd):
    found = scene(2)
    etcd.stop()
    for way in (THERE, BACK):
        code, said = found.paraph.command(*way)
        assert code == 65 and f"paraph: etcd ({etcd.url}) cannot be reached: " in said, said
        assert "Not all have arrived" in said, said


def test_what_cannot_work_says_what_to_do(world, tmp_path, etcd):
    paraph = Paraph(binary(), tmp_path / "own", world.configuration({"main": world.api()}))
    for way in (THERE, BACK):
        code, said = paraph.command(*way)
        assert code == 65 and said.startswith("paraph: accounts copy needs vault.etcd in the configuration"), said
        assert f"--directory {paraph.folder / 'state' / 'vault'}" in said, said
    code, said = paraph.command("accounts", "copy", "--from", "etcd", "--to", "etcd")
    assert code == 64 and "--from and --to" in said, said
    key = remember(base64.b64encode(os.urandom(32)).decode())
    paraph.reconfigure({**paraph.configuration, "vault": {"etcd": {"endpoints": [etcd.url]}, "key": key}})
    code, said = paraph.command(*THERE)
    assert code == 65 and "there is nothing to copy" in said and "--directory PATH" in said, said
    assert not (paraph.folder / "state").exists(), "nothing was made"
    code, said = paraph.command(*BACK)
    assert code == 0 and said.startswith("0 credentials of "), said
