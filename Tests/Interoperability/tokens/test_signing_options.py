"""Every signature method, placement and option of an API's `oauth1` block, verified by the provider."""

import pytest
from cryptography.hazmat.primitives.serialization import PrivateFormat

from harness.clients import Request
from harness.raw import ask

FORM = "application/x-www-form-urlencoded"
METHODS = ["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]


def host(title):
    return f"{title.lower()}.test.example"


@pytest.fixture(scope="module")
def signers(launch_for_session, world, provider, tmp_path_factory):
    """One host for each option."""
    folder = tmp_path_factory.mktemp("keys")
    apis = {}

    def add(title, rsa_form=None, application=None, accounts=None, **oauth1):
        application = application or provider.new_application(rsa_key=rsa_form is not None)
        if rsa_form:
            key = folder / f"{title}.pem"
            key.write_bytes(application.private_key[rsa_form])
            oauth1["private_key"] = {"file": str(key)}
        apis[title] = world.api([host(title)], application, accounts, oauth1=oauth1)

    for method in METHODS:
        rsa_form = (
            {"RSA-SHA1": PrivateFormat.TraditionalOpenSSL}.get(method, PrivateFormat.PKCS8)
            if method[0] == "R"
            else None
        )
        add(method, rsa_form, signature_method=method)
        for placement in ("query", "body"):
            add(f"{method}-{placement}", rsa_form, signature_method=method, placement=placement)
        if method != "PLAINTEXT":
            for kind in ("on", "always"):
                add(f"{method}-hash-{kind}", rsa_form, signature_method=method, body_hash=kind)
    add("realm", realm='The "best" \\ realm, really')
    add("no-version", include_version=False)
    for kind in ("omit", "send"):
        add(f"empty-{kind}", accounts={"default": {"two_legged": True}}, empty_token=kind)
    return launch_for_session(world.configuration(apis))


def parameters_of(provider, answer):
    return provider.records[answer.json["record"]].verdict.parameters


@pytest.mark.parametrize("method", METHODS)
def test_signature_methods(signers, provider, curl, method):
    for asked in (
        Request(f"https://{host(method)}/x?b=%2F&a=1&a"),
        Request(f"https://{host(method)}/x?b=2", "POST", {"Content-Type": FORM}, b"c=3+4&a=%C3%A9"),
        Request(f"http://{host(method)}/x", "POST", {"Content-Type": "application/json"}, b"{}"),
    ):
        answer = curl.send(signers, asked)
        answer.verified()
        assert parameters_of(provider, answer)["oauth_signature_method"] == method


@pytest.mark.parametrize("method", METHODS)
def test_placement_in_the_query(signers, provider, curl, method):
    for target in ("/x", "/x?", "/x?b=%2f+&a=1&a", "/x?[raw]='&%zz" if method == "HMAC-SHA1" else "/x?c"):
        if "%zz" in target:
            target = target.replace("&%zz", "")
        answer = curl.send(signers, Request(f"https://{host(method + '-query')}{target}"))
        description = answer.verified()
        assert provider.records[description["record"]].verdict.placement == "query"
        assert "authorization" not in [n.lower() for n, _ in description["fields"]]
        assert description["target"].startswith(target.rstrip("?")), "what the client sent stays as it is, and first"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("body", [b"a=1", b"b=%2f+&a=1&a", b""], ids=["one", "three", "empty"])
@pytest.mark.parametrize("chunked", [False, True], ids=["with-length", "chunked"])
def test_placement_in_the_body(signers, provider, curl, method, body, chunked):
    asked = Request(f"https://{host(method + '-body')}/x?q=1", "POST", {"Content-Type": FORM}, body, chunked=chunked)
    description = curl.send(signers, asked).verified()
    record = provider.records[description["record"]]
    assert record.verdict.placement == "body"
    assert "authorization" not in [n.lower() for n, _ in description["fields"]]
    assert record.body.startswith(body)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "PLAINTEXT"])
def test_body_hash(signers, provider, curl, method):
    for kind in ("on", "always"):
        title = host(f"{method}-hash-{kind}")
        for body in (b'{"a": 1}', b""):
            for chunked in (False, True):
                asked = Request(
                    f"https://{title}/x", "POST", {"Content-Type": "application/json"}, body, chunked=chunked
                )
                answer = curl.send(signers, asked)
                answer.verified()
                if body or kind == "always":
                    assert "oauth_body_hash" in parameters_of(provider, answer)
        answer = curl.send(signers, Request(f"https://{title}/x?a=1"))
        answer.verified()
        assert ("oauth_body_hash" in parameters_of(provider, answer)) == (kind == "always")
    answer = curl.send(
        signers, Request(f"https://{host(f'{method}-hash-on')}/x", "POST", {"Content-Type": FORM}, b"a=1")
    )
    answer.verified()
    assert "oauth_body_hash" not in parameters_of(provider, answer)


def test_realm(signers, provider, curl):
    description = curl.send(signers, Request(f"https://{host('realm')}/x")).verified()
    assert provider.records[description["record"]].verdict.realm == b'The "best" \\ realm, really'


def test_version(signers, provider, curl, paraph, world):
    assert "oauth_version" not in parameters_of(
        provider, curl.send(signers, Request(f"https://{host('no-version')}/x"))
    )
    assert parameters_of(provider, curl.send(paraph, Request(f"{world.URL}/x")))["oauth_version"] == "1.0"


def test_empty_token(signers, provider, curl):
    for kind, expected in (("omit", None), ("send", "")):
        answer = curl.send(signers, Request(f"https://{host(f'empty-{kind}')}/x"))
        answer.verified()
        assert parameters_of(provider, answer).get("oauth_token") == expected


def test_an_account_may_have_its_own_application(launch, world, provider, curl):
    other = provider.new_application()
    token = other.issue("other")
    accounts = {
        "default": world.issued(world.tokens["default"]),
        "other": {
            **world.issued(token),
            "oauth1": {"consumer_key": other.key, "consumer_secret": other.secret, "signature_method": "HMAC-SHA256"},
        },
    }
    paraph = launch(world.configuration({"main": world.api(accounts=accounts)}))
    for account, key, method in (("default", world.application.key, "HMAC-SHA1"), ("other", other.key, "HMAC-SHA256")):
        answer = curl.send(paraph, Request(f"{world.URL}/x", headers={"Paraph-Account": account}))
        assert answer.verified()["user"] == account
        found = parameters_of(provider, answer)
        assert (found["oauth_consumer_key"], found["oauth_signature_method"]) == (key, method)


def test_nonces_and_timestamps(paraph, world, provider):
    """Every request has a nonce of its own; that the provider refuses a second use is its own test."""
    nonces = set()
    with paraph.raw(f"{world.HOST}:443") as client:
        for number in range(200):
            client.send(f"GET /n{number} HTTP/1.1\r\nHost: {world.HOST}\r\n\r\n")
            nonces.add(parameters_of(provider, client.receive())["oauth_nonce"])
    assert len(nonces) == 200 and min(map(len, nonces)) >= 8


def test_a_bracketed_literal_is_signed_as_in_host(paraph, world, provider):
    description = ask(paraph, f"https://{world.main6.address}/x").verified()
    assert (
        f"https%3A%2F%2F%5B%3A%3A1%5D%3A{world.main6.port}%2Fx"
        in provider.records[description["record"]].verdict.base_string
    )
