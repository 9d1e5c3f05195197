"""The commands around `run`: what a person who sets it up meets first."""

import re
import signal
import subprocess
import threading

import pytest
from cryptography.hazmat.primitives.serialization import PrivateFormat

from conftest import HERE, binary
from harness.applications import Application
from harness.paraph import Paraph, yaml
from harness.raw import ask
from harness.waiting import LIMIT, wait_until

GOOD = """\
listen: {proxy: 127.0.0.1:0, admin: 127.0.0.1:0}
apis:
  main:
    hosts: [api.test.example]
    oauth1:
      consumer_key: key
      consumer_secret: very-secret-indeed
    accounts:
      default: {token: t, token_secret: also-very-secret}
"""
# What to replace by what; the line on which the mistake is; what the message has to name.
MISTAKES = {
    "an unknown key": ("hosts:", "hots:", 4, ["hots", "hosts"]),
    "an unknown key of oauth1": ("consumer_secret:", "consumer_secrt:", 7, ["consumer_secrt", "consumer_secret"]),
    "no YAML": ("apis:", "apis: [", None, []),
    "a list where a map is expected": (
        "accounts:\n      default: {token: t, token_secret: also-very-secret}",
        "accounts: [a]",
        8,
        ["accounts"],
    ),
    "a duration that is none": ("apis:", "timeouts: {connect: soon}\napis:", 2, ["connect"]),
    "a size that is none": ("apis:", "limits: {header: large}\napis:", 2, ["header"]),
    "an unset variable": (
        "consumer_secret: very-secret-indeed",
        "consumer_secret: {env: NO_SUCH_TOKEN_HERE}",
        7,
        ["NO_SUCH_TOKEN_HERE"],
    ),
    "an unreadable file": (
        "consumer_secret: very-secret-indeed",
        "consumer_secret: {file: /no/such/file.txt}",
        7,
        ["/no/such/file.txt"],
    ),
    "an unknown signature method": (
        "consumer_key: key",
        "consumer_key: key\n      signature_method: HMAC-MD5",
        7,
        ["signature_method", "HMAC-SHA1"],
    ),
    "RSA without a key": (
        "consumer_key: key",
        "consumer_key: key\n      signature_method: RSA-SHA1",
        None,
        ["private_key"],
    ),
    "no accounts": (
        "    accounts:\n      default: {token: t, token_secret: also-very-secret}\n",
        "",
        None,
        ["accounts"],
    ),
    "a bad host": ("[api.test.example]", "['a b']", 4, ["hosts[0]", "holds a blank"]),
    "an address that is none": ("proxy: 127.0.0.1:0", "proxy: nonsense", 1, ["listen.proxy"]),
    "everybody may use it": ("proxy: 127.0.0.1:0", "proxy: 0.0.0.0:0", 1, ["clients"]),
    "one pin": (
        "    accounts:",
        f"    tls: {{pinning: {{mode: public_key, pins: ['sha256/{'A' * 43}=']}}}}\n    accounts:",
        8,
        ["pin"],
    ),
    "a pin that is none": (
        "    accounts:",
        "    tls: {pinning: {mode: public_key, pins: [sha256/x, sha256/y]}}\n    accounts:",
        8,
        ["pins[0]", "base64"],
    ),
    "no such root file": (
        "    accounts:",
        "    tls: {trust: [/no/such/root.pem]}\n    accounts:",
        8,
        ["/no/such/root.pem"],
    ),
    "a wrong enumeration": (
        "    accounts:",
        "    signing: {on_existing_authorization: drop}\n    accounts:",
        8,
        ["on_existing_authorization", "replace"],
    ),
}


def run(*arguments, more=(), **options):
    environment = {**Paraph.environment(), **dict(more)}
    return subprocess.run(
        [binary(), *arguments], capture_output=True, text=True, timeout=LIMIT, env=environment, **options
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "paraph.yaml"
    path.write_text(GOOD)
    return path


def test_help():
    done = run("--help")
    assert done.returncode == 0
    for command in ("demo", "run", "check", "explain"):
        assert re.search(rf"^\s+{command}\b", done.stdout, re.M), command
        assert run(command, "--help").returncode == 0
    assert run("no-such-command").returncode == 64


def test_a_good_file(file):
    file.chmod(0o600)
    done = run("check", "--config", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert len((done.stdout + done.stderr).strip().splitlines()) == 1
    assert "very-secret" not in done.stdout + done.stderr


def test_a_good_file_that_others_can_read(file):
    file.chmod(0o644)
    done = run("check", "--online", "--config", str(file))
    assert done.returncode == 0 and "chmod 600" in done.stderr, done.stderr
    assert "does not resolve" in done.stderr, done.stderr
    assert "very-secret" not in done.stdout + done.stderr


@pytest.mark.parametrize("title", MISTAKES)
def test_mistakes_are_found_and_placed(file, title):
    old, new, line, named = MISTAKES[title]
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1))
    for command in ("check", "run"):
        done = run(command, "--config", str(file))
        said = done.stdout + done.stderr
        assert done.returncode == 65, said
        found = re.findall(rf"^{re.escape(str(file))}:(\d+):\d+: (.+)", said, re.M)
        assert found, said
        assert [m for at, m in found if (line is None or int(at) == line) and all(name in m for name in named)], said
        assert "very-secret" not in said
    assert not (file.parent / "state").exists(), "nothing is made for a file that is not good"


def test_every_mistake_is_told_at_once(file):
    file.write_text(GOOD.replace("hosts:", "hots:").replace("token_secret:", "token_sekret:"))
    said = run("check", "--config", str(file))
    assert "hots" in said.stdout + said.stderr and "token_sekret" in said.stdout + said.stderr


def test_a_file_that_is_not_there(tmp_path):
    done = run("check", "--config", str(tmp_path / "none.yaml"))
    assert done.returncode not in (0, 70) and "none.yaml" in done.stdout + done.stderr


def test_where_the_file_is_looked_for(file, tmp_path):
    assert run("check", cwd=tmp_path).returncode == 0
    assert run("check", cwd="/", more={"PARAPH_CONFIG": str(file)}).returncode == 0


def test_the_example_is_good():
    """As it stands, once its variables are set."""
    example = HERE.parent.parent / "config" / "paraph.example.yaml"
    names = set(re.findall(r"\{ *env: *([A-Z0-9_]+) *\}", example.read_text()))
    key = Application(rsa_key=True).private_key[PrivateFormat.PKCS8].decode()
    values = {name: key if name.endswith("PRIVATE_KEY") else "something" for name in names}
    done = run("check", "--config", str(example), more=values)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_configurations_of_this_suite_are_good(paraph):
    done = run("check", "--config", str(paraph.file))
    assert done.returncode == 0, done.stdout + done.stderr


def test_secrets_from_files_and_variables(launch, world, provider, tmp_path, monkeypatch):
    token = world.tokens["alice"]
    (tmp_path / "secret").write_text(token.secret + "\n")
    monkeypatch.setenv("INTEROPERABILITY_SECRET", world.application.secret)
    api = world.api(accounts={"default": {"token": token.value, "token_secret": {"file": str(tmp_path / "secret")}}})
    api["oauth1"]["consumer_secret"] = {"env": "INTEROPERABILITY_SECRET"}
    assert ask(launch(world.configuration({"main": api})), f"{world.URL}/x").verified()["user"] == "alice"


# The demonstration


def test_the_demonstration_once():
    done = run("demo", "--once")
    assert done.returncode == 0, done.stdout + done.stderr
    for word in (
        "base string",
        "https%3A%2F%2F",
        "oauth_signature",
        "x_reverse_auth_parameters",
        "Authorization: OAuth",
        "verified",
    ):
        assert word in done.stdout, word


def test_the_demonstrations_curl_lines_work_when_pasted(tmp_path):
    process = subprocess.Popen(
        [binary(), "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=Paraph.environment(),
        cwd=tmp_path,
    )
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")), daemon=True)
    reader.start()

    def commands():
        """Every curl command; one may go on over lines that end with a backslash."""
        text = re.sub(r"\x1b\[[0-9;]*m", "", "".join(lines)).replace("\\\n", " ")
        return [found.strip() for found in re.findall(r"^[ \t$]*((?:\w+=\S+ +)?curl .*https?://.*)$", text, re.M)]

    try:
        wait_until(lambda: commands() or process.poll() is not None, "the demonstration to print curl lines")
        wait_until(lambda: re.search(r"\^C|Ctrl|ctrl|stop", "".join(lines)), "the demonstration to say how it ends")
        assert commands(), "".join(lines)
        for command in commands():
            done = subprocess.run(
                ["bash", "-c", command], capture_output=True, timeout=LIMIT, env=Paraph.environment(), cwd=tmp_path
            )
            assert done.returncode == 0, (command, done.stderr)
            assert done.stdout, command
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) == 0


def test_yaml_of_the_suite_itself():
    assert (
        yaml({"a": {"b": [1, {"c": "x"}], "d": []}, "e": True})
        == '"a":\n  "b":\n    - 1\n    - "c": "x"\n  "d": []\n"e": true'
    )
