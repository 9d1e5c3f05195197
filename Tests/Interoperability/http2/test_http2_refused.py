"""Requests by HTTP/2 that are not forwarded, and the proxy's own answers to them."""

import pytest

from harness.http2_client import HTTP2Client
from harness.http2_connection import CODES
from harness.http2_sides import FORM


# Authority, scheme, path


def test_the_authority_is_that_of_connect(proxies, world):
    with HTTP2Client(proxies[2], world.HOST) as client:
        for authority, status in [
            ("other.test.example", 421),
            ("api.test.example:8443", 421),
            ("api.test.example:443", 200),
            ("API.test.example", 200),
        ]:
            answer = client.exchange("GET", "/x", pseudo={":authority": authority})
            assert answer.status == status, authority
            (answer.verified if status == 200 else lambda: answer.problem(421))()


class Loose(HTTP2Client):
    """Sends what RFC 9113 forbids, too."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.h2.config.validate_outbound_headers = False
        self.h2.config.normalize_outbound_headers = False
        self.lower_case = False


def test_host_and_authority_say_the_same(proxies, world, listeners):
    with Loose(proxies[2], world.HOST) as client:
        requests = listeners[2].requests
        client.exchange("GET", "/x", [("host", "other.test.example")]).problem(400)
        assert listeners[2].requests == requests
        client.exchange("GET", "/x", [("host", world.HOST)]).verified()
        client.exchange("GET", "/x", [("host", world.HOST)], pseudo={":authority": None}).verified()


@pytest.mark.parametrize(
    "pseudo, status",
    [
        ({":path": "https://api.test.example/x"}, 400),
        ({":path": "https://other.test.example/x"}, 400),
        ({":path": "x"}, 400),
        ({":path": ""}, 400),
        ({":path": None}, 400),
        ({":scheme": "http"}, 421),
        ({":authority": None}, 400),
        ({":authority": "user@api.test.example"}, 400),
        ({":authority": "api.test.example, other.test.example"}, 400),
        ({":path": "*", ":method": "GET"}, 400),
    ],
)
def test_heads_that_are_not_forwarded(proxies, world, listeners, pseudo, status):
    requests = listeners[2].requests
    with Loose(proxies[2], world.HOST) as client:
        one = client.request(pseudo=pseudo)
        client.wait(lambda: client.streams[one].has_ended or client.streams[one].reset is not None)
        if client.streams[one].has_ended:
            client.answer(one).problem(status)
        else:
            assert client.streams[one].reset == CODES.PROTOCOL_ERROR
        assert listeners[2].requests == requests
        client.exchange("GET", "/next").verified()


@pytest.mark.parametrize(
    "fields",
    [
        [("connection", "close")],
        [("transfer-encoding", "chunked")],
        [("upgrade", "h2c")],
        [("te", "gzip")],
        [("X-Upper", "1")],
        [("x-bad", "a\r\nb: c")],
        [("x bad", "1")],
        [(":path", "/again")],
        [("content-length", "5"), ("content-length", "6")],
    ],
)
def test_fields_that_are_not_forwarded(proxies, world, listeners, fields):
    requests = listeners[2].requests
    with Loose(proxies[2], world.HOST) as client:
        one = client.request(fields=fields)
        client.wait(lambda: client.streams[one].has_ended or client.streams[one].reset is not None)
        if client.streams[one].has_ended:
            client.answer(one).problem(400)
        else:
            assert client.streams[one].reset == CODES.PROTOCOL_ERROR
        assert listeners[2].requests == requests
        client.exchange("GET", "/next").verified()


# Limits


def test_the_proxys_own_answers(fresh, world):
    paraph, listener = fresh({"signing": {"max_body": 10_000}}, limits={"header": "8KiB"})
    with HTTP2Client(paraph, world.HOST) as client:
        client.exchange("POST", "/x", FORM, b"a=" + b"b" * 20_000).problem(413)
        client.exchange("GET", "/x", [("x-large", "a" * 20_000)]).problem(431)
        client.exchange("TRACE", "/x").problem(501)
        client.exchange("GET", "/x", [("paraph-account", "nobody")]).problem(403)
        client.exchange("GET", "/x", [("paraph-account", "alice"), ("paraph-account", "bob")]).problem(400)
        answer = client.exchange("HEAD", "/x", [("paraph-account", "nobody")])
        assert answer.status == 403 and answer.body == b""
        client.exchange("GET", "/x").verified()
    assert listener.requests == 1
