"""The log: what its lines have, its file, and what is on a terminal."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import threading

import pytest

from harness.raw import ask, request
from harness.waiting import LIMIT, wait_until


def entries(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def requests_in(text):
    return [entry for entry in entries(text) if entry["message"] == "request"]


def test_the_line_of_a_request(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "info", "query": "on"}})
    with paraph.raw(f"{world.HOST}:443") as client:
        client.exchange(request("GET", "/x?page=2&access_token=hidden-from-logs", world.HOST)).verified()
        client.exchange(request("GET", "/x", world.HOST)).verified()
    first, second = wait_until(lambda: (found := requests_in(paraph.log()))[1:2] and found, "two lines")
    assert (first["path"], first["query"], first["address"]) == ("/x", "page=2&access_token=…", "127.0.0.1")
    assert "query" not in second
    assert first["reused"] is False and second["reused"] is True
    assert {"name_us", "tcp_us", "tls_us", "connection_us", "first_byte_us"} <= first.keys()
    assert not {"name_us", "tcp_us", "tls_us", "connection_us"} & second.keys()
    assert first["first_byte_us"] <= first["duration_us"]
    assert first["time"] <= second["time"]
    assert "request" not in first and '"message":"request sent"' not in paraph.log()


def test_what_debug_and_trace_tell(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "trace"}})
    url = f"{world.URL}/told?access_token=hidden-from-logs&a=b"
    ask(paraph, url, fields=[("Cookie", "hidden-from-logs")]).verified()
    line = wait_until(lambda: next(iter(requests_in(paraph.log())), None), "the line of the request")
    told = {entry["message"]: entry for entry in entries(paraph.log()) if entry.get("request") == line["request"]}
    assert list(told) == [
        "request received", "request head of the client", "request sent", "request head to the upstream",
        "response head of the upstream", "response head to the client", "request",
    ]  # fmt: skip
    sent = told["request sent"]
    assert sent["connection"] == "new" and sent["token"] == "configuration" and sent["token_cached"] is True
    assert "token_us" not in line, "a token of the configuration is waited for by nobody"
    assert sent["base_string"].startswith("GET&https%3A%2F%2F") and "a%3Db" in sent["base_string"]
    assert "oauth_nonce%3D" in sent["base_string"] and "oauth_token%3D…" in sent["base_string"]
    assert "Authorization: OAuth " in told["request head to the upstream"]["head"]
    assert "hidden-from-logs" not in paraph.log()


def test_lines_of_several_event_loops_are_in_the_order_of_their_times(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "debug"}})
    each, clients = 40, 6

    def send():
        with paraph.raw(f"{world.HOST}:443") as client:
            for number in range(each):
                client.exchange(request("GET", f"/x?n={number}", world.HOST)).verified()

    threads = [threading.Thread(target=send) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: len(requests_in(paraph.log())) == each * clients, "all lines")
    times = [entry["time"] for entry in entries(paraph.log())]
    late = sum(time < max(times[:index], default="") for index, time in enumerate(times))
    assert len(times) > 3 * each * clients
    assert late <= len(times) // 100, "but where an event loop did not run for long"


def test_what_is_refused_and_what_is_tunnelled_has_its_lines_at_debug(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "debug"}})
    with paraph.raw() as client:
        answer = client.exchange(request("GET", f"http://{world.HOST.upper()}:80/x", world.HOST, [("Paraph-Account", "nobody")]))
        assert answer.status >= 400
    with paraph.raw(f"{world.HOST.upper()}:443") as client:
        client.exchange(request("GET", "/x", f"{world.HOST}:443")).verified()
    lines = wait_until(lambda: (found := requests_in(paraph.log()))[1:] and found, "two lines")
    assert [line["authority"] for line in lines] == [world.HOST, world.HOST], "one form"
    told = entries(paraph.log())
    for line in lines:
        assert isinstance(line["request"], int)
        (received,) = [e for e in told if e["message"] == "request received" and e["request"] == line["request"]]
        assert received["authority"] == world.HOST and received["route"]
    assert "is refused" in next(e for e in told if e["message"] == "request received")["route"]
    (intercepted,) = [entry for entry in told if entry["message"] == "tunnel is intercepted"]
    assert (intercepted["authority"], intercepted["api"]) == (f"{world.HOST}:443", "main")
    assert intercepted["address"] == "127.0.0.1"


@pytest.mark.skipif(not shutil.which("logrotate"), reason="there is no logrotate on this machine")
def test_logrotate_loses_no_line(launch, world, tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir(mode=0o700)
    log = folder / "paraph.log"
    paraph = launch({**world.configuration(), "log": {"level": "info", "file": str(log)}}, wait=False)

    def written():
        return log.read_text() if log.exists() else ""

    wait_until(lambda: '"listener":"admin"' in written(), "the start")
    for line in written().splitlines():
        paraph.take_line(line)
    assert log.stat().st_mode & 0o777 == 0o600
    (tmp_path / "rotation").write_text(
        f"{log} {{\n rotate 100\n size 1\n nocreate\n compress\n delaycompress\n postrotate\n"
        f"  kill -USR1 {paraph.process.pid}\n endscript\n}}\n"
    )
    (tmp_path / "rotation").chmod(0o600)
    over = threading.Event()
    count = 0

    def rotate():
        while not over.is_set():
            words = ["logrotate", "--state", str(tmp_path / "state"), str(tmp_path / "rotation")]
            subprocess.run(words, check=True, timeout=LIMIT)
            wait_until(log.exists, "the file to be made again")

    thread = threading.Thread(target=rotate)
    thread.start()
    try:
        while count < 300 or len(list(folder.iterdir())) < 4:
            ask(paraph, f"{world.URL}/x?n={count}").verified()
            count += 1
    finally:
        over.set()
        thread.join()
    assert paraph.stop() == 0
    texts = subprocess.run(["zcat", "-f", *folder.iterdir()], capture_output=True, check=True, timeout=LIMIT).stdout
    assert len(requests_in(texts.decode())) == count
    assert "reloaded" not in texts.decode()


def test_a_log_that_cannot_be_written_stops_nothing(launch, world):
    paraph = launch({**world.configuration(), "log": {"level": "info"}})
    paraph.reload({**world.configuration(), "log": {"level": "info", "file": "/dev/full"}})
    for _ in range(20):
        ask(paraph, f"{world.URL}/x").verified()
    told = "log lines cannot be written to /dev/full, and are lost: there is no space left"
    wait_until(lambda: told in paraph.log(), "it to be told")
    assert paraph.log().count(told) == 1
    paraph.reload({**world.configuration(), "log": {"level": "info"}})
    wait_until(lambda: "log lines were dropped" in paraph.log(), "the number of lines to be told")


def test_a_file_that_cannot_be_opened_is_refused(launch, world, tmp_path):
    paraph = launch(world.configuration())
    nowhere = {**world.configuration(), "log": {"file": str(tmp_path / "nowhere" / "log")}}
    paraph.reload(nowhere, outcome="refused")
    paraph.told(f"log.file: {tmp_path}/nowhere/log cannot be written: ")
    ask(paraph, f"{world.URL}/x").verified()
    assert paraph.stop() == 0
    assert paraph.start(wait=False).wait() == 65
    assert "log.file" in paraph.log()


@pytest.mark.parametrize("plain", [None, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_on_a_terminal_it_is_text(launch, world, plain):
    paraph = launch({**world.configuration(), "log": {"level": "info"}})
    assert paraph.stop() == 0
    ours, theirs = pty.openpty()
    usual = {name: value for name, value in paraph.environment().items() if name != "NO_COLOR"}
    environment = {**usual, "TERM": "xterm", **(plain or {})}
    process = subprocess.Popen(
        [paraph.binary, "run", "--config", str(paraph.file)], stderr=theirs, env=environment, cwd=paraph.folder
    )
    os.close(theirs)
    said = bytearray()

    def read():
        try:
            while piece := os.read(ours, 65536):
                said.extend(piece)
        except OSError:
            pass

    thread = threading.Thread(target=read)
    thread.start()

    def text():
        return re.sub(rb"\x1b\[\d+m", b"", bytes(said)).decode()

    listeners = r"address=(\S+) listener=(?:proxy|admin)"
    found = wait_until(lambda: re.findall(listeners, text())[1:] and text(), "the listeners")
    for line in found.splitlines():
        paraph.take_line(line)
    ask(paraph, f"{world.URL}/x").verified()
    line = wait_until(lambda: re.search(r"^.* GET .*$", text(), re.M), "the line of the request").group()
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT) == 0
    thread.join()
    os.close(ours)
    assert re.match(r"\d\d:\d\d:\d\d\.\d{3}Z 200 GET  +\S+ +\S+B  main/default +\S+/x  ", line), line
    assert re.search(r" connect=\S+ name=\S+ tcp=\S+ tls=\S+ first_byte=\S+ connection=new protocol=\S+ upstream=\S+", line)
    assert (b"\x1b" in said) == (not plain)
