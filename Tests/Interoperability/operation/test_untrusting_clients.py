"""Clients that do not trust the local CA: each says so in the way of its TLS library, and the log says it in words."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys

import pytest

from harness import java
from harness.paraph import Paraph
from harness.waiting import LIMIT, wait_until

SURE = "a client broke off the TLS handshake: it does not trust the local CA"
PROBABLE = "a client broke off the TLS handshake: it probably does not trust the local CA"
NODE = """
import http from 'node:http';
import tls from 'node:tls';
const [host, proxy] = process.argv.slice(1);
const [name, port] = proxy.split(':');
const connect = http.request({ host: name, port, method: 'CONNECT', path: `${host}:443`, headers: { Host: `${host}:443` } });
connect.on('connect', (response, socket) => {
  tls.connect({ socket, servername: host }).on('error', () => process.exit(1));
}).end();
"""
PYTHON = "import ssl, sys, urllib.request as u; c = ssl.create_default_context(); {}; u.urlopen(sys.argv[1], context=c)"
PERL = "use LWP::UserAgent; my $u = LWP::UserAgent->new; $u->env_proxy; exit !$u->get(shift)->is_success"
RUBY = "Net::HTTP.start(ARGV[0], 443, *ARGV[1].split(':'), use_ssl: true) {}"
OPENSSL = ["openssl", "s_client", "-verify_return_error", "-proxy", "PROXY", "-connect", "HOST:443", "-servername", "HOST"]
PROGRAMS = {
    "curl": (SURE, ["curl", "-s", "URL"]),
    "curl, TLS 1.2": (SURE, ["curl", "-s", "--tls-max", "1.2", "URL"]),
    "Python": (SURE, [sys.executable, "-c", PYTHON.format("0"), "URL"]),
    "Python, TLS 1.2": (
        SURE,
        [sys.executable, "-c", PYTHON.format("c.maximum_version = ssl.TLSVersion.TLSv1_2"), "URL"],
    ),
    "requests": (SURE, [sys.executable, "-c", "import requests, sys; requests.get(sys.argv[1])", "URL"]),
    "wget": (PROBABLE, ["wget", "-q", "-O-", "--tries=1", "URL"]),
    "git": (PROBABLE, ["git", "ls-remote", "URL"]),
    "node": (PROBABLE, ["node", "--input-type=module", "-e", NODE, "HOST", "PROXY"]),
    "node, TLS 1.2": (PROBABLE, ["node", "--tls-max-v1.2", "--input-type=module", "-e", NODE, "HOST", "PROXY"]),
    "go": (SURE, ["go", "run", "exec.go", "URL"]),
    "java": (PROBABLE, ["java", "URL"]),
    "openssl": (SURE, OPENSSL),
    "openssl, TLS 1.2": (SURE, [*OPENSSL, "-tls1_2"]),
    "perl": (SURE, ["perl", "-e", PERL, "URL"]),
    "php": (SURE, ["php", "-r", "$c = curl_init($argv[1]); exit(curl_exec($c) === false ? 1 : 0);", "URL"]),
    "ruby": (SURE, ["ruby", "-rnet/http", "-e", RUBY, "HOST", "PROXY"]),
}


@pytest.fixture(scope="module")
def paraph(launch_for_session):
    api = {"hosts": ["*.untrusted.test"], "bearer": {}, "accounts": {"default": {"token": "not-used-by-anybody"}}}
    return launch_for_session({"apis": {"main": api}})


def said(paraph, host):
    """The warnings about a host."""
    found = [json.loads(line) for line in paraph.lines if f'"{host}"' in line and '"level":"warning"' in line]
    return [entry for entry in found if entry.get("host") == host]


def words_of(program, host, paraph):
    words = PROGRAMS[program][1]
    if words[0] == "java":
        if not java.available():
            pytest.skip("there is no JDK on this machine")
        name, port = paraph.proxy.split(":")
        words = [*java.command("Exec", f"-Dhttps.proxyHost={name}", f"-Dhttps.proxyPort={port}"), "URL"]
    if not shutil.which(words[0]):
        pytest.skip(f"there is no {words[0]} on this machine")
    if words[0] == "perl" and subprocess.run(["perl", "-MLWP::Protocol::https", "-e1"], capture_output=True).returncode:
        pytest.skip("this machine's perl lacks LWP::Protocol::https")
    if words[0] == "php" and subprocess.run(["php", "-r", "exit(function_exists('curl_init') ? 0 : 1);"]).returncode:
        pytest.skip("this machine's php lacks curl")
    values = {"URL": f"https://{host}/a", "HOST": host, "PROXY": paraph.proxy, "HOST:443": f"{host}:443"}
    return [values.get(word, word) for word in words]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_client_that_does_not_trust_the_ca_is_told_of(paraph, program):
    host = "".join(c for c in program.lower() if c.isalnum()) + ".untrusted.test"
    done = subprocess.run(
        words_of(program, host, paraph),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        cwd=os.path.join(os.path.dirname(__file__), "..", "clients"),
        env={**Paraph.environment(), "https_proxy": paraph.url, "HTTPS_PROXY": paraph.url},
    )
    assert done.returncode, done.stdout
    entry = wait_until(lambda: next(iter(said(paraph, host)), None), "the log to tell of it")
    # Some of them are built with one TLS library here and with another one there.
    assert entry["message"] in {SURE, PROGRAMS[program][0]}
    assert "paraph env" in entry["advice"]


def test_a_client_is_told_of_though_another_one_was_before(paraph):
    host = "shared.untrusted.test"
    name, port = paraph.proxy.split(":")
    for source in ("127.0.0.1", "127.0.0.2", "127.0.0.2"):
        with socket.create_connection((name, int(port)), source_address=(source, 0)) as plain:
            plain.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
            assert plain.recv(1000).startswith(b"HTTP/1.1 200")
            with pytest.raises(ssl.SSLCertVerificationError):
                ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    both = {"127.0.0.1", "127.0.0.2"}
    # Each event loop tells of a client once.
    wait_until(lambda: {entry["address"] for entry in said(paraph, host)} == both, "the log to tell of both")
    count = r'paraph_client_handshake_failures_total\{cause="untrusted"\} (\d+)'
    wait_until(lambda: int(re.search(count, paraph.admin("/metrics")[1].decode())[1]) >= 3, "the counter")


def test_other_ends_are_not_taken_for_that(paraph):
    hosts = ["silent.untrusted.test", "trusting.untrusted.test"]
    for host in hosts:
        with socket.create_connection(paraph.proxy.split(":")) as plain:
            plain.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
            assert plain.recv(1000).startswith(b"HTTP/1.1 200")
            if host == hosts[1]:
                with ssl.create_default_context(cafile=paraph.ca).wrap_socket(plain, server_hostname=host) as secure:
                    secure.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                    assert secure.recv(1000)
    wait_until(lambda: said(paraph, hosts[0]), "the log to tell of the first")
    assert [entry["message"] for entry in said(paraph, hosts[0])] == ["the TLS handshake with a client failed"]
    assert said(paraph, hosts[1]) == []
