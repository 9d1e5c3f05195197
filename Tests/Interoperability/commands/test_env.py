"""`paraph env`: the variables of a proxy that is running, for the shells that read them."""

import os
import re
import shutil
import stat
import subprocess

import pytest

from conftest import binary
from harness.applications import KNOWN_SECRETS
from harness.paraph import Paraph
from harness.session import NOWHERE
from harness.waiting import LIMIT


@pytest.fixture(scope="module")
def paraph(launch_for_session, world):
    """A proxy whose port is in its configuration."""
    made = launch_for_session(world.configuration())
    made.name_ports()
    return made


def environment(**more):
    said = ("CERT", "CA_BUNDLE", "CAINFO", "proxy", "PROXY", "JAVA_TOOL", "NODE_", "WGETRC", "PHP_INI", "PARAPH")
    return {**{n: v for n, v in os.environ.items() if not any(s in n for s in said)}, **more}


def env(paraph, *options, **more):
    done = subprocess.run(
        [paraph.binary, "env", "--config", str(paraph.file), *options],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=environment(**more),
    )
    assert not KNOWN_SECRETS.found_in(done.stdout + done.stderr)
    return done


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, env=environment(**more))


FETCH = "fetch(process.argv[1]).then((answer) => process.exit(answer.status - 200))"
PROGRAMS = {
    "curl": "curl -sSf",
    "wget": "wget -qO-",
    "python3": 'python3 -c "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).status)"',
    "node": f"node -e '{FETCH}'",
}


@pytest.fixture
def program(request):
    """The beginning of a command that ends with a URL."""
    if not shutil.which(request.param):
        pytest.skip(f"there is no {request.param} on this machine")
    return PROGRAMS[request.param]


@pytest.mark.parametrize("program", ["curl", "wget", "python3"], indirect=True)
def test_a_shell(paraph, world, provider, program):
    path = provider.route(lambda call: call.answer())
    load = f'eval "$({paraph.binary} env --config {paraph.file})"'
    ask = f"{load} && {program} https://{world.HOST}{path}"
    # A second time too, as when it stands in a profile; and a program of another proxy.
    done = run(["sh", "-c", f"{ask} && {ask} && env"], ALL_PROXY=NOWHERE, HTTPS_PROXY=NOWHERE)
    assert done.returncode == 0, done
    assert [r.refused for r in provider.requests_for(path)] == [None] * 2
    assert NOWHERE not in done.stdout
    # Nothing is added twice.
    for name in ("JAVA_TOOL_OPTIONS", "NODE_OPTIONS", "PHP_INI_SCAN_DIR"):
        (value,) = re.findall(rf"(?m)^{name}=(.*)$", done.stdout)
        words = re.split(r"[ :]", value)
        assert len(words) == len(set(words)), value


def test_fish(paraph, world, provider):
    if not shutil.which("fish"):
        pytest.skip("there is no fish on this machine")
    path = provider.route(lambda call: call.answer())
    command = f"{paraph.binary} env --config {paraph.file} --shell fish | source; curl -sSf {world.URL}{path}"
    done = run(["fish", "--no-config", "-c", command], all_proxy=NOWHERE)
    assert done.returncode == 0, done
    assert [r.refused for r in provider.requests_for(path)] == [None]


def test_dotenv(paraph, world, provider, tmp_path):
    path = provider.route(lambda call: call.answer())
    done = env(paraph, "--shell", "dotenv", NODE_OPTIONS="--title='a $b'", all_proxy=NOWHERE)
    # What is in single quotes is as it stands, to a shell too.
    file = tmp_path / ".env"
    file.write_text(done.stdout)
    script = f"set -a; . {file}; curl -sSfo /dev/null {world.URL}{path}"
    script += '; echo "$NODE_OPTIONS"; echo "$JAVA_TOOL_OPTIONS"'
    said = run(["sh", "-c", script]).stdout.splitlines()
    assert said[0].startswith("--title='a $b' --require=") and " -Dhttps.proxyPort=" in said[1]
    assert "all_proxy=" in done.stdout.splitlines()
    assert [r.refused for r in provider.requests_for(path)] == [None]


def test_powershell_lines(paraph):
    """There is none on most machines of this kind: its quoting is a table in the tests of the code."""
    lines = env(paraph, "--shell", "powershell", ALL_PROXY=NOWHERE).stdout.splitlines()
    assert lines[0] == "Remove-Item Env:ALL_PROXY -ErrorAction SilentlyContinue"
    assert all(re.fullmatch(r"\$env:\w+ = '[^']*'", line) for line in lines[1:])


def test_the_files_are_in_the_state_directory(paraph):
    assert env(paraph).returncode == 0
    folder = paraph.folder / "state" / "clients"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    # A wgetrc may hold a password of its user's.
    assert modes.pop("wgetrc") == 0o600 and set(modes.values()) == {0o644}
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert env(paraph).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    (folder / "roots.pem").write_text("")
    assert env(paraph).returncode == 0
    assert paraph.ca.read_text() in (folder / "roots.pem").read_text()
    assert len((folder / "roots.pem").read_text()) > 50000


def test_a_port_that_changes_cannot_be_told(launch, world):
    done = env(launch(world.configuration()))
    assert (done.returncode, done.stdout) == (65, "") and "paraph exec" in done.stderr


def test_before_the_first_start_there_is_no_ca(world, closed_port, tmp_path):
    configuration = world.configuration(listen={"proxy": f"127.0.0.1:{closed_port}", "admin": "off"})
    done = env(Paraph(binary(), tmp_path / "paraph", configuration))
    assert (done.returncode, done.stdout) == (65, "") and "paraph run" in done.stderr


@pytest.mark.parametrize("program", ["curl", "python3", "node"], indirect=True)
def test_a_password_is_not_printed(launch, world, provider, program):
    password = world.password() + "@/%"
    clients = [{"name": "a b", "password": password}, {"name": "reports", "password": world.password()}]
    paraph = launch(world.configuration(access={"clients": clients}))
    paraph.name_ports()
    for options in ((), ("--client", "nobody")):
        done = env(paraph, *options)
        assert (done.returncode, done.stdout) == (64, "") and "reports" in done.stderr
    path = provider.route(lambda call: call.answer())
    load = f'eval "$({paraph.binary} env --config {paraph.file} --client "a b")"'
    command = f"{load} && {program} {world.URL}{path}"
    quoted = password.replace("%", "%25").replace("@", "%40").replace("/", "%2F")
    done = run(["sh", "-c", command], PARAPH_CLIENT_PASSWORD=quoted)
    assert done.returncode == 0, done
    records = provider.requests_for(path)
    assert [r.refused for r in records] == [None]
    done = run(["sh", "-c", command])
    assert done.returncode != 0 and "PARAPH_CLIENT_PASSWORD" in done.stderr


def test_clients_that_are_not_configured(paraph):
    done = env(paraph, "--client", "reports")
    assert (done.returncode, done.stdout) == (64, "")
