"""`paraph doctor`: what works on this machine, and the lines that fix the rest."""

import json
import os
import re
import shutil
import socket
import subprocess

import pytest

from conftest import binary
from harness.applications import KNOWN_SECRETS
from harness.paraph import yaml
from harness.programs import only
from harness.waiting import LIMIT

PROGRAMS = ["curl", "wget", "git", "python3", "node", "npm", "java", "go", "ruby", "php"]
ROW = re.compile(r"^(\S.*?)  +(ok|note|FAILS|-)  +(.*)$")


def environment(**more):
    said = ("CERT", "CA_BUNDLE", "CAINFO", "proxy", "PROXY", "JAVA_TOOL", "NODE_", "WGETRC", "PHP_INI", "PARAPH")
    return {**{n: v for n, v in os.environ.items() if not any(s in n for s in said)}, **more}


def write(folder, configuration):
    file = folder / "paraph.yaml"
    file.write_text(yaml({"state": "state", **configuration}) + "\n")
    return file


def doctor(file, *options, env=None, code=0):
    """The rows of its table: subject, verdict, words; and the remedies of each."""
    done = subprocess.run(
        [binary(), "doctor", "--config", str(file), *options],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=env or environment(),
        stdin=subprocess.DEVNULL,
    )
    assert not KNOWN_SECRETS.found_in(done.stdout + done.stderr)
    assert done.returncode == code, done.stdout + done.stderr
    rows = []
    for line in done.stdout.splitlines():
        if found := ROW.match(line):
            rows.append({"subject": found[1], "verdict": found[2], "words": found[3], "fix": []})
        elif "fix: " in line:
            rows[-1]["fix"].append(line.split("fix: ")[1])
        elif rows:
            rows[-1]["words"] += "\n" + line.strip()
    return rows


def of(rows, subject):
    return [row for row in rows if row["subject"] == subject or row["subject"].split(" ")[0] == subject]


def words_of(rows):
    return [(row["subject"], row["verdict"], row["words"]) for row in rows]


@pytest.fixture
def path(world, provider):
    return provider.route(lambda call: call.answer())


@pytest.fixture(scope="module")
def with_every_client(tmp_path_factory, world, provider):
    """What a doctor says who has every client of the machine make a request: file, path of the requests, rows."""
    file = tmp_path_factory.mktemp("doctor") / "paraph.yaml"
    path = provider.route(lambda call: call.answer())
    # Nobody listens there: they are bound, so that nobody else gets them.
    with socket.socket() as proxy, socket.socket() as admin:
        for held in (proxy, admin):
            held.bind(("127.0.0.1", 0))
        ports = {"proxy": proxy.getsockname()[1], "admin": admin.getsockname()[1]}
        listen = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
        write(file.parent, world.configuration(listen=listen))
        return file, path, doctor(file, "--url", f"https://{world.HOST}{path}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_client_makes_a_request(with_every_client, name):
    if not shutil.which(name):
        pytest.skip(f"there is no {name} on this machine")
    (row,) = of(with_every_client[2], name)
    if name == "php" and "extension curl" in row["words"]:
        pytest.skip("this machine's php lacks the extension curl")
    assert (row["verdict"], row["words"]) == ("ok", "through paraph exec: 200"), row


def test_every_request_is_signed(with_every_client, provider):
    file, path, rows = with_every_client
    # Git asks for what belongs to a repository at that address.
    asked = provider.requests_for(path) + provider.requests_for(f"{path}/info/refs")
    assert len(asked) >= len([row for row in rows if row["words"] == "through paraph exec: 200"]) > 0
    assert [record.refused for record in asked] == [None] * len(asked)
    assert {record.verdict.token.user for record in asked} == {"default"}
    assert of(rows, "proxy")[0]["fix"] == [f"paraph run --config {file}"]
    assert of(rows, "this shell")[0]["verdict"] == "note"
    assert of(rows, "clock")[0]["verdict"] == "ok", words_of(rows)


def test_another_account_signs(tmp_path, world, provider, path):
    file = write(tmp_path, world.configuration(listen={"proxy": "127.0.0.1:0", "admin": "off"}))
    mine = environment(PATH=only(tmp_path, "curl", "python3"))
    doctor(file, "--url", f"https://{world.HOST}{path}", "--account", "alice", env=mine)
    assert {record.verdict.token.user for record in provider.requests_for(path)} == {"alice"}


def test_a_secret_that_the_provider_refuses_is_told_once(tmp_path, world, path):
    configuration = world.configuration(listen={"proxy": "127.0.0.1:0", "admin": "off"})
    configuration["apis"]["main"]["accounts"]["default"]["token_secret"] = world.password()
    file = write(tmp_path, configuration)
    mine = environment(PATH=only(tmp_path, "curl", "python3"))
    rows = doctor(file, "--url", f"https://{world.HOST}{path}", env=mine, code=1)
    (told,) = [row for row in rows if row["verdict"] == "FAILS"]
    assert told["subject"] == "account" and "apis.main.accounts.default: " in told["words"], told
    assert "ignature" in told["words"], told
    words = "through paraph exec: 401, for the provider refuses the account"
    assert [row["words"] for client in ("curl", "python3") for row in of(rows, client)] == [words] * 2
    assert all(row["verdict"] == "ok" for client in ("curl", "python3") for row in of(rows, client))


def test_findings_as_json(tmp_path, world, path):
    file = write(tmp_path, world.configuration(listen={"proxy": "127.0.0.1:0", "admin": "off"}))
    words = [binary(), "doctor", "--json", "--config", str(file), "--url", f"https://{world.HOST}{path}"]
    mine = environment(PATH=only(tmp_path, "curl"))
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, env=mine)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and done.stderr == "", done
    assert all(set(one) == {"subject", "verdict", "message", "remedies"} for one in told), told
    assert told[0]["subject"] == "configuration" and told[-1]["subject"].startswith("curl "), told
    assert {one["verdict"] for one in told} <= {"ok", "note", "left_out"}, told


@pytest.fixture(scope="module")
def in_a_shell(launch_for_session, world):
    """A running proxy, and the environment of a shell that took what `paraph env` says."""
    paraph = launch_for_session(world.configuration())
    paraph.name_ports()
    told = subprocess.run(
        [binary(), "env", "--config", str(paraph.file), "--shell", "dotenv"],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    said = dict(line.split("=", 1) for line in told.stdout.splitlines() if "=" in line)
    return paraph, environment(**{name: value.strip("'\"") for name, value in said.items()})


@pytest.fixture(scope="module")
def rows_of_this_shell(in_a_shell, world, provider):
    paraph, shell = in_a_shell
    path = provider.route(lambda call: call.answer())
    rows = doctor(paraph.file, "--url", f"https://{world.HOST}{path}", env=shell)
    assert not [record for record in provider.requests_for(path) if record.refused]
    return rows


def test_this_shell(rows_of_this_shell):
    rows = rows_of_this_shell
    assert {row["verdict"] for row in of(rows, "proxy") + of(rows, "admin listener") + of(rows, "this shell")} == {"ok"}


@pytest.mark.parametrize("name", ["curl", "wget", "python3", "node", "java"])
def test_a_client_works_in_this_shell(rows_of_this_shell, name):
    if not shutil.which(name):
        pytest.skip(f"there is no {name} on this machine")
    assert "in this shell: works" in of(rows_of_this_shell, name)[0]["words"]


def test_this_shell_without_what_python_trusts(in_a_shell, world, path, tmp_path):
    paraph, shell = in_a_shell
    url = f"https://{world.HOST}{path}"
    # Nothing else is wrong.
    less = {name: value for name, value in shell.items() if name != "SSL_CERT_FILE"}
    less["PATH"] = only(tmp_path, "curl", "python3")
    rows = doctor(paraph.file, "--url", url, env=less, code=69)
    python = of(rows, "python3")[0]
    assert python["verdict"] == "FAILS" and "certificate" in python["words"].lower()
    assert python["fix"] == [f'eval "$(paraph env --config {paraph.file})"']
    assert of(rows, "curl")[0]["verdict"] == "ok"
    assert not [record for record in world.provider.requests_for(path) if record.refused]


def test_what_is_wrong_is_told_with_the_line_that_mends_it(tmp_path, world, provider):
    seen = len(provider.records)
    pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    other = "sha256/BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    login = {
        "three_legged": {
            "request_token_url": f"{world.URL}/oauth/request_token",
            "authorize_url": f"{world.URL}/oauth/authorize",
            "access_token_url": f"{world.URL}/oauth/access_token",
        }
    }
    apis = {
        "main": world.api(
            accounts={"default": login},
            tls={"pinning": {"mode": "public_key", "pins": [pin, other]}},
        ),
        "lost": world.api(["no-such-host.invalid"], connect_to=False),
    }
    file = write(tmp_path, world.configuration(apis, listen={"proxy": "127.0.0.1:0", "admin": "off"}))
    rows = doctor(file, "--no-requests", code=69)
    config = f"--config {file}"
    failing = [(row["subject"], row["fix"]) for row in rows if row["verdict"] == "FAILS"]
    assert ("account", [f"paraph login main {config}"]) in failing
    assert ("name", ["getent hosts no-such-host.invalid   # then /etc/resolv.conf"]) in failing
    refused = next(row for row in rows if row["verdict"] == "FAILS" and pin in row["words"])
    assert refused["fix"][0].startswith(f"paraph pins {world.HOST}:443 {config} ")
    assert not of(rows, "curl")
    assert len(provider.records) == seen


def test_a_ca_that_does_not_reach_a_host(tmp_path, world):
    listen = {"proxy": "127.0.0.1:0", "admin": "off"}
    file = write(tmp_path, world.configuration({"main": world.api()}, listen=listen))
    doctor(file, "--url", f"https://{world.HOST}/", env=environment(PATH=only(tmp_path, "curl")))
    write(tmp_path, world.configuration({"main": world.api([world.HOST, "new.test.example"])}, listen=listen))
    rows = doctor(file, "--no-requests", code=69)
    (row,) = [row for row in of(rows, "local CA") if row["verdict"] == "FAILS"]
    assert "new.test.example" in row["words"]
    assert row["fix"] == [f"paraph ca renew --config {file}"]
    subprocess.run([binary(), *row["fix"][0].split(" ")[1:]], check=True, capture_output=True)
    assert of(doctor(file, "--no-requests"), "local CA")[0]["verdict"] == "ok"


@pytest.mark.parametrize("url", ["http://api.test.example/", "https://other.example/", "ftp://x", "https://a b/"])
def test_a_url_that_is_no_api_s(tmp_path, world, url):
    file = write(tmp_path, world.configuration(listen={"proxy": "127.0.0.1:0", "admin": "off"}))
    done = subprocess.run(
        [binary(), "doctor", "--config", str(file), "--url", url], capture_output=True, text=True, env=environment()
    )
    assert done.returncode == 64 and "https URL of a configured API" in done.stderr
