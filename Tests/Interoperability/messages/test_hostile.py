"""Input that no well-meaning client sends: a clear error or a closed connection, and nothing reaches the provider."""

import random
import ssl

import pytest

from harness.http1 import Closed
from harness.raw import ask, request
from harness.waiting import wait_until

HOST = "api.test.example"
GOOD = f"GET /after HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


def head(*lines, start="POST /hostile HTTP/1.1", host=True):
    first = [start.encode()] + ([f"Host: {HOST}".encode()] if host else [])
    return (
        b"\r\n".join(first + [line if isinstance(line, bytes) else line.encode("latin-1") for line in lines])
        + b"\r\n\r\n"
    )


# Each is followed by a whole request: if the proxy reads on in the wrong place, the provider sees that one.
MALFORMED = {
    "two lengths": head("Content-Length: 3", "Content-Length: 4") + b"abcd",
    "length and chunked": head("Content-Length: 4", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "chunked and length": head("Transfer-Encoding: chunked", "Content-Length: 4") + b"0\r\n\r\n",
    "a list of lengths": head("Content-Length: 3, 4") + b"abcd",
    "a negative length": head("Content-Length: -1"),
    "a signed length": head("Content-Length: +3") + b"abc",
    "a hexadecimal length": head("Content-Length: 0x3") + b"abc",
    "a length with a space": head("Content-Length: 1 0") + b"abc",
    "an empty length": head("Content-Length:"),
    "a length that overflows": head("Content-Length: 18446744073709551617") + b"a",
    "chunked twice": head("Transfer-Encoding: chunked, chunked") + b"0\r\n\r\n",
    "chunked in two fields": head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "chunked is not last": head("Transfer-Encoding: chunked, identity") + b"0\r\n\r\n",
    "an unknown coding": head("Transfer-Encoding: xchunked") + b"0\r\n\r\n",
    "a vertical tab before chunked": head("Transfer-Encoding: \x0bchunked") + b"0\r\n\r\n",
    "a space before the colon": head("Transfer-Encoding : chunked") + b"0\r\n\r\n",
    "a space before the field": head(" Transfer-Encoding: chunked") + b"0\r\n\r\n",
    "a folded field": head("X: a", " b: c"),
    "a field without a colon": head("Nonsense"),
    "an empty field name": head(": x"),
    "a field name with a space": head("X Y: z"),
    "a field name that is not ASCII": head("X\xe9: z"),
    "byte zero in a value": head("X: a\0b"),
    "byte zero in a name": head("X\0Y: b"),
    "a bare CR in a value": head("X: a\rb"),
    "a bare CR as line end": f"GET /hostile HTTP/1.1\rHost: {HOST}\r\r".encode() + b"\r\n\r\n",
    "a control byte in a value": head("X: a\x01b"),
    "two Host fields": head(f"Host: {HOST}"),
    "two different Host fields": head("Host: evil.example"),
    "no Host": head(host=False),
    "an empty Host": head("Host:", host=False),
    "a Host with a path": head(f"Host: {HOST}/x", host=False),
    "a Host with a user": head(f"Host: u@{HOST}", host=False),
    "a Host with a space": head(f"Host: {HOST} x", host=False),
    "a Host with a comma": head(f"Host: {HOST},evil.example", host=False),
    "no version": head(start="GET /hostile"),
    "version 0.9": head(start="GET /hostile HTTP/0.9"),
    "version 1.2 of something": head(start="GET /hostile HTTPS/1.2"),
    "version 2.0": head(start="GET /hostile HTTP/2.0"),
    "version without minor": head(start="GET /hostile HTTP/1"),
    "a version in lower case": head(start="GET /hostile http/1.1"),
    "two spaces": head(start="GET  /hostile HTTP/1.1"),
    "a tab for a space": head(start="GET\t/hostile HTTP/1.1"),
    "a space in the target": head(start="GET /hos tile HTTP/1.1"),
    "a space at the end": head(start="GET /hostile HTTP/1.1 "),
    "a space at the start": head(start=" GET /hostile HTTP/1.1"),
    "a control byte in the target": head(start="GET /hos\x01tile HTTP/1.1"),
    "a delete byte in the target": head(start="GET /hos\x7ftile HTTP/1.1"),
    "a fragment in the target": head(start="GET /hostile#x HTTP/1.1"),
    "a target without a slash": head(start="GET hostile HTTP/1.1"),
    "an asterisk for GET": head(start="GET * HTTP/1.1"),
    "a method that is no token": head(start="G(T /hostile HTTP/1.1"),
    "an empty method": head(start=" /hostile HTTP/1.1"),
    "the HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
    "a TLS record": b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03" * 8 + b"\r\n\r\n",
    "noise": bytes(random.Random(7).randbytes(3000)).replace(b"\n", b"") + b"\r\n\r\n",
    "zeros": b"\0" * 4096 + b"\r\n\r\n",
    "a response": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "CONNECT inside": head(start=f"CONNECT {HOST}:443 HTTP/1.1"),
}
# Where the request ends is certain all the same: the connection may go on with the next one.
MAY_GO_ON = {title for title in MALFORMED if "Host" in title}
TOO_LARGE = {
    "a large field": head("X: " + "a" * 70000),
    "many fields": head(*(f"X-{n}: {'y' * 200}" for n in range(400))),
    "very many small fields": head(*(f"X{n}: y" for n in range(5000))),
    "a long target": head(start=f"GET /{'a' * 70000} HTTP/1.1"),
    "a long method": head(start=f"{'A' * 70000} / HTTP/1.1"),
    "a head that never ends": b"GET /hostile HTTP/1.1\r\n" + b"X: y\r\n" * 50000,
    "a first line that never ends": b"G" * 300000,
}
BAD_CHUNKS = {
    "no hexadecimal": b"zz\r\nabc\r\n0\r\n\r\n",
    "an empty size": b"\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-3\r\nabc\r\n0\r\n\r\n",
    "a size that overflows": b"fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
    "a size with 0x": b"0x3\r\nabc\r\n0\r\n\r\n",
    "a space before the size": b" 3\r\nabc\r\n0\r\n\r\n",
    "no CRLF after the data": b"3\r\nabcXX0\r\n\r\n",
    "more data than said": b"3\r\nabcd\r\n0\r\n\r\n",
    "LF after the size": b"3\nabc\n0\n\n",
    "a bare CR in an extension": b"3;a\rb\r\nabc\r\n0\r\n\r\n",
    "an LF in an extension": b"3;a\nb\r\nabc\r\n0\r\n\r\n",
    "an endless extension": b"3;" + b"x" * 200000 + b"\r\nabc\r\n0\r\n\r\n",
    "endless zeros": b"0" * 200000 + b"3\r\nabc\r\n0\r\n\r\n",
    "a bad trailer": b"3\r\nabc\r\n0\r\nbad trailer\r\n\r\n",
    "a folded trailer": b"3\r\nabc\r\n0\r\nX: a\r\n b\r\n\r\n",
    "a trailer that would frame": b"3\r\nabc\r\n0\r\nContent-Length: 5\r\n\r\n",
    "endless trailers": b"3\r\nabc\r\n0\r\n" + b"X: y\r\n" * 50000,
}


def absolute(data):
    """The same request in absolute form, where there is a target to change."""
    return data.replace(b" /", f" http://{HOST}/".encode(), 1)


def send(client, data):
    """The proxy may close while we still send."""
    try:
        client.send(data)
    except (ConnectionError, ssl.SSLError):
        pass


def check_refused(paraph, world, provider, client, data, statuses, may_go_on=False):
    before = len(provider.records)
    send(client, data + GOOD)
    answer = client.answer_or_close()
    assert answer is None or answer.status in statuses, answer
    if answer is not None:
        answer.problem(answer.status, "http_request_error", "http_request_denied")
        follows = client.answer_or_close()
        if may_go_on and follows is not None:
            assert follows.verified()["target"] == "/after"
        else:
            assert follows is None or follows.status in statuses, (
                "after such an error the rest must not be read as a request"
            )
    client.close()
    seen = [r.target for r in provider.records[before:] if r.complete or r.target == b"/after"]
    assert not [t for t in seen if t.startswith(b"/hostile") or (t == b"/after" and not may_go_on)], (
        f"the provider saw {seen}"
    )
    ask(paraph, f"{world.URL}/still").verified()


BY_BOTH_WAYS = pytest.mark.parametrize("way", ["tunnel", "absolute"])


def open_way(paraph, world, way):
    return paraph.raw(f"{world.HOST}:443") if way == "tunnel" else paraph.raw()


@BY_BOTH_WAYS
@pytest.mark.parametrize("title", MALFORMED)
def test_malformed_heads(paraph, world, provider, way, title):
    data = MALFORMED[title] if way == "tunnel" else absolute(MALFORMED[title])
    if title == "CONNECT inside" and way == "absolute":
        pytest.skip("outside of a tunnel it is an ordinary CONNECT")
    if title in ("an empty Host", "a Host with a comma") and way == "absolute":
        # The target counts, whatever Host says (RFC 9112, section 3.2.2).
        with paraph.raw() as client:
            client.exchange(data).verified()
        return
    statuses = (400, 403, 405, 421, 501, 505)
    check_refused(paraph, world, provider, open_way(paraph, world, way), data, statuses, title in MAY_GO_ON)


@BY_BOTH_WAYS
@pytest.mark.parametrize("title", TOO_LARGE)
def test_heads_that_are_too_large(paraph, world, provider, way, title):
    data = TOO_LARGE[title] if way == "tunnel" else absolute(TOO_LARGE[title])
    check_refused(paraph, world, provider, open_way(paraph, world, way), data, (400, 414, 431))


@BY_BOTH_WAYS
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain"], ids=["form", "text"])
@pytest.mark.parametrize("title", BAD_CHUNKS)
def test_bad_chunks(paraph, world, provider, way, kind, title):
    data = head(f"Content-Type: {kind}", "Transfer-Encoding: chunked") + BAD_CHUNKS[title]
    data = data if way == "tunnel" else absolute(data)
    check_refused(paraph, world, provider, open_way(paraph, world, way), data, (400, 431, 413, 502))


@BY_BOTH_WAYS
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"G",
        b"GET /hostile HTTP/1.1\r\nHost",
        head("Content-Length: 100") + b"abc",
        head("Transfer-Encoding: chunked") + b"5\r\nab",
        head("Content-Type: application/x-www-form-urlencoded", "Content-Length: 9") + b"a=1",
    ],
    ids=["nothing", "one byte", "half a head", "half a body", "half a chunk", "half a form"],
)
def test_half_a_request_and_then_nothing(paraph, world, provider, way, data):
    before = len(provider.records)
    client = open_way(paraph, world, way)
    client.send(data if way == "tunnel" else absolute(data))
    client.close()
    ask(paraph, f"{world.URL}/still").verified()
    assert not [r for r in provider.records[before:] if r.target.startswith(b"/hostile") and r.complete]


@pytest.mark.parametrize(
    "url",
    [
        "http://user:secret@api.test.example/hostile",
        "http:///hostile",
        "http://api.test.example:99999/hostile",
        "http://api.test.example:x/hostile",
        "ftp://api.test.example/hostile",
        "gopher://api.test.example/",
        "http:/api.test.example/hostile",
        "http://[::1/hostile",
        "http://api.test.example#/hostile",
        "http://api test.example/hostile",
        "http://api.test.example\\hostile",
        "javascript:alert(1)",
        "http://%61pi.test.example/hostile",
    ],
)
def test_absolute_forms_that_are_none(paraph, world, provider, url):
    before = len(provider.records)
    with paraph.raw() as client:
        client.send(f"GET {url} HTTP/1.1\r\nHost: {HOST}\r\n\r\n")
        answer = client.answer_or_close()
        assert answer is None or (answer.from_the_proxy and answer.status in (400, 403, 421, 502)), answer
    assert not [r for r in provider.records[before:] if b"hostile" in r.target]
    ask(paraph, f"{world.URL}/still").verified()


@BY_BOTH_WAYS
def test_a_request_in_single_bytes(paraph, world, way):
    data = request("POST", "/x?a=1", HOST, [("Content-Type", "application/x-www-form-urlencoded")], b"b=2&c=%2F")
    with open_way(paraph, world, way) as client:
        for byte in data if way == "tunnel" else absolute(data):
            client.send(bytes([byte]))
        assert client.receive().verified()["body_length"] == 9


@BY_BOTH_WAYS
def test_a_chunked_body_in_single_bytes(paraph, world, way):
    data = (
        head("Content-Type: text/plain", "Transfer-Encoding: chunked", start="PUT /x HTTP/1.1")
        + b'3;x="y"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n'
    )
    with open_way(paraph, world, way) as client:
        for byte in data if way == "tunnel" else absolute(data):
            client.send(bytes([byte]))
        assert client.receive().verified()["body_length"] == 13


@BY_BOTH_WAYS
@pytest.mark.parametrize("size", [20, 30, 33, 40, 50, 60])
def test_a_large_head_in_pieces(paraph, world, way, size):
    """Below the limit of 64 KiB, and more than one read of a socket gives."""
    data = request("GET", "/x", HOST, [("X-Large", "x" * size * 1024), ("X-Last", "y")])
    data = data if way == "tunnel" else absolute(data)
    with open_way(paraph, world, way) as client:
        for start in range(0, len(data), 5000):
            client.send(data[start : start + 5000])
            wait_until(lambda: paraph.has_read_everything(client), "the proxy to read on")
        assert ["X-Last", "y"] in client.receive().verified()["fields"]


def test_empty_lines_before_a_request(paraph, world):
    """RFC 9112, section 2.2: at least one is to be ignored."""
    with paraph.raw(f"{world.HOST}:443") as client:
        assert client.exchange(b"\r\n" + GOOD).verified()["target"] == "/after"


def test_bytes_before_the_answer_to_connect(paraph, world):
    """A client may start TLS without waiting for the 200."""
    context = ssl.create_default_context(cafile=str(paraph.ca))
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_hostname=HOST)
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    with paraph.raw() as client:
        client.send(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}:443\r\n\r\n".encode() + outgoing.read())
        assert client.receive("CONNECT").status == 200
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                assert client.wire.buffer or client.wire.fill()
                incoming.write(client.wire.buffer)
                client.wire.buffer = b""
        assert tls.getpeercert()["subjectAltName"] == (("DNS", HOST),)


def test_noise_inside_a_tunnel_instead_of_tls(paraph, world, provider):
    for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 70000, random.Random(3).randbytes(10000)):
        with paraph.raw(f"{world.HOST}:443", tls=False) as client:
            send(client, noise)
            try:
                client.wire.socket.recv(1000)
            except ConnectionError:
                pass
        ask(paraph, f"{world.URL}/still").verified()


@BY_BOTH_WAYS
def test_mutated_requests(paraph, world, provider, way):
    """Bytes changed at random: no answer but an error or a rightly signed one, and no crash."""
    noise = random.Random(11)
    original = (
        head(
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: 7",
            "X: y",
            start="POST /mutated?q=1 HTTP/1.1",
        )
        + b"a=1&b=2"
    )
    original = original if way == "tunnel" else absolute(original)
    for _ in range(300):
        data = bytearray(original)
        for _ in range(noise.randint(1, 3)):
            place = noise.randrange(len(data))
            kind = noise.randrange(3)
            if kind == 0:
                data[place] = noise.choice(b"\r\n\0 :%&=\xff;,/?#@[]\tA0")
            elif kind == 1:
                del data[place]
            else:
                data[place:place] = noise.choice(
                    [b"\r\n", b" ", b"\n", b"%", b":", b"Content-Length: 5\r\n", b"\r\n\r\n", b"\x80"]
                )
        with open_way(paraph, world, way) as client:
            send(client, bytes(data))
            # A mutation of the length may make the request wait for more.
            client.end_sending()
            try:
                answer = client.receive()
                assert answer.from_the_proxy or answer.value("x-verified") == "yes", (bytes(data), answer)
            except (Closed, ConnectionError, ssl.SSLError):
                pass
    ask(paraph, f"{world.URL}/still").verified()
