"""The suite's own instruments: that the provider accepts what is right, refuses what is not, and can fail a test."""

import itertools
import json
import secrets
from urllib.parse import quote_plus

import pytest
import requests
from oauthlib.oauth1 import Client as OAuthlibClient
from oauthlib.oauth2 import InvalidGrantError, LegacyApplicationClient
from requests.adapters import BaseAdapter
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth1Session, OAuth2Session

from harness import rfc5849
from harness.known import Known
from harness.login import Browser
from harness.password_grant import PasswordGrant
from harness.raw import RawClient, request
from harness.three_legged import ThreeLegged
from harness.vectors import VECTORS


@pytest.fixture
def direct(world):
    """A connection straight to the provider."""
    with RawClient(world.other.address) as client:
        client.start_tls("localhost", world.certificates.root_file)
        yield client


def signed(world, uri, method="GET", **options):
    token = world.tokens["alice"]
    client = OAuthlibClient(world.application.key, world.application.secret, token.value, token.secret, **options)
    body = "a=1&b=two+words" if method == "POST" else None
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    _, headers, body = client.sign(uri, method, body, headers)
    return headers, body and body.encode()


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("signature_method", ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "PLAINTEXT"])
def test_what_oauthlib_signs_is_verified(world, direct, method, signature_method):
    target = "/x?b=2&a=1&a=%C3%A9"
    headers, body = signed(world, f"https://localhost{target}", method, signature_method=signature_method)
    description = direct.exchange(request(method, target, "localhost", headers.items(), body)).verified()
    assert description["user"] == "alice"
    assert description["by"] == ["rfc5849", "oauthlib"]


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda target, headers: (target + "&c=3", headers), "signature_invalid"),
        (lambda target, headers: (target.replace("a=1", "a=2"), headers), "signature_invalid"),
        (lambda target, headers: ("/y" + target[2:], headers), "signature_invalid"),
        (lambda target, headers: (target, headers.replace('oauth_version="1.0", ', "")), "signature_invalid"),
        (lambda target, headers: (target, headers.replace('oauth_nonce="', 'oauth_nonce="1')), "signature_invalid"),
        (lambda target, headers: (target, headers.replace('oauth_token="', 'oauth_token="1')), "token_rejected"),
        (
            lambda target, headers: (target, headers.replace('consumer_key="', 'consumer_key="1')),
            "consumer_key_unknown",
        ),
        (lambda target, headers: (target, headers + ', oauth_nonce="2"'), "parameter_rejected"),
        (lambda target, headers: (target, headers.replace("OAuth ", "Bearer ")), "parameter_absent"),
    ],
)
def test_what_was_altered_is_refused(world, direct, change, problem):
    target = "/x?b=2&a=1"
    headers, _ = signed(world, f"https://localhost{target}")
    target, headers["Authorization"] = change(target, headers["Authorization"])
    answer = direct.exchange(request("GET", target, "localhost", headers.items()))
    assert answer.status == 401
    assert problem in answer.value("www-authenticate")


def test_a_nonce_counts_once(world, direct):
    headers, _ = signed(world, "https://localhost/x")
    data = request("GET", "/x", "localhost", headers.items())
    direct.exchange(data).verified()
    assert "nonce_used" in direct.exchange(data).value("www-authenticate")


def test_a_rule_broken_towards_the_provider_is_seen(world, provider):
    with RawClient(world.main.address) as client:
        client.start_tls("localhost", world.certificates.root_file)
        client.exchange(
            request("GET", "/x", "localhost", [("Paraph-Account", "alice"), ("Proxy-Authorization", "Basic x")])
        )
    violations, provider.violations = provider.violations, []
    assert [v for v in violations if "Paraph-Account" in v] and [v for v in violations if "Proxy-Authorization" in v]
    assert [v for v in violations if "Via" in v]


@pytest.mark.parametrize("length", [1, 7, 8, 14, 15, 16, 40])
def test_a_known_string_is_found_wherever_it_begins(length):
    known, others = Known(), [secrets.token_hex(30) for _ in range(100)]
    one = secrets.token_hex(length)[:length]
    known.update(others)
    assert not known.found_in("-" * 100 + others[0][:-1] + "-" + others[1][1:])
    known.add(one)
    for lead, rest in itertools.product(range(9), repeat=2):
        text = "-" * lead + one + "-" * rest
        assert known.found_in(text) == known.found_in(text.encode()) == [one]
    assert others[0] in known.found_in("é" + others[0])


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["kind"] == "request"], ids=lambda v: v["id"])
def test_the_suites_own_base_strings_are_the_published_ones(vector):
    asked = vector["request"]
    scheme, _, rest = asked["url"].partition("://")
    authority, slash, target = rest.encode().partition(b"/")
    if not slash:
        authority, mark, query = authority.partition(b"?")
        target = mark + query
    path, _, query = (slash + target).partition(b"?")
    host = (asked["host_header"] or "").encode() or authority
    pairs = rfc5849.form_pairs(query) + [(n.encode(), v.encode()) for n, v in vector["oauth_params"]]
    if rfc5849.is_form((asked["content_type"] or "").encode()):
        pairs += rfc5849.form_pairs((asked["body"] or "").encode())
    pairs = [p for p in pairs if p[0] != b"oauth_signature"]
    normalized = rfc5849.normalize(pairs)
    uri = rfc5849.base_uri(scheme.lower().encode(), host, path)
    assert normalized == vector["expected"]["normalized_params"]
    assert rfc5849.base_string(asked["method"].encode(), uri, normalized) == vector["expected"]["base_string"]


def test_the_answer_is_json(direct):
    answer = direct.exchange(request("GET", "/unsigned", "localhost"))
    assert answer.status == 401 and json.loads(answer.body)["verified"] is False


# Ways to a token, with an independent client


def session(world, application, **options):
    found = OAuth1Session(application.key, application.secret, **options)
    found.trust_env = False
    found.verify = str(world.certificates.root_file)
    return found


def leg(world, server, name):
    return f"https://localhost:{world.other.port}{server.path}/{name}"


LEGS = {
    "HMAC-SHA1, a PIN": ({"pin_digits": 7}, {}),
    "HMAC-SHA256 with a realm": ({"methods": ("HMAC-SHA256",), "realm": "1234567_SB1"}, {"realm": "1234567_SB1"}),
    "PLAINTEXT": ({"methods": ("PLAINTEXT",)}, {}),
    "text/html": ({"content_type": "text/html; charset=utf-8"}, {}),
}


@pytest.mark.parametrize("title", LEGS)
@pytest.mark.parametrize("callback", ["oob", "http://127.0.0.1:9/done"])
def test_three_legs_with_requests_oauthlib(world, provider, certificates, title, callback):
    quirks, options = LEGS[title]
    server = ThreeLegged(provider, provider.new_application(), **quirks)
    client = session(
        world, server.application, callback_uri=callback, signature_method=server.quirks.methods[0], **options
    )
    temporary = client.fetch_request_token(leg(world, server, "request_token"), realm=server.realms)
    assert temporary["oauth_callback_confirmed"] == "true"
    address = client.authorization_url(leg(world, server, "authorize"))
    browser = Browser(certificates)
    if callback == "oob":
        verifier = browser.pin(address)
        assert server.quirks.pin_digits in (None, len(verifier))
    else:
        browser.session.mount("http://", Unreachable())
        found = client.parse_authorization_response(browser.approve(address).url)
        assert found["oauth_token"] == temporary["oauth_token"]
        verifier = found["oauth_verifier"]
    token = client.fetch_access_token(leg(world, server, "access_token"), verifier=verifier)
    assert token["oauth_token"] == server.issued[0].value and server.issued[0].user == "alice"
    assert client.get(f"https://localhost:{world.other.port}/x?a=1").json()["user"] == "alice"
    with pytest.raises(Exception, match="401"):
        client.fetch_access_token(leg(world, server, "access_token"), verifier=verifier)


def test_a_wrong_verifier_is_refused(world, provider, certificates):
    server = ThreeLegged(provider, provider.new_application(), pin_digits=6)
    client = session(world, server.application, callback_uri="oob")
    client.fetch_request_token(leg(world, server, "request_token"))
    pin = Browser(certificates).pin(client.authorization_url(leg(world, server, "authorize")))
    with pytest.raises(Exception, match="401"):
        client.fetch_access_token(leg(world, server, "access_token"), verifier=f"1{pin}")
    assert not server.issued


@pytest.mark.parametrize("authentication", ["body", "basic"])
def test_a_password_grant_with_requests_oauthlib(world, provider, authentication):
    server = PasswordGrant(provider, authentication=authentication)
    password = server.new_user("alice")
    client = OAuth2Session(client=LegacyApplicationClient(server.client.client_id))
    client.trust_env = False
    client.verify = str(world.certificates.root_file)
    url = f"https://localhost:{world.other.port}{server.path}/token.json"
    # What RFC 6749 has encoded before it is joined, requests leaves as it is.
    basic = authentication == "basic" and HTTPBasicAuth(
        quote_plus(server.client.client_id), quote_plus(server.client.secret)
    )
    own = {"auth": basic} if basic else {"include_client_id": True, "client_secret": server.client.secret}
    token = client.fetch_token(url, username="alice", password=password, **own)
    assert client.get(f"https://localhost:{world.other.port}{server.path}/me").json()["id"] == "alice"
    secrets = {} if basic else {"client_id": server.client.client_id, "client_secret": server.client.secret}
    fresh = client.refresh_token(url, refresh_token=token["refresh_token"], auth=basic or None, **secrets)
    assert fresh["access_token"] != token["access_token"]
    with pytest.raises(InvalidGrantError):
        client.refresh_token(url, refresh_token=token["refresh_token"], auth=basic or None, **secrets)
    with pytest.raises(InvalidGrantError):
        client.fetch_token(url, username="alice", password="wrong", **own)


class Unreachable(BaseAdapter):
    """Where the browser would be sent to, nobody listens: it shows the address all the same."""

    def send(self, request, **_):
        found = requests.Response()
        found.status_code, found.url, found.request = 200, request.url, request
        return found

    def close(self):
        pass
