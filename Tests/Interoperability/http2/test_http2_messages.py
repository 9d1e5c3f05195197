"""HTTP/2 on either side and on both: what goes through is the same as by HTTP/1.1, and signed as it arrives."""

import json

import pytest

from harness.http2_client import HTTP2Client
from harness.http2_connection import CODES
from harness.http2_server import ServerConnection
from harness.http2_sides import FORM, OCTET_STREAM, client_of, record_of
from harness.raw import request
from harness.streams import digest_of, stream
from harness.waiting import wait_until


@pytest.fixture
def client(versions, proxies, world):
    with client_of(versions, proxies, world.HOST) as made:
        yield made


# Messages


QUERIES = ["?a=1&b=%20x&a=0", "?x=a+b&y=%C3%A9&z", "?p=%7E~*%2A&q=[]{}|^", "?&&=&a==b;c=d"]


@pytest.mark.parametrize("query", QUERIES)
def test_a_request_is_signed_as_it_arrives(client, versions, provider, query):
    answer = client.exchange("GET", f"/a%2Fb/c;d{query}", [("X-Two", "1"), ("X-Two", "2")])
    described = answer.verified()
    record = record_of(provider, answer)
    assert record.target == f"/a%2Fb/c;d{query}".encode()
    assert (record.values("x-two"), record.values("host")) == ([b"1", b"2"], [b"api.test.example"])
    assert described["user"] == "default" and len(record.values("via")) == 1
    assert record.values("via")[0].startswith(b"1.1 " if versions[0] == 1 else b"2 ")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_form_is_signed_with_its_parameters(client, chunked):
    described = client.exchange("POST", "/form?q=1", FORM, b"a=1&b=%26+x&c=%C3%A9&a=", chunked).verified()
    assert described["body_length"] == 23


@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_each_way(client, provider, versions, size, chunked):
    body = b"".join(stream(size))

    def handler(call):
        call.verify()
        call.begin(200, [("X-Verified", "yes" if call.record.verdict else "no")], None if chunked else size)
        for at in range(0, size, 70_001):
            call.write(body[at : at + 70_001])
        call.finish()

    answer = client.exchange("PUT", provider.route(handler), OCTET_STREAM, body, chunked)
    record = record_of(provider, answer)
    assert (answer.value("x-verified"), record.body_sha256) == ("yes", digest_of(size))
    assert answer.body == body
    assert answer.values("content-length") == ([] if chunked else [str(size)])
    assert record.values("content-length") == ([] if chunked else [b"%d" % size])
    framing = [b"chunked"] if chunked and versions[1] == 1 else []
    assert record.values("transfer-encoding") == framing


@pytest.mark.parametrize("kind", [OCTET_STREAM, FORM])
def test_trailers_both_ways(client, provider, kind):
    def handler(call):
        call.verify()
        call.begin(200, [("Trailer", "X-Sum")])
        call.write(b"abc")
        call.finish([("x-sum", "900150983cd24fb0"), ("x-other", "2")])

    fields = [*kind, ("TE", "trailers"), ("Trailer", "X-Mark")]
    answer = client.exchange("POST", provider.route(handler), fields, b"12345", True, [("x-mark", "m1")])
    assert answer.body == b"abc"
    assert [(n.lower(), v) for n, v in answer.trailers] == [("x-sum", "900150983cd24fb0"), ("x-other", "2")]
    record = record_of(provider, answer)
    assert [(n.lower(), v) for n, v in record.trailers] == [(b"x-mark", b"m1")]
    assert (record.body, record.values("te")) == (b"12345", [b"trailers"])


def test_early_hints_come_before_the_answer(client, provider):
    def handler(call):
        call.verify()
        call.interim(103, [("Link", "</a.css>; rel=preload")])
        call.interim(102)
        call.answer()

    answer = client.exchange("GET", provider.route(handler))
    answer.verified()
    assert answer.informational == [103, 102]


@pytest.mark.parametrize("method, status", [("HEAD", 200), ("GET", 204), ("GET", 304), ("HEAD", 404), ("DELETE", 205)])
def test_answers_without_a_body(client, provider, method, status):
    def handler(call):
        call.verify()
        fields = [("ETag", '"x"')]
        call.respond(status, fields, b"" if status != 404 else b"not here")

    path = provider.route(handler)
    for _ in range(2):
        answer = client.exchange(method, path)
        assert (answer.status, answer.body, answer.value("etag")) == (status, b"", '"x"')
    client.exchange("GET", "/next").verified()


@pytest.mark.parametrize("method, status", [("GET", 200), ("POST", 201), ("DELETE", 202), ("PUT", 205), ("GET", 404)])
def test_answers_that_end_with_their_head(client, provider, versions, method, status):
    """By HTTP/2 they need no length; servers in Node do not send one."""

    def handler(call):
        call.verify()
        if versions[1] == 2:
            call.begin(status, [("ETag", '"x"')], ends=True)
        else:
            call.begin(status, [("ETag", '"x"')], 0)

    path = provider.route(handler)
    for _ in range(2):
        answer = client.exchange(method, path)
        assert (answer.status, answer.body, answer.value("etag")) == (status, b"", '"x"')
        assert answer.values("content-length") == ([] if versions == (2, 2) else ["0"])
    client.exchange("GET", "/next").verified()


@pytest.mark.parametrize("method, length", [("POST", [b"0"]), ("PUT", [b"0"]), ("GET", []), ("DELETE", [])])
def test_a_request_that_ends_with_its_head_has_a_length_where_servers_insist(client, provider, versions, method, length):
    if versions[0] == 1:
        pytest.skip("by HTTP/1.1 it is the client that says so")
    record = record_of(provider, client.exchange(method, "/m"))
    assert record.values("content-length") == (length if versions[1] == 1 else [])


@pytest.mark.parametrize("method", ["OPTIONS", "PATCH", "DELETE", "PROPFIND"])
def test_every_method(client, provider, method):
    answer = client.exchange(method, "/m", OCTET_STREAM, b"x")
    assert record_of(provider, answer).method == method
    answer.verified()


def test_credentials_of_the_client_are_replaced(client, provider):
    answer = client.exchange("GET", "/x", [("Authorization", "Bearer of-the-client"), ("Paraph-Account", "alice")])
    assert answer.verified()["user"] == "alice"
    (value,) = record_of(provider, answer).values("authorization")
    assert value.startswith(b"OAuth ")


def test_cookie_crumbs(proxies, world, provider, listeners):
    """RFC 9113, section 8.2.3: one field by HTTP/1.1."""
    for version in (1, 2):
        with HTTP2Client(proxies[version], world.HOST) as client:
            answer = client.exchange("GET", "/x", [("cookie", "a=b"), ("cookie", "c=d"), ("cookie", "e=f")])
            answer.verified()
            cookies = record_of(provider, answer).values("cookie")
            assert b"; ".join(cookies) == b"a=b; c=d; e=f"
            assert version == 2 or len(cookies) == 1


def test_the_access_log_tells_it(client, proxies, versions, provider):
    paraph = proxies[versions[1]]
    before = len(paraph.lines)
    client.exchange("PUT", "/logged?secret=1", OCTET_STREAM, b"12345").verified()

    def entries():
        found = [json.loads(line) for line in paraph.lines[before:] if "/logged" in line]
        return [e for e in found if "status" in e]

    (entry,) = wait_until(entries, "the access log")
    assert entry["status"] == 200 and entry["method"] == "PUT", entry


# Expect


@pytest.mark.parametrize("fields", [OCTET_STREAM, FORM])
def test_expect_continue(client, versions, provider, fields):
    """A body that is not signed waits for the upstream's word, one that is signed for the proxy's."""
    path = provider.route(lambda call: call.answer())
    fields = [*fields, ("Expect", "100-continue"), ("Content-Length", "5")]
    if versions[0] == 1:
        client.raw.send(request("POST", path, client.host, fields))
        assert client.raw.receive_informational() == 100
        client.raw.send(b"a=1&b")
        answer = client.raw.receive()
    else:
        one = client.request("POST", path, fields, ends=False)
        client.wait(lambda: client.streams[one].informational)
        client.send(one, b"a=1&b", ends=True)
        answer = client.answer(one)
        assert answer.informational == [100]
    assert answer.verified()["body_length"] == 5


def test_an_answer_before_the_body_is_wanted(client, versions, provider):
    """Refused by its head alone: the body is never sent, and the client is told."""

    def handler(call):
        call.check_alone()
        call.close = True
        call.respond(417)
        if versions[1] == 2:
            call.abort(CODES.NO_ERROR)

    path = provider.route(handler)
    fields = [*OCTET_STREAM, ("Expect", "100-continue"), ("Content-Length", "5000000")]
    if versions[0] == 1:
        client.raw.send(request("POST", path, client.host, fields))
        assert client.raw.receive().status == 417
    else:
        one = client.request("POST", path, fields, ends=False)
        client.wait(lambda: client.streams[one].has_ended)
        assert client.answer(one).status == 417
        client.wait(lambda: client.streams[one].reset is not None)
        assert client.streams[one].reset == CODES.NO_ERROR
        client.exchange("GET", "/next").verified()


# Tokens


def test_a_refused_token_is_replaced(launch, world, provider, certificates):
    listener = provider.listen(certificates.good, http2=ServerConnection)
    application = provider.new_application()
    accounts = {"default": world.reverse_auth_account(application)}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts, listener)}))
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("GET", "/x").verified()
        for token in application.tokens.values():
            token.revoked = bool(token.value)
        streams = [client.request("POST", "/x", FORM, b"a=%d" % n) for n in range(10)]
        for one in streams:
            client.answer(one).verified()
    assert application.reverse_auth.second_steps == 2
