"""Requests as people have them: what curl really sends for a command, a HAR, a log; and the account of a configuration."""

import json
import shlex
import socket
import subprocess
import threading

import pytest

from conftest import binary
from harness.paraph import Paraph
from harness.raw import request
from harness.waiting import LIMIT, wait_until

CREDENTIALS = ["--consumer-key", "ck", "--nonce", "n", "--timestamp", "1"]


def explained(text, *more):
    """What `paraph explain` says of a request that is written down."""
    done = subprocess.run(
        [binary(), "explain", "--request", "-", "--json", *CREDENTIALS, *more],
        input=text, capture_output=True, timeout=LIMIT, env=Paraph.environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


class Listener:
    """Takes one request after the other, each on a connection of its own, as it comes."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def take(self, command):
        taken = []

        def serve():
            connection, _ = self.socket.accept()
            with connection:
                data = b""
                while b"\r\n\r\n" not in data or len(data) < self.length(data):
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    data += piece
                connection.sendall(b"HTTP/1.1 204 Gone\r\nConnection: close\r\n\r\n")
                taken.append(data)

        self.socket.settimeout(LIMIT)
        thread = threading.Thread(target=serve)
        thread.start()
        done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=LIMIT, env=Paraph.environment())
        thread.join()
        assert done.returncode == 0, done.stderr.decode()
        return taken[0]

    @staticmethod
    def length(data):
        head, _, _ = data.partition(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                return len(head) + 4 + int(line.split(b":")[1])
        return 0


@pytest.fixture(scope="module")
def listener():
    found = Listener()
    yield found
    found.socket.close()


@pytest.mark.parametrize(
    "arguments",
    [
        "URL/r?a=1",
        "'URL/r?a=1&b=2%20q&a=0'",
        "-sS -d c2 -d 'a3=2+q' 'URL/r?b5=%3D%253D'",
        "--request PUT --data-urlencode 'status=Hello Ladies + Gentlemen, é' URL/r",
        "--data-urlencode =x\\ y --data-urlencode 'a b' --data-urlencode 'e=f=g@h' URL/r",
        "-G -d a=1 --data-urlencode 'b=c d' 'URL/r?z#fragment'",
        "-G --data-raw '@a' -X POST URL/r",
        "-XDELETE -H 'Content-Type: text/plain' --data-raw $'it\\'s\\u0021 \\x41' URL/r",
        "-d a=1 -H Content-Type: URL/r",
        "-d a=1 -H 'Content-Type;' URL/r",
        "--json '{\"a\":' --json '1}' URL/r",
        "-H 'Host: api.example.com' \\\n  -H \"X: \\\"y\\\"\" \\\n  --compressed -d '' URL/r",
        "--globoff 'URL/{a}/[1]?x=[y]'",
        "-A agent -e referer -b a=b -u me:canary -k -m 5 -o /dev/null URL/r 2>/dev/null",
        "-d@- URL/r </dev/null",
    ],
)
def test_a_curl_command_is_what_curl_sends(listener, arguments):
    command = "curl " + arguments.replace("URL", f"http://127.0.0.1:{listener.port}")
    if "@-" in arguments:
        done = subprocess.run(
            [binary(), "explain", "--request", "-", *CREDENTIALS], input=command.encode(), capture_output=True,
            timeout=LIMIT, env=Paraph.environment(),
        )  # fmt: skip
        assert done.returncode == 65 and b"--data-file" in done.stderr
        return
    sent = listener.take(command)
    theirs, ours = explained(sent, "--scheme", "http"), explained(command.encode())
    assert ours["base_string"] == theirs["base_string"], sent
    assert ours["method"] == theirs["method"]
    assert ours["notes"][0] == "Read as: curl command." and theirs["notes"][0] == "Read as: HTTP request."
    assert "canary" not in json.dumps(ours)


def test_what_has_no_signature_keeps_the_parameters_that_it_has():
    ours = explained(b"curl 'https://api.example.com/r?oauth_verifier=v&a=1' -H 'Authorization: Bearer canary'")
    assert "oauth_verifier%3Dv" in ours["base_string"] and "canary" not in json.dumps(ours)


def test_what_explain_prints_to_be_sent_is_the_same_request(listener):
    url = f"http://127.0.0.1:{listener.port}/r?a=1"
    done = subprocess.run(
        [binary(), "explain", "--request", "-", *CREDENTIALS], timeout=LIMIT, env=Paraph.environment(),
        input=f"curl {shlex.quote(url)} -b a=canary --data-raw $'it\\'s\\n'".encode(), capture_output=True,
    )  # fmt: skip
    printed = done.stdout.decode().rstrip().splitlines()[-1]
    assert "canary" not in done.stdout.decode()
    sent = listener.take(printed)
    verified = subprocess.run(
        [binary(), "verify", "--request", "-", "--scheme", "http", "--consumer-secret-file", "/dev/null", "--json"],
        input=sent, capture_output=True, timeout=LIMIT, env=Paraph.environment(),
    )  # fmt: skip
    assert json.loads(verified.stdout)["verified"] is True, verified.stdout


def test_a_line_of_the_proxys_own_log_as_the_account_that_it_names(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "info", "query": "on"}})
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/x/y?page=2&q=%C3%A9", world.HOST)).verified()
    lines = wait_until(lambda: [x for x in paraph.log().splitlines() if '"message":"request"' in x], "a line")
    done = subprocess.run(
        [binary(), "explain", "--request", "-", "--json", "--config", str(paraph.file)],
        input=lines[0].encode(), capture_output=True, timeout=LIMIT, env=Paraph.environment(),
    )  # fmt: skip
    ours = json.loads(done.stdout)
    assert ours["url"] == f"https://{world.HOST}/x/y?page=2&q=%C3%A9" and ours["method"] == "GET"
    assert ours["notes"][0] == "Read as: line of the access log."
    verified = subprocess.run(
        [binary(), "verify", "GET", "/x/y?page=2&q=%C3%A9", "--host", world.HOST, "--authorization", "-",
         "--config", str(paraph.file), "--account", "main/default"],
        input=ours["authorization"].encode(), capture_output=True, timeout=LIMIT, env=Paraph.environment(),
    )  # fmt: skip
    assert verified.returncode == 0 and b"Verified" in verified.stdout, verified.stderr
