"""What the proxy says when the provider says no: the answer goes on as it is, with a sentence beside it."""

import gzip
import json

import pytest

from harness.clients import Request
from harness.login import Browser, Login
from harness.raw import ask
from harness.three_legged import ThreeLegged
from harness.waiting import wait_until


@pytest.fixture
def refusing(world, launch):
    """A proxy, and an API that answers every request as it is told to."""

    def start(status, body, fields=(), oauth1=None):
        application = world.provider.new_application()

        def handle(call):
            call.verify()
            values = {"key": application.key, "secret": application.secret, "base": call.record.verdict.base_string}
            text = body(values) if callable(body) else body
            call.respond(status, fields, text)

        path = world.provider.route(handle)
        paraph = launch(world.configuration({"main": world.api((world.HOST,), application, oauth1=oauth1)}))
        return paraph, f"{world.URL}{path}?a=1"

    return start


FORM = [("Content-Type", "application/x-www-form-urlencoded")]
JSON = [("Content-Type", "application/json")]
TEXT = [("Content-Type", "text/plain")]


def errors(code, message):
    return json.dumps({"errors": [{"code": code, "message": message}]})


def mastercard(reason, description):
    entry = {
        "Source": "Gateway",
        "ReasonCode": reason,
        "Description": description,
        "Recoverable": False,
        "Details": None,
    }
    return json.dumps({"Errors": {"Error": [entry]}})


DIALECTS = {
    "token_revoked": (401, "oauth_problem=token_revoked", FORM, "token refused"),
    "token_expired in the challenge": (
        401,
        "",
        [("WWW-Authenticate", 'OAuth realm="x", oauth_problem="token_expired"')],
        "token refused",
    ),
    "nonce_used": (401, "oauth_problem=nonce_used", FORM, "nonce"),
    "parameter_absent": (
        400,
        "oauth_problem=parameter_absent&oauth_parameters_absent=oauth_callback%26oauth_token",
        FORM,
        "oauth_callback",
    ),
    "consumer_key_unknown": (401, "oauth_problem=consumer_key_unknown", FORM, "consumer key unknown"),
    "signature_method_rejected": (400, "oauth_problem=signature_method_rejected", FORM, "signature_method"),
    "X, 89": (401, errors(89, "Invalid or expired token."), JSON, "token refused"),
    "X, 32": (401, errors(32, "Could not authenticate you."), JSON, "could not authenticate you"),
    "X, XML": (
        403,
        '<?xml version="1.0"?><errors><error code="87">Client is not permitted</error></errors>',
        [("Content-Type", "application/xml")],
        "permi",
    ),
    "X, text": (401, "Failed to validate oauth signature and token", TEXT, "signature"),
    "Mastercard": (401, mastercard("AUTHENTICATION_FAILED", "OAuth signatures did not match."), JSON, "signature"),
    "Mastercard, body hash": (400, mastercard("INVALID_BODY_HASH", "The hash does not match"), JSON, "body"),
    "WooCommerce": (
        401,
        json.dumps(
            {"code": "woocommerce_rest_authentication_error", "message": "Consumer key is invalid.", "data": {}}
        ),
        JSON,
        "consumer key",
    ),
    "NetSuite": (
        401,
        json.dumps({"error": {"code": "INVALID_LOGIN_ATTEMPT", "message": "Invalid login attempt."}}),
        [
            *JSON,
            (
                "WWW-Authenticate",
                'OAuth realm="1_SB1", error="token_rejected", error_description="Invalid login attempt."',
            ),
        ],
        "token refused",
    ),
}


@pytest.mark.parametrize("title", DIALECTS)
def test_each_dialect_is_read(refusing, title):
    status, body, fields, words = DIALECTS[title]
    paraph, url = refusing(status, body, fields, {"realm": "1_SB1"} if title == "NetSuite" else None)
    answer = ask(paraph, url)
    assert words in answer.diagnosis(status).lower()
    assert answer.body == body.encode(), "the answer is not altered"
    for name, value in fields:
        assert answer.value(name) == value
    said = answer.diagnosis(status)[:40]
    wait_until(lambda: any(said in line for line in paraph.lines), "the log to say it too")


@pytest.mark.parametrize(
    "status, body, fields",
    [
        (403, '{"message":"You may not see this"}', JSON),
        (400, '{"error":"q is missing"}', JSON),
        (404, "oauth is a fine protocol", TEXT),
        (200, "oauth_problem=token_revoked", FORM),
        (500, "<html>Oops</html>", [("Content-Type", "text/html")]),
    ],
)
def test_other_answers_have_no_diagnosis(refusing, status, body, fields):
    paraph, url = refusing(status, body, fields)
    answer = ask(paraph, url)
    assert (answer.status, answer.body) == (status, body.encode())
    assert not answer.values("proxy-status"), repr(answer)


def test_a_provider_that_repeats_the_secret(refusing):
    """It goes to the client, who is not told more than the provider says; but into no log and no diagnosis."""
    paraph, url = refusing(401, lambda v: f"oauth_problem=signature_invalid&secret={v['secret']}", FORM)
    answer = ask(paraph, url)
    assert answer.diagnosis(401)
    assert b"secret=cs" in answer.body


def test_a_base_string_of_another_making(refusing):
    paraph, url = refusing(
        401, lambda v: f"oauth_problem=signature_invalid&debug_sbs={v['base'].replace('a%3D1', 'a%3D2')}", TEXT
    )
    told = ask(paraph, url).diagnosis(401)
    assert "base string" in told.lower() and "difference" in told.lower(), told


@pytest.mark.parametrize("realm", [None, "1-sb1"])
def test_a_wrong_realm(refusing, realm):
    _, body, fields, _ = DIALECTS["NetSuite"]
    paraph, url = refusing(401, body, fields, {"realm": realm})
    told = ask(paraph, url).diagnosis(401)
    assert "realm wrong" in told.lower() and "1_SB1" in told, told


def test_a_wrong_secret(world, launch, curl):
    application = world.provider.new_application()
    token = application.issue("alice")
    accounts = {"default": {"token": token.value, "token_secret": "wrong-secret-wrong-secret"}}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application, accounts)}))
    told = curl.send(paraph, Request(f"{world.URL}/x")).diagnosis(401)
    assert "signature" in told.lower() and "main" in told, told


def test_a_revoked_token_names_the_command(world, launch, certificates):
    server = ThreeLegged(world.provider, world.provider.new_application())
    accounts = {"alice": {"three_legged": server.settings(world)}}
    paraph = launch(world.configuration({"main": world.api((world.HOST,), server.application, accounts)}))
    for _ in range(2):
        login = Login(paraph, "main", "alice")
        try:
            login.type(Browser(certificates).pin(login.address()))
            assert login.finish()[0] == 0
        finally:
            login.end()
        fields = [("Paraph-Account", "alice")]
        ask(paraph, f"{world.URL}/x", fields=fields).verified()
        server.issued[-1].revoked = True
        told = ask(paraph, f"{world.URL}/x", fields=fields).diagnosis(401)
        assert "`paraph login main --account alice`" in told, told


def test_compressed_refusals_are_read(world, launch):
    body = gzip.compress(b"oauth_problem=token_revoked")

    def handle(call):
        call.verify()
        call.respond(401, [*FORM, ("Content-Encoding", "gzip")], body)

    path = world.provider.route(handle)
    application = world.provider.new_application()
    paraph = launch(world.configuration({"main": world.api((world.HOST,), application)}))
    answer = ask(paraph, f"{world.URL}{path}", fields=[("Accept-Encoding", "gzip")])
    assert "token refused" in answer.diagnosis(401).lower()
    assert answer.body == body
