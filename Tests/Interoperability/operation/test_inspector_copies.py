"""What is copied of a request in the inspector: run by the real curl, read by a parser of HTTP Archives."""

import json
import os
import socket
import subprocess
import threading
from urllib.parse import quote

import haralyzer
import pytest
from cryptography.hazmat.primitives.serialization import PrivateFormat

from harness import browser as browsers
from harness.http1 import Wire, read_head, request_body
from harness.inspector import copied, live, opened, requests_of, wait_for_rows
from harness.listener import server_context
from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until

pytestmark = pytest.mark.skipif(not browsers.program(), reason="there is no chromium on this machine")


class Recorder:
    """A server that keeps the bytes of one request."""

    def __init__(self, certificates):
        self.context = server_context(certificates.good)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        connection, _ = self.socket.accept()
        with self.context.wrap_socket(connection, server_side=True) as tls:
            tls.settimeout(LIMIT)
            wire = Wire(tls)
            self.head = read_head(wire)
            self.body = b"".join(request_body(wire, self.head))
            tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def recorded(self):
        self.thread.join(LIMIT)
        self.socket.close()
        return b" ".join(self.head.start), sorted(self.head.fields), self.body


HOST = "api.test.example"
AGENT = [("User-Agent", "it's \"an\" $agent `x` \\ !"), ("Accept", "text/x")]
BYTES = {
    "nothing of its own": request("GET", "/a?q=it%27s&r=$x`y`", HOST),
    "Accept and User-Agent": request("GET", "/a", HOST, AGENT),
    "a field without a value": request("GET", "/a", HOST, [*AGENT, ("X-Empty", ""), ("X-Two", "1"), ("X-Two", "2")]),
    "brackets and braces": request("GET", "/a?b[]={1,2}&c=[1-3]", HOST, AGENT),
    "dot segments": request("GET", "/a/./b/../c/%2e%2e/d", HOST, AGENT),
    "HEAD": request("HEAD", "/a", HOST, AGENT),
    "GET with a body": request("GET", "/a", HOST, AGENT, b"a\0b"),
    "a body without a type": request("POST", "/a", HOST, [], b"@x=1&y=2\n"),
    "a large body": request("PUT", "/a", HOST, [("Content-Type", "text/x")], b"x" * 1_500_000),
    "a form": request("POST", "/a", HOST, [("Content-Type", "application/x-www-form-urlencoded")], b"x=1"),
    "POST without a body": request("POST", "/a", HOST, AGENT, b""),
    "DELETE": request("DELETE", "/a", HOST, AGENT),
    "a method in quotes": request("A'B", "/a", HOST, AGENT),
    "all of a server": request("OPTIONS", "*", HOST, AGENT),
    "its own port": request("GET", "/a", f"{HOST}:443", AGENT),
    "HTTP/1.0": request("GET", "/a", HOST, AGENT).replace(b"HTTP/1.1", b"HTTP/1.0"),
}


@pytest.mark.parametrize("title", BYTES)
def test_curl_sends_what_the_client_sent(world, launch, open_page, tmp_path, certificates, title):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    sent = BYTES[title]
    method = sent.partition(b" ")[0].decode()
    with paraph.raw(f"{HOST}:443") as client:
        client.exchange(sent, method)
    wait_for_rows(page, 1)
    [command] = copied(page, 1, "curl")
    head, _, body = sent.partition(b"\r\n\r\n")
    (tmp_path / "BODY").write_bytes(body)
    server = Recorder(certificates)
    environment = {n: v for n, v in os.environ.items() if "proxy" not in n.lower()}
    words = f"{command} -sS --connect-to {HOST}:443:127.0.0.1:{server.port} --cacert {certificates.root_file}"
    done = subprocess.run(["sh", "-c", words], env={**environment, "HOME": str(tmp_path)}, cwd=tmp_path, timeout=LIMIT,
                          capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    first, *lines = head.split(b"\r\n")
    fields = sorted((n, v.strip()) for n, _, v in (line.partition(b":") for line in lines))
    assert server.recorded() == (first, fields, body), command


def test_curl_through_the_proxy(world, launch, open_page, tmp_path):
    """By HTTP/2, and without what is hidden."""
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    environment = {**os.environ, "https_proxy": f"http://{paraph.addresses['proxy']}", "CURL_CA_BUNDLE": str(paraph.ca),
                   "HOME": str(tmp_path)}
    words = ["curl", "-sS", "--http2", f"{world.URL}/copied?q=it%27s&access_token=hidden-token", "-H", "X-Some: it's",
             "-H", "Cookie: hidden-cookie"]
    subprocess.run(words, env=environment, check=True, timeout=LIMIT, stdout=subprocess.DEVNULL)
    wait_for_rows(page, 1)
    [command] = copied(page, 1, "curl")
    assert "access_token=HIDDEN" in command and "'cookie: HIDDEN'" in command
    assert "hidden" not in command
    subprocess.run(["sh", "-c", f"{command} -sS"], env=environment, check=True, timeout=LIMIT, stdout=subprocess.DEVNULL)
    wait_for_rows(page, 2)
    first, second = (json.loads(paraph.admin(f"/requests/{number}")[1]) for number in (1, 2))
    assert first["received"][0].endswith(" HTTP/2")
    assert sorted(first["received"]) == sorted(line.replace("HIDDEN", "…") for line in second["received"])


def test_tunnels_are_no_requests_for_curl(world, launch, open_page):
    paraph = launch(world.configuration())
    page = open_page(paraph)
    live(page)
    with paraph.raw(world.other.address, tls=False):
        page.wait("document.getElementById('count').textContent.includes('1 in flight')")
    wait_for_rows(page, 1)
    assert requests_of(paraph)[0]["scheme"] is None
    page.press("k")
    page.press("Enter")
    page.wait("!document.getElementById('detail').hidden")
    assert "curl" not in page.text("#detail") and f"CONNECT {world.other.address}" in page.text("#detail")


def test_archive_of_http2(world, launch, listeners, open_page):
    paraph = launch(world.configuration({"main": world.api(connect_to=listeners[2])}))
    page = open_page(paraph)
    live(page)
    ask(paraph, f"{world.URL}/x").verified()
    wait_for_rows(page, 1)
    [entry] = json.loads(copied(page, 1, "har")[0])["log"]["entries"]
    assert entry["request"]["httpVersion"] == entry["response"]["httpVersion"] == "HTTP/2"
    assert entry["response"]["content"]["mimeType"].startswith("application/json")
    assert "GET /x HTTP/2" in opened(page)


def test_archive(world, launch, open_page):
    """HTTP Archive 1.2: times that make up the whole, TLS within connecting, an address without a port."""
    paraph = launch(world.configuration(inspector={"keep": True}))
    with paraph.raw(f"{world.HOST}:443") as client:
        for _ in range(2):
            client.exchange(request("POST", "/x?a=b%20c", world.HOST, [("Content-Type", "text/x")], b"abc"), "POST")
    ask(paraph, "https://nobody.wild.test.example/refused", host="another.test.example")
    page = open_page(paraph)
    live(page)
    assert wait_until(lambda: len(requests_of(paraph)) == 3, "three requests")
    for number in (1, 2, 3):
        parser = haralyzer.HarParser(json.loads(copied(page, number, "har")[0]))
        [entry] = parser.har_data["entries"]
        timings = entry["timings"]
        phases = [max(timings[name], 0) for name in ("blocked", "dns", "connect", "send", "wait", "receive")]
        assert abs(sum(phases) - entry["time"]) < 1e-6, timings
        assert timings["ssl"] <= timings["connect"]
        assert (timings["ssl"] > 0) == (timings["connect"] > 0) == (number == 1)
        assert parser.creator["name"] == "paraph" and parser.creator["version"]
        assert parser.har_data["version"] == "1.2"
        read = haralyzer.HarEntry(entry)
        assert read.startTime.tzinfo and read.request.method in ("POST", "GET")
        assert read.request.url.startswith("https://") and read.request.httpVersion == "HTTP/1.1"
        assert read.response.httpVersion == "HTTP/1.1"
        if number == 3:
            assert read.status >= 400 and read.response.mimeType == "application/problem+json"
            assert "serverIPAddress" not in entry
            continue
        assert entry["serverIPAddress"] == "127.0.0.1"
        assert read.request.url == f"{world.URL}/x?a=b%20c"
        assert read.request.queryString == [{"name": "a", "value": "b c"}]
        assert read.request.bodySize == 3 and entry["request"]["postData"]["mimeType"] == "text/x"
        assert read.status == 200 and read.response.mimeType.startswith("application/json")
        assert read.response.get_header_value("Content-Type") == read.response.mimeType
FORM = [("Content-Type", "application/x-www-form-urlencoded")]
TEXT = [("Content-Type", "text/x")]
# What the configuration says of OAuth 1, the request's fields and body, and the options that stand for it.
SIGNED = {
    "RSA": ({"signature_method": "RSA-SHA256"}, [], b"", ["--private-key-file KEY.pem"]),
    "a body's hash": ({"body_hash": "on"}, TEXT, b"abc", ["--body-hash on"]),
    "a form's hash": ({"body_hash": "always"}, FORM, b"a=b", ["--body-hash always"]),
    "in the query": ({"placement": "query"}, TEXT, b"abc", ["--placement query"]),
    "in the body": ({"placement": "body"}, FORM, b"a=b", ["--placement body"]),
    "a realm": ({"realm": "it's a realm"}, [], b"", ["--realm "]),
}


@pytest.mark.parametrize("title", SIGNED)
def test_explain_signs_what_was_signed(world, launch, open_page, tmp_path, title):
    """The base string, and where its parameters are: by the copied command, and by the one for another signer."""
    settings, fields, body, options = SIGNED[title]
    application = world.provider.new_application(rsa_key=title == "RSA")
    token = application.issue("default")
    oauth1 = {"consumer_key": application.key, "consumer_secret": application.secret, **settings}
    if title == "RSA":
        key = application.private_key[PrivateFormat.PKCS8].decode()
        (tmp_path / "KEY.pem").write_text(key)
        del oauth1["consumer_secret"]
        oauth1["private_key"] = key
    entry = {**world.api(application=application, accounts={"default": world.issued(token)}), "oauth1": oauth1}
    paraph = launch(world.configuration({"main": entry}))
    page = open_page(paraph)
    live(page)
    with paraph.raw(f"{world.HOST}:443") as client:
        answer = client.exchange(request("POST", "/x?q=1", world.HOST, fields, body), "POST")
    # The provider of these tests signs the fields of a form one by one.
    if title != "a form's hash":
        answer.verified()
    wait_for_rows(page, 1)
    opened(page)
    shown = page.value("document.querySelector('.base').textContent")
    [command] = copied(page, 1, "explain")
    assert all(option in command for option in options), command
    assert ("--consumer-secret-env" in command) == (title != "RSA")
    (tmp_path / "BODY").write_bytes(body)
    environment = {**os.environ, "CONSUMER_SECRET": application.secret, "TOKEN_SECRET": token.secret}

    def run(words, more):
        whole = words.replace("paraph explain", f"{paraph.binary} explain {more}", 1).replace("TOKEN ", f"{token.value} ", 1)
        return subprocess.run(["sh", "-c", whole], env=environment, cwd=tmp_path, timeout=LIMIT, capture_output=True, text=True)

    done = run(command, "--json")
    assert done.returncode == 0, (command, done.stderr)
    explained = json.loads(done.stdout)
    assert explained["base_string"] == shown.replace("…", quote(quote(token.value, safe=""), safe="")), command
    page.value(f"document.getElementById('other').value = {json.dumps(explained['base_string'])};"
               "[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'Compare').click()")
    done = run(page.text("#detail [role=status] pre"), "")
    assert done.returncode == 0, (done.stdout, done.stderr)
