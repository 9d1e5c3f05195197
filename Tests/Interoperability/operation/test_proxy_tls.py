"""TLS to the proxy itself: CONNECT and everything else inside of it, and TLS once more inside of CONNECT."""

import base64
import re
import shutil
import socket
import ssl
import subprocess
import sys

import pytest
import requests
from cryptography.hazmat.primitives import serialization

from harness.certificates import DAY, NOW, pem
from harness.waiting import LIMIT, wait_until


class Scene:
    def __init__(self, world, launch, folder):
        self.world = world
        self.files = folder / "proxy.pem", folder / "proxy.key"
        self.put(world.certificates.other)
        certificate, key = map(str, self.files)
        self.listen = {"address": "127.0.0.1:0", "certificate": certificate, "private_key": key}
        self.password = world.password()
        self.configuration = world.configuration(
            access={
                "clients": [{"name": "billing", "password": self.password}],
                "allowed_networks": ["127.0.0.0/8"],
            },
            listen={"proxy": self.listen, "admin": "127.0.0.1:0"},
        )
        self.paraph = launch(self.configuration)

    def put(self, chain):
        """As a program that renews certificates does: one file after the other."""
        key = chain.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        for file, content in zip(self.files, (b"".join(map(pem, chain.certificates)), key), strict=True):
            fresh = file.with_suffix(".new")
            fresh.touch(0o600)
            fresh.write_bytes(content)
            fresh.replace(file)

    @property
    def url(self):
        return f"https://billing:{self.password}@{self.paraph.proxy}"

    @property
    def root(self):
        return self.world.certificates.root_file

    def curl(self, url, *options, trusted=None):
        command = ["curl", "-sS", "--proxy", self.url, "--proxy-cacert", str(trusted or self.root)]
        command += ["--cacert", str(self.paraph.ca), *options, url]
        return subprocess.run(command, capture_output=True, text=True, env=self.paraph.environment(), timeout=LIMIT)

    def secure(self):
        """A connection to the proxy, over which nothing has been said."""
        context = ssl.create_default_context(cafile=str(self.root))
        context.set_alpn_protocols(["h2", "http/1.1"])
        host, _, port = self.paraph.proxy.rpartition(":")
        return context.wrap_socket(socket.create_connection((host, int(port)), LIMIT), server_hostname="127.0.0.1")


@pytest.fixture
def scene(world, launch, tmp_path):
    return Scene(world, launch, tmp_path)


@pytest.fixture
def curl(scene):
    """Of the scene, where curl knows such proxies."""
    said = shutil.which("curl") and subprocess.run(["curl", "--version"], capture_output=True, text=True).stdout
    if not said or "HTTPS-proxy" not in said:
        pytest.skip("no curl that knows https:// proxies")
    return scene.curl


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_curl_speaks_tls_inside_of_tls(scene, curl, version):
    done = curl(f"{scene.world.URL}/x?a=1", version, "-w", "\n%{http_version}")
    assert done.returncode == 0, done.stderr
    assert '"verified": true' in done.stdout or '"verified":true' in done.stdout, done.stdout
    assert done.stdout.endswith("\n1.1" if version == "--http1.1" else "\n2")


def test_curl_asks_in_absolute_form_and_through_a_blind_tunnel(scene, curl):
    done = curl(f"http://{scene.world.HOST}/x", "--data", "b=2")
    assert done.returncode == 0 and "verified" in done.stdout, done
    done = curl(f"https://{scene.world.other.address}/x", "--cacert", str(scene.root), "-o", "/dev/null", "-w", "%{http_code}")
    assert (done.returncode, done.stdout) == (0, "401"), "the provider says so: nothing is signed on this way"


def test_curl_sends_and_receives_large_bodies(scene, curl, tmp_path):
    body = tmp_path / "body"
    body.write_bytes(bytes(range(256)) * (1 << 14))
    done = curl(
        f"{scene.world.URL}/x", "-X", "PUT", "-T", str(body), "-H", "Content-Type: application/octet-stream"
    )
    assert done.returncode == 0 and str(4 << 20) in done.stdout, done


def test_python_goes_through_it(scene):
    bundle = scene.paraph.folder / "bundle.pem"
    bundle.write_text(scene.root.read_text() + scene.paraph.ca.read_text())
    with requests.Session() as session:
        session.trust_env, session.verify = False, str(bundle)
        session.proxies = {"https": scene.url, "http": scene.url}
        for url in (f"{scene.world.URL}/x", f"http://{scene.world.HOST}/x"):
            answer = session.get(url, timeout=LIMIT)
            assert answer.status_code == 200 and answer.json()["verified"] is True


def test_a_client_that_does_not_wait_for_the_answer_to_connect(scene):
    """The beginning of the inner handshake comes in the same record as CONNECT."""
    host = scene.world.HOST
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context(cafile=str(scene.paraph.ca))
    inner = context.wrap_bio(incoming, outgoing, server_hostname=host)
    with pytest.raises(ssl.SSLWantReadError):
        inner.do_handshake()
    login = base64.b64encode(f"billing:{scene.password}".encode()).decode()
    connect = f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\nProxy-Authorization: Basic {login}\r\n\r\n"
    with scene.secure() as outer:
        outer.sendall(connect.encode() + outgoing.read())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += outer.recv(65536)
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        incoming.write(rest)

        def whenever_readable(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    if sent := outgoing.read():
                        outer.sendall(sent)
                    received = outer.recv(65536)
                    assert received
                    incoming.write(received)

        whenever_readable(inner.do_handshake)
        inner.write(f"GET /x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert whenever_readable(lambda: inner.read(65536)).startswith(b"HTTP/1.1 200 ")


def test_a_wrong_password_is_refused_inside_of_tls(scene):
    with requests.Session() as session:
        session.trust_env, session.verify = False, str(scene.root)
        session.proxies = {"http": f"https://billing:wrong@{scene.paraph.proxy}"}
        assert session.get(f"http://{scene.world.HOST}/x", timeout=LIMIT).status_code == 407


def test_who_does_not_trust_it_is_told_of(scene, curl):
    done = curl(f"{scene.world.URL}/x", trusted=scene.paraph.ca)
    assert done.returncode == 60, done
    said = ("TLS handshake", '"listener":"proxy"')
    wait_until(lambda: [x for x in scene.paraph.lines if all(each in x for each in said)], "the log to say so")


@pytest.mark.parametrize("form", ["absolute-form", "CONNECT"])
def test_clear_text_is_not_answered(scene, form):
    target = f"GET http://{scene.world.HOST}/x" if form == "absolute-form" else f"CONNECT {scene.world.HOST}:443"
    host, _, port = scene.paraph.proxy.rpartition(":")
    with socket.create_connection((host, int(port)), LIMIT) as client:
        client.sendall(f"{target} HTTP/1.1\r\nHost: {scene.world.HOST}\r\n\r\n".encode())
        # An alert of TLS at most.
        received = b""
        try:
            while piece := client.recv(65536):
                received += piece
        except ConnectionResetError:
            pass
        assert not received.startswith(b"HTTP")
    wait_until(lambda: "the peer speaks plain HTTP on this port" in scene.paraph.log(), "the log")


def test_http1_alone_is_agreed_upon_and_a_renewed_certificate_is_taken(scene):
    certificates = scene.world.certificates

    def presented():
        with scene.secure() as connection:
            assert connection.selected_alpn_protocol() == "http/1.1"
            return connection.getpeercert(binary_form=True)

    def der(chain):
        return chain.leaf.public_bytes(serialization.Encoding.DER)

    assert presented() == der(certificates.other)
    with scene.secure() as before:
        scene.put(certificates.good)
        wait_until(lambda: scene.paraph.reloads()["applied"] == 1, "the reload")
        assert presented() == der(certificates.good)
        login = base64.b64encode(f"billing:{scene.password}".encode()).decode()
        target, host = f"http://{scene.world.HOST}/x", scene.world.HOST
        fields = f"Host: {host}\r\nProxy-Authorization: Basic {login}\r\n\r\n"
        before.sendall(f"GET {target} HTTP/1.1\r\n{fields}".encode())
        assert before.recv(65536).startswith(b"HTTP/1.1 200 "), "connections stay"
    # A key that is another certificate's: the one before stays.
    scene.files[1].write_text(scene.files[1].read_text()[:40])
    wait_until(lambda: scene.paraph.reloads()["refused"] == 1, "the reload")
    assert presented() == der(certificates.good)


def test_the_end_of_its_certificate_is_told(scene):
    certificates = scene.world.certificates
    due = certificates.server("due", ["127.0.0.1"], not_before=NOW - 40 * DAY, not_after=NOW + 13 * DAY)
    stages = [("warning", "expires on", due), ("error", "expired on", certificates.expired)]
    for count, (level, words, chain) in enumerate(stages, 1):
        scene.put(chain)
        wait_until(lambda: scene.paraph.reloads()["applied"] == count, "the reload")
        code, said = scene.paraph.command("check")
        assert code == 0 and f"{level}: listen.proxy.certificate {words} " in said, said
        _, said = scene.paraph.command("doctor", "--no-requests")
        verdict = {"warning": "note", "error": "FAILS"}[level]
        assert re.search(rf"{verdict} +\S+ {level}: listen.proxy.certificate {words} ", said), said
        problems = scene.paraph.administer("GET", "/status").json["problems"]
        assert [(one["kind"], one["severity"]) for one in problems] == [("listener_certificate_expires", level)], problems
        lines = scene.paraph.told(f"listen.proxy.certificate {words}")
        assert len(lines) == 1 and level in lines[0].split("listen.proxy")[0], lines


def test_env_names_it_and_doctor_finds_it(scene):
    listen = {**scene.configuration["listen"], "proxy": {**scene.listen, "address": scene.paraph.proxy}}
    scene.paraph.reconfigure({**scene.configuration, "listen": listen})
    code, said = scene.paraph.command("env", "--client", "billing")
    assert code == 0 and f'export https_proxy=https://billing:"$PARAPH_CLIENT_PASSWORD"@{scene.paraph.proxy}' in said, said
    # Neither speaks TLS with a proxy. The comment is the last line: an eval without quotes makes one line of all.
    assert "export JAVA_TOOL_OPTIONS" not in said and "export WGETRC" not in said
    assert "\n# JAVA_TOOL_OPTIONS and WGETRC are not set: " in said, said
    _, said = scene.paraph.command("doctor")
    assert f"listens on {scene.paraph.proxy}" in said, said


NODE = """
const [way, url] = process.argv.slice(1);
if (way === 'fetch') fetch(url).then((answer) => answer.text()).then(console.log);
else require(`node:${url.split(':')[0]}`).get(url, (answer) => answer.pipe(process.stdout));
"""
PYTHON = "import requests, sys; print(requests.get(sys.argv[1]).text)"


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("client", ["curl", "node get", "node fetch", "python"])
@pytest.mark.parametrize("shell", ["sh", "fish"])
def test_clients_get_through_with_what_env_says(scene, client, scheme, shell):
    program, *way = client.split()
    for word in {program, shell} - {"python"}:
        if not shutil.which(word):
            pytest.skip(f"there is no {word} on this machine")
    if program == "curl" and "HTTPS-proxy" not in subprocess.run(["curl", "-V"], capture_output=True, text=True).stdout:
        pytest.skip("no curl that knows https:// proxies")
    words = {
        "curl": ["curl", "-sS", "--proxy-cacert", str(scene.root)],
        "node": ["node", "-e", NODE, *way],
        "python": [sys.executable, "-c", PYTHON],
    }[program]
    listen = {**scene.configuration["listen"], "proxy": {**scene.listen, "address": scene.paraph.proxy}}
    scene.paraph.reconfigure({**scene.configuration, "listen": listen})
    told = f"{scene.paraph.binary} env --config {scene.paraph.file} --client billing --shell {shell}"
    take = f'eval "$({told})"; exec "$@"' if shell == "sh" else f"{told} | source; $argv"
    roots = dict.fromkeys(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"], str(scene.root))
    done = subprocess.run(
        [shell, "-c", take, *(["sh"] if shell == "sh" else []), *words, f"{scheme}://{scene.world.HOST}/x"],
        capture_output=True, text=True, timeout=LIMIT,
        env={**scene.paraph.environment(), **roots, "PARAPH_CLIENT_PASSWORD": scene.password},
    )  # fmt: skip
    assert '"verified"' in done.stdout, done


@pytest.mark.parametrize("secure", [False, True])
def test_passwords_in_clear_text_are_warned_of(scene, secure):
    proxy = {**scene.listen, "address": "0.0.0.0:0"} if secure else "0.0.0.0:0"
    scene.paraph.reload({**scene.configuration, "listen": {"proxy": proxy, "admin": "127.0.0.1:0"}})
    code, said = scene.paraph.command("check")
    assert code == 0, said
    assert ("takes passwords in clear text" in said) == (not secure)
    # What the start warns of comes before.
    scene.paraph.told("the configuration was reloaded")
    assert ("takes passwords in clear text" in scene.paraph.log()) == (not secure)
    assert ("by TLS" in said) == secure


@pytest.mark.parametrize("suite", ["AES128-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA"])
def test_no_suite_without_forward_secrecy_and_authenticated_encryption(scene, suite):
    host, _, port = scene.paraph.proxy.rpartition(":")
    context = ssl.create_default_context(cafile=str(scene.root))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection((host, int(port)), LIMIT) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as secure:
            assert secure.cipher()[0].startswith("ECDHE-")
    context.set_ciphers(f"{suite}:@SECLEVEL=0")
    with socket.create_connection((host, int(port)), LIMIT) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="127.0.0.1")
