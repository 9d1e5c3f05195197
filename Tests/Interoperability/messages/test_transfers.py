"""Large bodies in both directions, with checksums, and what they cost the proxy in memory."""

import hashlib
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from harness.clients import Curl, Request
from harness.http1 import response_body
from harness.raw import is_writable, request
from harness.streams import digest_of, download_handler, stream
from harness.waiting import LIMIT, wait_until

MB = 1 << 20
LARGE = 300 * MB
HUGE = 1024 * MB
ALLOWED_GROWTH = 16 * MB
OCTET_STREAM = {"Content-Type": "application/octet-stream"}


def download(paraph, url, size):
    """With curl, to a pipe; the digest of what came."""
    command = Curl.command(paraph, Request(url))
    environment = {**paraph.environment(), **Curl.environment(paraph)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        digest, count = hashlib.sha256(), 0
        while piece := process.stdout.read(MB):
            digest.update(piece)
            count += len(piece)
    assert (process.returncode, count) == (0, size)
    return digest.hexdigest()


def upload(paraph, url, size, chunked):
    """With curl, from a pipe; what the provider answered."""
    # An empty Transfer-Encoding tells curl not to send one, although it cannot know the length of a pipe.
    length = {} if chunked else {"Content-Length": str(size), "Transfer-Encoding": ""}
    command = Curl.command(paraph, Request(url, "PUT", {**OCTET_STREAM, **length, "Expect": ""}), "-T", "-")
    environment = {**paraph.environment(), **Curl.environment(paraph)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        for piece in stream(size):
            process.stdin.write(piece)
        process.stdin.close()
        answer = process.stdout.read()
    assert process.returncode == 0
    return answer


@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_large_download(paraph, world, provider, scheme, chunked):
    size = LARGE if scheme == "https" and not chunked else LARGE // 10 + 1
    path = provider.route(download_handler(size, chunked))
    assert download(paraph, f"{scheme}://{world.HOST}{path}", size) == digest_of(size)
    assert provider.requests_for(path)[0].verdict


@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_large_upload(paraph, world, provider, scheme, chunked):
    size = LARGE if scheme == "https" and not chunked else LARGE // 10 + 1
    path = provider.route(lambda call: call.answer())
    upload(paraph, f"{scheme}://{world.HOST}{path}", size, chunked)
    record = provider.requests_for(path)[0]
    assert (record.complete, record.body_length, record.body_sha256) == (True, size, digest_of(size))
    assert record.verdict


def test_a_large_download_and_upload_by_every_client(paraph, world, provider, client):
    size = 8 * MB + 1
    body = b"".join(stream(size))
    path = provider.route(download_handler(size))
    assert client.send(paraph, Request(world.URL + path)).body == body
    description = client.send(paraph, Request(f"{world.URL}/up", "POST", OCTET_STREAM, body)).verified()
    assert description["body_sha256"] == hashlib.sha256(body).hexdigest()


@pytest.fixture
def warm(launch, world, provider):
    """A proxy that has done a few transfers, so that what it keeps for good is there already."""
    paraph = launch(world.configuration(log={"level": "info", "format": "json"}))
    size = 20 * MB
    path = provider.route(download_handler(size))
    for _ in range(2):
        download(paraph, world.URL + path, size)
        upload(paraph, f"{world.URL}/up", size, chunked=False)
    return paraph


def growth(paraph, transfer):
    """By how much the peak of resident memory during `transfer` exceeds what was resident before it."""
    before = paraph.memory("VmRSS")
    paraph.reset_peak_memory()
    transfer()
    return paraph.memory("VmHWM") - before


@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
def test_a_gibibyte_down_costs_no_memory(warm, world, provider, chunked):
    path, digests = provider.route(download_handler(HUGE, chunked)), []
    assert growth(warm, lambda: digests.append(download(warm, world.URL + path, HUGE))) <= ALLOWED_GROWTH
    assert digests == [digest_of(HUGE)]


@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
def test_a_gibibyte_up_costs_no_memory(warm, world, provider, chunked):
    path = provider.route(lambda call: call.answer())
    assert growth(warm, lambda: upload(warm, world.URL + path, HUGE, chunked)) <= ALLOWED_GROWTH
    record = provider.requests_for(path)[0]
    assert (record.body_length, record.body_sha256) == (HUGE, digest_of(HUGE))


def is_held_back(paraph, world, sender, count):
    """`sender` takes nothing more, and `count()` stays as it is while so many requests of others are answered: whoever
    was not held back would have got on."""
    with paraph.raw(f"{world.HOST}:443") as others:
        before, passed = None, 0
        while passed < 200 or is_writable(sender):
            others.exchange(request("GET", "/x", world.HOST)).verified()
            passed = passed + 1 if count() == before else 0
            before = count()
            assert before < 40 * MB


def test_a_client_that_does_not_read_holds_the_provider_back(warm, world, provider):
    """Back-pressure: the provider cannot send more than the buffers on the way hold, and the proxy does not grow."""
    size, sent, calls = 200 * MB, [0], []

    def handler(call):
        call.read_body()
        call.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size)
        calls.append(call)
        for piece in stream(size):
            call.send(piece)
            sent[0] += len(piece)

    def transfer():
        with warm.raw(f"{world.HOST}:443") as client:
            client.send(request("GET", provider.route(handler), world.HOST))
            client.receive_head()
            wait_until(lambda: calls, "the body to begin")
            is_held_back(warm, world, calls[0].wire.socket, lambda: sent[0])

    assert growth(warm, transfer) <= ALLOWED_GROWTH


def test_a_provider_that_does_not_read_holds_the_client_back(warm, world, provider):
    done, sent = threading.Event(), [0]

    def handler(call):
        assert done.wait(LIMIT)
        call.close = True
        call.respond(200)

    def send(client):
        with suppress(OSError):
            for piece in stream(200 * MB):
                client.send(piece)
                sent[0] += len(piece)

    def transfer():
        fields = [("Content-Length", 200 * MB), ("Content-Type", "x/y")]
        with warm.raw(f"{world.HOST}:443") as client, ThreadPoolExecutor() as threads:
            client.send(request("PUT", provider.route(handler), world.HOST, fields))
            sending = threads.submit(send, client)
            try:
                is_held_back(warm, world, client.wire.socket, lambda: sent[0])
            finally:
                client.end_sending()
            sending.result(LIMIT)

    try:
        assert growth(warm, transfer) <= ALLOWED_GROWTH
    finally:
        done.set()


def test_a_tunnel_holds_back_too(warm, world, provider):
    size = 100 * MB
    path = provider.route(lambda call: download_handler(size)(call))
    paraph = warm

    def transfer():
        with paraph.raw(world.other.address, tls=False) as client:
            client.start_tls("127.0.0.1", world.certificates.root_file)
            client.send(request("GET", path, world.other.address))
            head, _ = client.receive_head()
            digest = hashlib.sha256()
            for piece in response_body(client.wire, head, "GET"):
                digest.update(piece)
            assert digest.hexdigest() == digest_of(size)

    assert growth(paraph, transfer) <= ALLOWED_GROWTH


def test_many_transfers_at_once(paraph, world, provider):
    size = 10 * MB
    path, expected, wrong = provider.route(download_handler(size)), digest_of(size), []

    def one():
        if download(paraph, world.URL + path, size) != expected:
            wrong.append(size)

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert not wrong and not any(t.is_alive() for t in threads)
    assert len(provider.requests_for(path)) == 12
