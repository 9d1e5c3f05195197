"""HTTP/2 with what others have made: clients, and servers that tell what they received."""

import base64
import json
import os
import shutil
import socket
import ssl
import subprocess
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from harness.answer import Answer
from harness.clients import FOLDER, Curl, Request, run
from harness.http2_client import HTTP2Client
from harness.http2_server import ServerConnection
from harness.raw import request
from harness.streams import digest_of, stream
from harness.verification import Received, verify
from harness.waiting import LIMIT

OCTET_STREAM = {"content-type": "application/octet-stream"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
MB = 1 << 20


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Go's, compiled once."""
    made = {}

    def program(name):
        if name not in made:
            made[name] = tmp_path_factory.mktemp("go") / name
            command = ["go", "build", "-o", str(made[name]), str(FOLDER / f"{name}.go")]
            done = run(command, GOTOOLCHAIN="local")
            assert done.returncode == 0, done.stderr.decode()
        return made[name]

    return program


# Clients


def by_httpx(paraph, host, requests, programs):
    context = ssl.create_default_context(cafile=str(paraph.ca))
    with httpx.Client(http2=True, proxy=paraph.url, verify=context, timeout=LIMIT) as client:
        for method, path, headers, body in requests:
            found = client.request(method, f"https://{host}{path}", headers=headers, content=body)
            assert found.http_version == "HTTP/2"
            yield Answer(found.status_code, list(found.headers.items()), found.content)


def by_curl(paraph, host, requests, programs):
    for method, path, headers, body in requests:
        made = Request(f"https://{host}{path}", method, headers, body)
        yield Curl().send(paraph, made, "--http2")


def by_program(*command):
    def send(paraph, host, requests, programs):
        job = {
            "proxy": paraph.url,
            "host": host,
            "ca": str(paraph.ca),
            "requests": [
                {"method": m, "path": p, "headers": h, "body": b if b is None else base64.b64encode(b).decode()}
                for m, p, h, b in requests
            ],
        }
        done = run(
            [str(programs(part)) if part.startswith("http2") and "." not in part else part for part in command],
            json.dumps(job).encode(),
        )
        assert done.returncode == 0, done.stderr.decode()
        found = json.loads(done.stdout)
        assert found["protocol"] in ("h2", "HTTP/2.0")
        for one in found["answers"]:
            fields, trailers = [tuple(f) for f in one["fields"]], list(one["trailers"].items())
            yield Answer(one["status"], fields, base64.b64decode(one["body"]), trailers)

    return send


CLIENTS = {
    "httpx": (None, by_httpx),
    "curl": ("curl", by_curl),
    "node": ("node", by_program("node", str(FOLDER / "http2_client.mjs"))),
    "go": ("go", by_program("http2_client")),
}


@pytest.fixture(params=CLIENTS)
def send(request, programs):
    needed, send = CLIENTS[request.param]
    if needed and not shutil.which(needed):
        pytest.skip(f"no {needed}")
    return lambda paraph, host, requests: list(send(paraph, host, requests, programs))


@pytest.fixture(scope="module", params=["HTTP/1.1", "HTTP/2"])
def usual(request, world, provider, certificates, launch_for_session):
    listener = provider.listen(certificates.good, http2=ServerConnection if request.param == "HTTP/2" else None)
    return launch_for_session(world.configuration({"main": world.api(connect_to=listener)}))


def test_clients(usual, world, provider, send):
    body = b"".join(stream(2 * MB))

    def handler(call):
        call.verify()
        call.begin(200, [("X-Verified", "yes" if call.record.verdict else "no")])
        call.write(body)
        call.finish()

    down = provider.route(handler)
    requests = [
        ("GET", "/x?a=1&b=%20x&a=0", {"x-one": "1"}, None),
        ("POST", "/form?q=1", FORM, b"a=1&b=%26+x"),
        ("PUT", "/up", OCTET_STREAM, body),
        ("GET", down, {}, None),
        *(("POST", f"/many/{n}", FORM, b"n=%d" % n) for n in range(20)),
    ]
    answers = send(usual, world.HOST, requests)
    assert answers[3].value("x-verified") == "yes" and answers[3].body == body
    for number, one in enumerate(answers):
        if number != 3:
            one.verified()
    assert answers[2].json["body_sha256"] == digest_of(2 * MB)


def test_an_answer_of_the_proxy_for_every_client(usual, world, send):
    (one,) = send(usual, world.HOST, [("GET", "/x", {"paraph-account": "nobody"}, None)])
    one.problem(403)


# Servers


class Server:
    """One that tells its port."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.address = f"127.0.0.1:{int(self.process.stdout.readline())}"

    def end(self):
        self.process.kill()
        self.process.wait(LIMIT)


SERVERS = ["node", "go"]


@pytest.fixture(params=SERVERS)
def server(request, certificates, programs):
    if not shutil.which(request.param):
        pytest.skip(f"no {request.param}")
    program = ["node", str(FOLDER / "http2_echo.mjs")] if request.param == "node" else [str(programs("http2_echo"))]
    made = Server([*program, str(certificates.good.file)])
    made.mark = request.param
    yield made
    made.end()


def received(answer):
    """What the server says that it received."""
    told = json.loads(answer.body)
    fields = [(n.lower(), v) for n, v in told["fields"]]
    return told["protocol"], dict(fields), base64.b64decode(told["body"])


@pytest.mark.parametrize("client_version", [1, 2])
def test_servers(world, provider, launch, server, client_version):
    target = SimpleNamespace(address=server.address)
    paraph = launch(world.configuration({"main": world.api(connect_to=target)}))
    large = b"".join(stream(3 * MB))
    requests = [
        ("GET", "/x%2Fy?a=1&b=%20x&a=0", [], b""),
        ("POST", "/form?q=1", [*FORM.items()], b"a=1&b=%26+x"),
        ("PUT", "/up", [*OCTET_STREAM.items()], large),
        ("DELETE", "/d", [("te", "trailers")], b""),
    ]
    answers = []
    if client_version == 1:
        with paraph.raw(f"{world.HOST}:443") as client:
            for method, path, fields, body in requests:
                answers.append(client.exchange(request(method, path, world.HOST, fields, body or None), method))
    else:
        with HTTP2Client(paraph, world.HOST) as client:
            streams = [client.request(m, p, f, b or None) for m, p, f, b in requests]
            answers = [client.answer(one) for one in streams]
    for (method, path, _, body), answer in zip(requests, answers, strict=True):
        assert answer.status == 200, answer
        # A body of known length has no trailers by HTTP/1.1.
        has_trailers = client_version == 2 or answer.value("content-length") is None
        assert [(n.lower(), v) for n, v in answer.trailers] == [("x-mark", server.mark)] * has_trailers
        protocol, fields, came = received(answer)
        assert protocol in ("h2", "HTTP/2.0") and came == body
        assert (fields[":method"], fields[":path"], fields[":authority"]) == (method, path, world.HOST)
        parts = method, b"https", fields[":authority"], path, fields["authorization"], fields.get("content-type")
        data = [p.encode() if isinstance(p, str) else p for p in parts]
        verify(Received(*data, came), provider)


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder}; client_max_body_size 0; keepalive_requests 30;
  http2_max_concurrent_streams 8;
  server {{
    listen 127.0.0.1:{port} ssl http2; ssl_certificate {pem}; ssl_certificate_key {pem};
    location /files/ {{ root {folder}; dav_methods PUT; create_full_put_path on; }}
    location / {{ default_type text/plain; return 200 "$request_method $http_host $request_uri"; }}
  }}
}}
"""


@pytest.mark.skipif(not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()), reason="no nginx")
def test_nginx(world, launch, certificates, tmp_path):
    """It ends connections after 30 requests, in the midst of others."""
    # It takes over a port that is open already, as it does from a predecessor.
    held = socket.create_server(("127.0.0.1", 0), backlog=256)
    port = held.getsockname()[1]
    tmp_path.chmod(0o755)
    (tmp_path / "nginx.conf").write_text(NGINX.format(folder=tmp_path, port=port, pem=certificates.good.file))
    command = [shutil.which("nginx") or "/usr/sbin/nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    environment = {**os.environ, "NGINX": f"{held.fileno()};"}
    process = subprocess.Popen(command, env=environment, pass_fds=[held.fileno()])
    held.close()
    try:
        address = f"127.0.0.1:{port}"
        paraph = launch(world.configuration({"main": world.api(connect_to=SimpleNamespace(address=address))}))
        with HTTP2Client(paraph, world.HOST) as client:
            for _ in range(3):
                streams = [client.request("GET", f"/x?n={n}") for n in range(90)]
                for n, one in enumerate(streams):
                    answer = client.answer(one)
                    assert (answer.status, answer.body) == (200, f"GET {world.HOST} /x?n={n}".encode())
            streams = [client.request("POST", f"/x?n={n}", FORM.items(), b"a=%d" % n) for n in range(90)]
            assert {client.answer(one).status for one in streams} == {200}
    finally:
        process.terminate()
        process.wait(LIMIT)
