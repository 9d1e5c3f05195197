"""Requests with awkward targets: what arrives is what was sent, byte for byte, and is signed as what it is."""

import pytest

from harness import rfc5849
from harness.clients import Request
from harness.raw import ask, request

# What curl puts on the wire as it is given (--globoff --path-as-is).
AS_GIVEN = {
    "nothing": "/",
    "one parameter": "/a?x=1",
    "duplicate names": "/a?a=2&a=1&b=&a=1",
    "sorted after encoding": "/a?a%20b=1&a=2&A=3&a%C3%9F=4&a~=5",
    "empty value": "/a?a=&b=",
    "no value": "/a?a&b&c=1",
    "empty name": "/a?=x&=",
    "empty query": "/a?",
    "empty pairs": "/a?a=1&&b=2&",
    "plus and %20": "/a?q=a+b%20c%2Bd",
    "lower-case escapes": "/a?q=%c3%a9%2f%3d&%c3%a9=1",
    "needless escapes": "/a?%61=%62%7e%2D",
    "escaped slash and dots": "/a%2Fb/%2e%2e/c%2f",
    "dot segments": "/a/../b/./c/..",
    "double slashes": "/a//b//",
    "semicolon in the path": "/a;v=1/b;w=2;",
    "semicolon in the query": "/a?a;b=1;c&d=2;e",
    "equals in the value": "/a?a=b=c==",
    "question marks": "/a?a=?b?c&?=1",
    "sub-delims": "/a!$&'()*+,:@~?a=!$'()*,:@~/",
    "unicode": "/%E2%98%83?q=%E4%BD%A0%E5%A5%BD&%E2%82%AC=1",
    "bytes that are not UTF-8": "/a?q=%FF%80&r=%C3",
    "byte zero": "/a?q=a%00b",
    "escaped ampersand and equals": "/a?a%26b=c%3Dd&a%3D=%26",
    "escaped percent": "/a%2525?q=%2541%25",
    "protocol-like name": "/a?oauth_like=1&x_auth_mode=2",
    "four kilobytes": "/a?" + "&".join(f"name{n}=value%20{n}" for n in range(200)),
    "raw brackets": "/a?f[a][]=1&f[b]=2&[=]",
    "raw quotes": "/a?q=\"x\"&'y'=1",
    "raw pipe, caret, backslash": "/a?a|b=c|d&e^f=g\\h",
    "raw braces and backtick": "/a?{a}=`b`",
    "raw angle brackets": "/a?<a>=b<c",
}
# What neither the grammar nor every parser allows: a proxy may sign what is there, or say that it is malformed.
MALFORMED = {
    "raw UTF-8": "/é?q=é☃&ö=1",
    "raw Latin-1": b"/a?q=\xe9&\xff=1",
    "percent alone": "/a?p=100%&q=1",
    "percent and no hex": "/a?q=%zz&r=%4",
    "percent in the path": "/a%zz/b%",
}


def as_bytes(target):
    return target if isinstance(target, bytes) else target.encode()


def check(description, target, host):
    assert description["target"].encode("latin-1") == as_bytes(target)
    assert description["user"] == "default"
    assert [v for n, v in description["fields"] if n.lower() == "host"] == [host]


def exchange(paraph, world, scheme, target):
    """One GET of exactly these bytes."""
    with paraph.raw(*[f"{world.HOST}:443"] * (scheme == "https")) as client:
        data = as_bytes(target) if scheme == "https" else f"http://{world.HOST}".encode() + as_bytes(target)
        return client.exchange(request("GET", data, world.HOST))


@pytest.mark.parametrize("target", AS_GIVEN.values(), ids=AS_GIVEN.keys())
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_bytes_stay_as_they_are(paraph, world, scheme, target):
    check(exchange(paraph, world, scheme, target).verified(), target, world.HOST)


# Where curl itself writes another target than it was given.
CURL_ALTERS = {("http", "empty query")}


@pytest.mark.parametrize("title", AS_GIVEN)
@pytest.mark.parametrize("scheme", ["https", "http"])
def test_curl(paraph, world, curl, scheme, title):
    target = AS_GIVEN[title]
    description = curl.send(paraph, Request(f"{scheme}://{world.HOST}".encode() + as_bytes(target))).verified()
    if (scheme, title) not in CURL_ALTERS:
        check(description, target, world.HOST)


@pytest.mark.parametrize("target", MALFORMED.values(), ids=MALFORMED.keys())
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_is_malformed_is_signed_as_it_is_or_refused(paraph, world, scheme, target):
    answer = exchange(paraph, world, scheme, target)
    if answer.from_the_proxy:
        answer.problem(400, "http_request_error")
    else:
        check(answer.verified(), target, world.HOST)


# What every client's own URL type lets through, if not always as it was written.
FOR_EVERY_CLIENT = {
    "duplicate names": "/a?a=2&a=1&b=&a=1",
    "no value": "/a?a&b&c=1",
    "plus and %20": "/a?q=a+b%20c%2Bd",
    "lower-case escapes": "/a?q=%c3%a9%2f%3d",
    "escaped slash": "/a%2Fb/c",
    "semicolons": "/a;v=1/b?a;b=1;c",
    "empty pairs": "/a?a=1&&b=2&",
    "unicode": "/%E2%98%83?q=%E4%BD%A0",
    "sub-delims": "/a!$'()*,:@~?a=!$'()*,:@~/?",
}


@pytest.mark.parametrize("target", FOR_EVERY_CLIENT.values(), ids=FOR_EVERY_CLIENT.keys())
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_every_client(paraph, world, client, scheme, target):
    description = client.send(paraph, Request(f"{scheme}://{world.HOST}{target}")).verified()
    _, _, asked = target.encode().partition(b"?")
    _, _, got = description["target"].encode().partition(b"?")
    assert rfc5849.form_pairs(got) == rfc5849.form_pairs(asked)


def test_oauthlib_judged_where_it_can(paraph, world, curl):
    assert curl.send(paraph, Request(f"{world.URL}/a?b=1&a=%20")).verified()["by"] == ["rfc5849", "oauthlib"]


def test_an_empty_path_becomes_a_slash(paraph, world):
    for target, expected in ((f"http://{world.HOST}", "/"), (f"http://{world.HOST}?a=1", "/?a=1")):
        with paraph.raw() as client:
            client.send(f"GET {target} HTTP/1.1\r\nHost: {world.HOST}\r\n\r\n")
            assert client.receive().verified()["target"] == expected


@pytest.mark.parametrize(
    "host", ["api.test.example", "API.Test.Example", "api.test.example:443", "Api.test.EXAMPLE:443"]
)
def test_case_and_default_port_of_the_host_are_no_difference(paraph, world, host):
    ask(paraph, f"{world.URL}/a?b=1", host=host).verified()
    ask(paraph, f"https://{host}/a?b=1", host="api.test.example").verified()
