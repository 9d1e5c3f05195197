"""The proxy at a Unix domain socket: the clients of docs/unix-socket.md, its file, and what other commands say of it."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from harness.service_manager import pass_sockets
from harness.waiting import LIMIT

PAGE = Path(__file__).parents[3] / "docs" / "unix-socket.md"


def example(language):
    """The only block of that language, as it stands in the page."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(found) == 1
    return found[0]


@pytest.fixture
def folder(tmp_path_factory):
    """A short path: the kernel takes 107 bytes for a socket's."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture
def place(folder):
    return folder / "run" / "proxy.sock"


def listening(world, place, **more):
    listen = {"proxy": {"address": f"unix:{place}"}, "admin": "127.0.0.1:0"}
    return world.configuration({"main": world.api()}, listen=listen, **more)


@pytest.fixture
def paraph(launch, world, place):
    return launch(listening(world, place))


def replaced(text, world, place):
    """An example of the page for this socket, and an API of the tests."""
    assert "/run/paraph/proxy.sock" in text and "api.twitter.com" in text
    return text.replace("/run/paraph/proxy.sock", str(place)).replace("api.twitter.com", world.HOST)


def said(*command, **environment):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=10 * LIMIT, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_curl_as_the_page_shows_it(paraph, world, place):
    assert paraph.addresses["proxy"] == f"unix:{place}"
    assert '"verified"' in said("sh", "-c", replaced(example("sh"), world, place))


def test_python_as_the_page_shows_it(paraph, world, place):
    assert '"verified"' in said(sys.executable, "-c", replaced(example("python"), world, place))


@pytest.mark.skipif(not shutil.which("go"), reason="there is no Go")
def test_go_as_the_page_shows_it(paraph, world, place, folder):
    (folder / "main.go").write_text(replaced(example("go"), world, place))
    output = said("go", "run", str(folder / "main.go"), SSL_CERT_FILE=str(paraph.ca), GOFLAGS="-mod=mod")
    assert '"verified"' in output


def test_the_socket_is_its_owners_and_goes_with_the_proxy(paraph, place):
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700
    assert paraph.stop() == 0
    assert not place.exists()


def test_a_killed_proxys_socket_is_replaced(paraph, world, place):
    paraph.kill()
    assert place.exists()
    paraph.start()
    assert '"verified"' in said("sh", "-c", replaced(example("sh"), world, place))


def test_nothing_else_is_replaced(paraph, launch, world, place):
    second = launch(listening(world, place), wait=False)
    assert second.wait() != 0
    assert "another process listens there" in second.log() and f"unix:{place}" in second.log()
    assert f"process {paraph.process.pid} (" in second.log()
    assert '"verified"' in said("sh", "-c", replaced(example("sh"), world, place))
    file = place.with_name("file")
    file.write_text("kept")
    third = launch(listening(world, file), wait=False)
    assert third.wait() != 0
    assert "no socket" in third.log() and file.read_text() == "kept"


def test_a_service_manager_may_have_made_it(paraph, world, place):
    """It has the rights that it was given, and stays when the proxy stops."""
    assert paraph.stop() == 0
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(place))
        place.chmod(0o660)
        made.listen()
        paraph.start(**pass_sockets(paraph, [made]))
        assert '"verified"' in said("sh", "-c", replaced(example("sh"), world, place))
        assert place.stat().st_mode & 0o777 == 0o660
        assert paraph.stop() == 0
        assert place.exists()


def test_a_reload_moves_it(paraph, world, place):
    other = place.with_name("other.sock")
    paraph.reload(listening(world, other))
    assert other.exists() and not place.exists()
    assert '"verified"' in said("sh", "-c", replaced(example("sh"), world, other))


def test_commands_know_it(paraph, place):
    listen = {**paraph.configuration["listen"], "admin": paraph.addresses["admin"]}
    paraph.reconfigure({**paraph.configuration, "listen": listen})
    code, text = paraph.command("check")
    assert code == 0 and f"proxy on unix:{place}" in text
    code, text = paraph.command("status")
    assert code == 0 and f"unix:{place}" in text
    code, text = paraph.command("doctor")
    assert f"listens on unix:{place}" in text
    code, text = paraph.command("env")
    assert code == 65 and f"the Unix domain socket {place}, which no variable can name" in text


def test_the_log_names_it(paraph, world, place):
    said("sh", "-c", replaced(example("sh"), world, place))
    (line,) = paraph.told('"request received"')
    assert '"address":"unix"' in line
