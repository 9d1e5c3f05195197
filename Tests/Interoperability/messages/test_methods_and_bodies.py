"""Methods, forms, other bodies, 100-continue and chunked requests, from every client."""

import hashlib
import json
import random

import pytest

from harness.clients import Request
from harness.raw import ask, request

FORM = "application/x-www-form-urlencoded"
FORM_BODY = b"status=Hello+W%C3%B6rld%21&a=2&a=1&empty=&flag&%5Bx%5D=%2B"
MULTIPART = (
    b'--limit\r\nContent-Disposition: form-data; name="field"\r\n\r\na=1&b=2\r\n'
    b'--limit\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n'
    + bytes(range(256)) * 40
    + b"\r\n--limit--\r\n"
)
BODIES = {
    "form": (FORM, FORM_BODY),
    "form with charset": (f"{FORM}; charset=UTF-8", FORM_BODY),
    "form in another case": ("Application/X-WWW-Form-URLEncoded;CHARSET=utf-8", FORM_BODY),
    "empty form": (FORM, b""),
    "json": ("application/json", json.dumps({"text": "a=1&b=2", "n": [1, 2]}).encode()),
    "multipart": ("multipart/form-data; boundary=limit", MULTIPART),
    "bytes": ("application/octet-stream", bytes(range(256)) * 300),
    "form-like type": ("application/x-www-form-urlencoded-not", b"a=1&b=2"),
    "text that looks like a form": ("text/plain", b"a=1&b=2"),
}


def check_body(description, body):
    assert description["body_length"] == len(body)
    assert description["body_sha256"] == hashlib.sha256(body).hexdigest()


def names(description):
    return [n.lower() for n, _ in description["fields"]]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_methods(paraph, world, client, method):
    description = client.send(paraph, Request(f"{world.URL}/m?a=1", method)).verified()
    assert description["method"] == method


def test_head(paraph, world, client):
    answer = client.send(paraph, Request(f"{world.URL}/m?a=1", "HEAD"))
    assert (answer.status, answer.value("x-verified"), answer.body) == (200, "yes", b"")
    assert int(answer.value("content-length")) > 100


@pytest.mark.parametrize("method", ["PROPFIND", "PURGE", "REPORT", "M-SEARCH"])
def test_methods_beyond_the_usual(paraph, world, curl, method):
    assert curl.send(paraph, Request(f"{world.URL}/m", method)).verified()["method"] == method


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("method", ["X-MINE", "get", "GETS", "QUERY", "query", "!odd'*~"])
def test_any_token_is_a_method(paraph, world, curl, scheme, method):
    assert curl.send(paraph, Request(f"{scheme}://{world.HOST}/m", method)).verified()["method"] == method


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_posts(paraph, world, client, kind, scheme):
    content_type, body = BODIES[kind]
    answer = client.send(
        paraph, Request(f"{scheme}://{world.HOST}/p?q=1", "POST", {"Content-Type": content_type}, body)
    )
    check_body(answer.verified(), body)


@pytest.mark.parametrize("kind", ["form", "form with charset", "json", "multipart", "bytes"])
def test_chunked_posts(paraph, world, client, kind):
    if "chunked" in client.cannot:
        pytest.skip(f"{client.name} cannot send a chunked body")
    content_type, body = BODIES[kind]
    answer = client.send(paraph, Request(f"{world.URL}/p", "POST", {"Content-Type": content_type}, body, chunked=True))
    description = answer.verified()
    check_body(description, body)
    if kind.startswith("form"):
        assert "content-length" in names(description) and "transfer-encoding" not in names(description)


@pytest.mark.parametrize("kind", ["form", "json", "bytes"])
@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
def test_expect_continue(paraph, world, client, kind, chunked):
    if "continue" in client.cannot or (chunked and "chunked" in client.cannot):
        pytest.skip(f"{client.name} cannot wait for 100 (Continue)")
    content_type, body = BODIES[kind]
    answer = client.send(
        paraph,
        Request(f"{world.URL}/p", "POST", {"Content-Type": content_type}, body, chunked=chunked, expect_continue=True),
    )
    check_body(answer.verified(), body)
    if client.name == "curl":
        assert answer.informational == [100]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "PROPFIND"])
def test_a_form_is_signed_whatever_the_method(paraph, world, curl, method):
    description = curl.send(paraph, Request(f"{world.URL}/f?q=1", method, {"Content-Type": FORM}, FORM_BODY)).verified()
    check_body(description, FORM_BODY)
    assert description["method"] == method


AWKWARD_FORMS = {
    "raw brackets and quotes": b"f[a][]=1&f[b]=\"2\"&'c'=<d>",
    "raw UTF-8": "ä=ö&☃=1".encode(),
    "raw Latin-1": b"\xe4=\xf6",
    "not UTF-8": b"a=%FF%C3",
    "lower-case escapes": b"a=%c3%a9&b=%2f",
    "line ends": b"a=1\r\nb=2&c=%0D%0A",
    "empty pairs": b"&&a=1&&=&",
    "semicolons": b"a=1;b=2",
    "byte zero": b"a=\0b",
    "half an escape": b"a=100%&b=%zz",
}


@pytest.mark.parametrize("body", AWKWARD_FORMS.values(), ids=AWKWARD_FORMS.keys())
def test_awkward_forms(paraph, world, curl, body):
    answer = curl.send(paraph, Request(f"{world.URL}/f", "POST", {"Content-Type": FORM}, body))
    if b"%zz" in body and answer.from_the_proxy:
        answer.problem(400, "http_request_error")
    else:
        check_body(answer.verified(), body)


def test_no_content_type_is_no_form(paraph, world):
    check_body(ask(paraph, f"{world.URL}/f", "POST", body=b"a=1&b=2").verified(), b"a=1&b=2")


def test_a_form_up_to_the_limit_is_signed_and_one_above_it_refused(launch, world, curl):
    paraph = launch(world.configuration({"main": world.api(signing={"max_body": "64KiB"})}))
    noise = random.Random(1)
    for chunked in (False, True):
        body = b"a=" + bytes(noise.choices(b"abcdefg%20&=+", k=65536 - 2)).replace(b"%", b".")
        request_ = Request(f"{world.URL}/f", "POST", {"Content-Type": FORM}, body, chunked=chunked)
        check_body(curl.send(paraph, request_).verified(), body)
        request_.body += b"b"
        curl.send(paraph, request_).problem(413, "http_request_error")
        request_.headers = {"Content-Type": "text/plain"}
        check_body(curl.send(paraph, request_).verified(), request_.body)


def test_a_form_too_large_is_refused_before_it_is_sent(paraph, world, provider):
    path = provider.route(lambda call: call.answer())
    with paraph.raw(f"{world.HOST}:443") as client:
        client.send(
            request(
                "POST",
                path,
                world.HOST,
                [
                    ("Content-Type", FORM),
                    ("Content-Length", 1 << 40),
                    ("Expect", "100-continue"),
                ],
            )
        )
        answer = client.receive()
        assert answer.informational == []
        answer.problem(413, "http_request_error")
    assert provider.requests_for(path) == []


def test_many_requests_on_one_connection(paraph, world):
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(60):
            kind = list(BODIES)[number % len(BODIES)]
            content_type, body = BODIES[kind]
            data = request("POST", f"/k{number}", world.HOST, [("Content-Type", content_type)], body)
            check_body(client.exchange(data).verified(), body)
            assert client.exchange(request("HEAD", "/h", world.HOST), "HEAD").value("x-verified") == "yes"
