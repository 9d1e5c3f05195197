"""`paraph run --publish`: what programs in other containers are given, in a folder that they share with the proxy's."""

import os
import stat
import subprocess

import pytest

from conftest import binary
from harness.paraph import Paraph
from harness.ports import held_port
from harness.programs import need, verified
from harness.session import NOWHERE
from harness.waiting import LIMIT

FILES = {"authority.pem", "env", "paraph.ini", "proxy.cjs", "roots.pem", "truststore.p12", "wgetrc"}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "published"
    made.mkdir()
    return made


@pytest.fixture
def make(world, tmp_path, folder):
    """Makes a proxy that publishes, by a port that is known; it is not started."""
    made = []
    with held_port() as port:

        def make(*options, publish=folder, **whole):
            listen = {"proxy": f"127.0.0.1:{port}", "admin": "127.0.0.1:0"}
            one = Paraph(binary(), tmp_path / "paraph", world.configuration(**{"listen": listen, **whole}))
            starter = tmp_path / "start"
            starter.write_text(f'#!/bin/sh\nexec {one.binary} "$@" --publish {publish} {" ".join(options)}\n')
            starter.chmod(0o755)
            one.starter = str(starter)
            made.append(one)
            return one

        yield make
        codes = [one.stop() for one in made if one.running]
        assert set(codes) <= {0}, f"exit codes after SIGTERM: {codes}"


def ask(folder, url, environment=None):
    """As a program whose whole environment is what is published, but for where programs are."""
    script = f'set -a; . "$1"; set +a; curl -sSfo /dev/null "$2"'
    return subprocess.run(
        ["/bin/sh", "-euc", script, "sh", folder / "env", url], capture_output=True, text=True, timeout=LIMIT,
        env={"PATH": os.environ["PATH"], **(environment or {})},
    )  # fmt: skip


def test_everything_is_there_before_the_proxy_is_ready(make, folder, world):
    # Of the proxy's own surroundings nothing is told.
    own = {"NODE_OPTIONS": "--title=x", "SSL_CERT_FILE": "/x.pem", "NO_PROXY": "x.example", "ALL_PROXY": NOWHERE}
    paraph = make().start(environment=own)
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == dict.fromkeys(FILES, 0o644)
    assert (folder / "authority.pem").read_text() == paraph.ca.read_text()
    assert (folder / "roots.pem").read_text().endswith(paraph.ca.read_text())
    everything = b"".join(path.read_bytes() for path in folder.iterdir())
    assert b"PRIVATE KEY" not in everything and b"x.example" not in everything and b"--title" not in everything
    told = (folder / "env").read_text()
    assert f"HTTPS_PROXY=http://{paraph.proxy}\n" in told and f"SSL_CERT_FILE={folder}/roots.pem\n" in told

    need("curl", ["curl"])
    path = world.provider.route(lambda call: call.answer())
    done = ask(folder, f"{world.URL}{path}")
    assert done.returncode == 0, done.stderr
    assert verified(world, path) == 1


def test_a_renewed_ca_is_published_with_the_reload(make, folder, world):
    paraph = make().start()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    stamps = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    paraph.reload()
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == stamps, "nothing had changed"
    assert paraph.command("ca", "renew", "--new-key")[0] == 0
    assert paraph.administer("POST", "/reload").status in (200, 204)
    changed = {path.name for path in folder.iterdir() if path.read_bytes() != before.get(path.name)}
    assert changed == {"authority.pem", "roots.pem", "truststore.p12"}
    assert (folder / "authority.pem").read_text() == paraph.ca.read_text()
    path = world.provider.route(lambda call: call.answer())
    assert ask(folder, f"{world.URL}{path}").returncode == 0
    assert verified(world, path) == 1


def test_a_client_is_named_and_its_password_is_not(make, folder, world):
    password = world.password()
    access = {"clients": [{"name": "reports", "password": password}]}
    paraph = make("--client", "reports", access=access).start()
    assert password not in (folder / "env").read_text()
    path = world.provider.route(lambda call: call.answer())
    done = ask(folder, f"{world.URL}{path}", {"PARAPH_CLIENT_PASSWORD": password})
    assert done.returncode == 0, done.stderr
    assert verified(world, path) == 1
    # By then nobody of that name is there: the variables would be wrong.
    names = (folder / "env").stat().st_mtime_ns
    clients = [{"name": "billing", "password": password}]
    paraph.reconfigure(world.configuration(listen=paraph.configuration["listen"], access={"clients": clients}))
    answer = paraph.administer("POST", "/reload")
    assert answer.status == 422 and 'no "reports"' in answer.json["detail"]
    assert (folder / "env").stat().st_mtime_ns == names
    assert ask(folder, f"{world.URL}{path}", {"PARAPH_CLIENT_PASSWORD": password}).returncode == 0


@pytest.mark.parametrize(
    "whole, code, reason",
    [
        ({"listen": {"proxy": "127.0.0.1:0", "admin": "off"}}, 65, "Give it a port"),
        ({"access": {"clients": [{"name": "reports", "password": "a password of a test"}]}}, 64, "--client NAME"),
    ],
)
def test_what_cannot_be_told_is_said_at_the_start(make, folder, whole, code, reason):
    paraph = make(**whole).start(wait=False)
    assert paraph.wait() == code
    assert "nothing can be published" in paraph.log() and reason in paraph.log()
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_there_is_named(make, folder):
    paraph = make(publish=folder / "gone").start(wait=False)
    assert paraph.wait() == 65
    assert f"{folder}/gone/" in paraph.log() and "cannot be written" in paraph.log()


def test_a_client_is_for_what_is_published(make):
    paraph = make()
    code, said = paraph.command("run", "--client", "reports")
    assert code == 64 and "--publish" in said


def test_what_stands_there_is_neither_waited_for_nor_kept(make, folder):
    """Others may have written into what they share: a FIFO without a writer, a file without an end."""
    os.mkfifo(folder / "env")
    (folder / "roots.pem").symlink_to("/dev/zero")
    paraph = make().start()
    assert {path.name: stat.S_IMODE(path.lstat().st_mode) for path in folder.iterdir()} == dict.fromkeys(FILES, 0o644)
    (folder / "env").unlink()
    os.mkfifo(folder / "env")
    paraph.reload()
    assert (folder / "env").is_file()
