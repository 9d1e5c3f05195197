"""`paraph pins`: what it prints can be pasted and works, what it tests is what is there, and no request is sent."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from conftest import binary
from harness.certificates import certificate_pin, pem, public_key_pin
from harness.paraph import Paraph, yaml
from harness.raw import ask
from harness.waiting import LIMIT, wait_until

PIN = re.compile(r"^ *- (sha256/[A-Za-z0-9+/]{43}=)", re.MULTILINE)
UNUSED = "sha256/" + "A" * 42 + "8="


class Host:
    """A server of its own for each test, so that what reaches it can be counted."""

    def __init__(self, provider, chain):
        self.listener = provider.listen(chain)
        self.name = f"localhost:{self.listener.port}"
        self.chain = chain

    def untouched(self):
        return (self.listener.byte_count, self.listener.requests) == (0, 0)


@pytest.fixture
def server(provider, certificates):
    made = Host(provider, certificates.good)
    yield made
    assert made.untouched(), "a request, or a part of one, reached the server"


@pytest.fixture
def pins(tmp_path):
    """Runs the command in a folder of its own."""

    def run(*arguments):
        return subprocess.run(
            [binary(), "pins", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=Paraph.environment(),
            timeout=LIMIT,
        )

    return run


@pytest.fixture
def written(tmp_path):
    """Writes a configuration with one API and gives its path."""

    def write(entry, **more):
        file = tmp_path / "written.yaml"
        file.write_text(yaml({**Paraph.DEFAULTS, "apis": {"main": entry}, **more}) + "\n")
        return file

    return write


def api(server, certificates, **tls):
    return {
        "hosts": [server.name],
        "bearer": {},
        "accounts": {"default": {"token": "t"}},
        "tls": {"trust": [str(certificates.root_file)], **tls},
    }


def pinned(*pins, **more):
    return {"pinning": {"mode": "public_key", "pins": list(pins), **more}}


def openssl_pins(certificate, folder):
    """(public key, certificate) as OpenSSL computes them."""
    file = Path(folder) / "one.pem"
    file.write_bytes(pem(certificate))
    digest = "openssl dgst -sha256 -binary | base64"
    quoted = shlex.quote(str(file))
    lines = (
        f"openssl x509 -in {quoted} -noout -pubkey | openssl pkey -pubin -outform der | {digest}",
        f"openssl x509 -in {quoted} -outform der | {digest}",
    )
    return ["sha256/" + subprocess.check_output(line, shell=True, text=True).strip() for line in lines]


@pytest.mark.parametrize("mode", ["public_key", "certificate"])
@pytest.mark.parametrize("position", ["root", "leaf"])
def test_what_is_printed_can_be_pasted_and_works(
    pins, launch, world, provider, certificates, mode, position, tmp_path
):
    server = Host(provider, certificates.good)
    found = pins(server.name, "--trust", certificates.root_file, "--mode", mode, "--pin", position)
    assert found.returncode == 0, found.stderr
    assert server.untouched()
    chain = [certificates.good.leaf, certificates.intermediate.certificate, certificates.root.certificate]
    for certificate, role in zip(chain, ["leaf", "intermediate", "root (trusted, not presented)"]):
        heading = found.stdout.index(f"# {role}: \"{certificate.subject.rfc4514_string()}\"")
        described = found.stdout[heading:].split("\n# ")[1:4]
        key, whole = openssl_pins(certificate, tmp_path)
        assert (key, whole) == (public_key_pin(certificate), certificate_pin(certificate))
        text = found.stdout[heading : heading + 600]
        assert key in text and whole in text and described[0].strip().startswith("valid from")
        assert certificate.not_valid_after_utc.strftime("%Y-%m-%dT%H:%M:%SZ") in text
    entry = world.api([server.name], connect_to=False)
    del entry["tls"]
    whole = yaml({**Paraph.DEFAULTS, "access": {"connect_ports": [443]}, "apis": {"main": entry}})
    paraph = launch(whole + "\n" + found.stdout)
    ask(paraph, f"https://{server.name}/x").verified()
    assert mode in found.stdout and str(certificates.root_file) in found.stdout


def test_where_there_is_no_backup_it_is_said_how_to_come_by_one(pins, server, certificates):
    alone = pins(server.name, "--trust", certificates.root_file)
    assert "NO BACKUP" in alone.stdout and "reserve" in alone.stdout
    listed = PIN.findall(alone.stdout)
    assert listed == [public_key_pin(c.certificate) for c in (certificates.root, certificates.intermediate)]


def test_the_way_is_taken_from_the_configuration(pins, written, server, certificates):
    file = written({**api(server, certificates), "hosts": ["api.test.example"], "connect_to": server.name})
    found = pins("api.test.example", "--config", file)
    assert found.returncode == 0, found.stderr
    assert "apis.main" in found.stdout
    assert "trust:" not in found.stdout, "the configuration has it already"
    assert found.stdout.index("tls:") > found.stdout.index("# Under apis.main")
    elsewhere = pins("api.test.example", "--connect-to", server.name, "--trust", certificates.root_file)
    assert elsewhere.returncode == 0, elsewhere.stderr


@pytest.mark.parametrize(
    "chain, words",
    [
        ("untrusted", ["not among the trusted roots", "--trust", "impostor"]),
        ("incomplete", ["neither among the certificates presented", "--trust"]),
        ("expired", ["expired on", "clock"]),
        ("not_yet_valid", ["not valid before", "clock"]),
        ("wrong_host", ["elsewhere.example", "--connect-to"]),
    ],
)
def test_a_chain_that_is_not_valid_is_told_and_not_pinned(pins, provider, certificates, chain, words):
    server = Host(provider, getattr(certificates, chain))
    found = pins(server.name, "--trust", certificates.root_file)
    assert found.returncode == 77
    assert found.stdout == "", "nothing to paste"
    for word in words:
        assert word in found.stderr
    for certificate in server.chain.certificates:
        assert public_key_pin(certificate) in found.stderr and certificate_pin(certificate) in found.stderr
    assert server.untouched()


def test_a_server_that_cannot_be_reached(pins, closed_port, written, server, certificates):
    found = pins(f"127.0.0.1:{closed_port}")
    assert (found.returncode, found.stdout) == (69, "")
    assert f"127.0.0.1:{closed_port}" in found.stderr
    file = written({**api(server, certificates), "connect_to": f"127.0.0.1:{closed_port}"})
    checked = pins("--check", "--config", file)
    assert checked.returncode == 69
    assert checked.stdout.startswith("unreachable: ")


def policies(c):
    """title → (policy, exit code, beginning of the line)."""
    leaf = public_key_pin(c.good.leaf)
    root = public_key_pin(c.root.certificate)
    other = public_key_pin(c.expired.leaf)
    return {
        "pins that match": (pinned(leaf, UNUSED), 0, "ok: "),
        "pins that miss": (pinned(other, UNUSED), 77, "refused: "),
        "pins that miss, in report mode": (pinned(other, on_failure="report"), 77, "refused: "),
        "pins in the wrong place": (pinned(leaf, UNUSED, applies_to="root"), 77, "refused: "),
        "expired pins": (pinned(other, UNUSED, expires="2020-01-01", on_expiry="report"), 77, "refused: "),
        "pins without a backup": (pinned(leaf, root), 0, "no backup: "),
        "no pins": ({}, 0, "not pinned: "),
        "pins off on purpose": ({"pinning": {"mode": "none"}}, 0, "not pinned: "),
        "no pins, and another root": ({"trust": [str(c.folder / "stranger.pem")]}, 77, "refused: "),
    }


TITLES = [
    "pins that match",
    "pins that miss",
    "pins that miss, in report mode",
    "pins in the wrong place",
    "expired pins",
    "pins without a backup",
    "no pins",
    "pins off on purpose",
    "no pins, and another root",
]


@pytest.mark.parametrize("title", TITLES)
def test_check_says_of_each_server_whether_its_pins_match(pins, written, server, certificates, title):
    (certificates.folder / "stranger.pem").write_bytes(pem(certificates.stranger.certificate))
    policy, code, beginning = policies(certificates)[title]
    file = written(api(server, certificates, **policy))
    for arguments in ([], [server.name]):
        found = pins("--check", *arguments, "--config", file)
        assert found.returncode == code, found.stdout + found.stderr
        assert found.stdout.startswith(f"{beginning}{server.name} (apis.main)")
        if code == 77:
            assert public_key_pin(certificates.good.leaf) in found.stdout
            for pin in policy.get("pinning", {}).get("pins", []):
                assert pin in found.stdout


def test_check_goes_through_every_host(pins, written, provider, server, certificates, closed_port):
    second = Host(provider, certificates.good)
    leaf = public_key_pin(certificates.good.leaf)
    entry = api(
        server,
        certificates,
        pinning=[
            {"hosts": [server.name], **pinned(leaf, UNUSED)["pinning"]},
            {"hosts": [second.name], **pinned(public_key_pin(certificates.expired.leaf), UNUSED)["pinning"]},
            {"hosts": ["*.test.example", f"127.0.0.1:{closed_port}"], "mode": "none"},
        ],
    )
    entry["hosts"] = [server.name, second.name, "*.test.example", f"127.0.0.1:{closed_port}"]
    file = written(entry)
    found = pins("--check", "--config", file)
    assert found.returncode == 77
    lines = [line for line in found.stdout.splitlines() if not line.startswith(" ")]
    assert [line.split(":")[0] for line in lines] == ["ok", "refused", "left out", "unreachable"]
    assert pins("--check", server.name, "--config", file).returncode == 0
    assert second.untouched()
    for stranger in ("elsewhere.example", f"{server.name}1"):
        missing = pins("--check", stranger, "--config", file)
        assert missing.returncode in (64, 65) and missing.stdout == ""


def test_both_go_through_another_proxy(pins, launch, world, written, server, certificates):
    """The other proxy is one of our own that tunnels, and that alone may connect."""
    other = {"other": world.api(["other.test.example"])}
    hop = launch(world.configuration(other, {"connect_ports": [server.listener.port]}))
    address = hop.addresses["proxy"]
    before = len(hop.lines)
    found = pins(server.name, "--trust", certificates.root_file, "--upstream-proxy", f"http://{address}")
    assert found.returncode == 0, found.stderr
    assert f"http://{address}" in found.stdout
    leaf = public_key_pin(certificates.good.leaf)
    file = written(api(server, certificates, **pinned(leaf, UNUSED)), upstream_proxy=f"http://{address}")
    checked = pins("--check", "--config", file)
    assert (checked.returncode, checked.stdout[:4]) == (0, "ok: "), checked.stdout + checked.stderr
    ended = ('"message":"request",', server.name)
    wait_until(lambda: sum(all(part in line for part in ended) for line in hop.lines[before:]) == 2, "both tunnels' ends")
    refused = launch(world.configuration(other, {"other_hosts": "refuse"}))
    closed = pins("--check", "--config", file, "--upstream-proxy", f"http://{refused.addresses['proxy']}")
    assert closed.returncode == 69 and "403" in closed.stdout
    assert pins("--check", "--config", file, "--upstream-proxy", "off").returncode == 0


def test_credentials_do_not_belong_on_the_command_line(pins, server):
    found = pins(server.name, "--upstream-proxy", "http://user:very-secret@127.0.0.1:1")
    assert found.returncode == 64
    assert "very-secret" not in found.stdout + found.stderr


def test_a_configuration_with_mistakes_is_left_aside_unless_it_was_named(pins, server, certificates, tmp_path):
    (tmp_path / "paraph.yaml").write_text("apis: {main: {hots: []}}\n")
    found = pins(server.name, "--trust", certificates.root_file)
    assert found.returncode == 0 and "paraph check" in found.stderr
    assert pins(server.name, "--config", "paraph.yaml").returncode == 65
    assert pins("--check").returncode == 65


@pytest.mark.parametrize("arguments", [[], ["--check", "--trust", "x.pem"], ["a b"], ["localhost:0"], ["--pin", "any"]])
def test_what_cannot_be_meant_is_a_mistake_of_usage(pins, arguments):
    assert pins(*arguments).returncode == 64
