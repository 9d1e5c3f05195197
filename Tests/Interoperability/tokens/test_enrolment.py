"""POST /register: each claim is proved to the provider, and from then on requests are signed as the account."""

import json
from urllib.parse import urlencode

import pytest

from harness.applications import Failure, remember
from harness.clients import Request
from harness.enrolment import API, IDS, TOKEN, Scene
from harness.waiting import wait_until


@pytest.fixture
def scene(world, launch):
    return lambda **options: Scene(world, launch, **options)


@pytest.mark.parametrize("as_json", [False, True], ids=["form", "JSON"])
@pytest.mark.parametrize("kind", API)
def test_a_true_claim(scene, kind, as_json):
    found = scene()
    found.use(kind).problem(403, "http_request_denied")
    claim = found.claim(kind)
    answer = found.register(claim, as_json)
    assert answer.status == 201, repr(answer)
    expected = {"error": False, "message": "USER_CREATED_SUCCESSFULLY", "account": IDS[kind]}
    assert {n: answer.json[n] for n in expected} == expected
    assert found.use(kind).verified()["user"] == IDS[kind], "without a restart"
    again = found.register(claim, as_json)
    assert (again.status, again.json["message"], again.json["error"]) == (200, "USER_ALREADY_EXISTED", False)
    assert found.accounts() == {(API[kind], IDS[kind])}


@pytest.mark.parametrize("kind", API)
def test_an_account_survives_a_kill(scene, kind):
    """What was acknowledged is on the disk."""
    found = scene()
    assert found.register(found.claim(kind)).status == 201
    found.paraph.kill()
    found.paraph.start()
    assert found.use(kind).verified()["user"] == IDS[kind]


@pytest.mark.parametrize("kind", API)
def test_new_credentials_replace_the_old_ones(scene, kind):
    found = scene()
    first = found.claim(kind)
    assert found.register(first).status == 201
    second = found.claim(kind)
    assert found.register(second).status in (200, 201)
    if kind == "oauth1":
        found.application.tokens[first["passcode"].partition(":")[0]].revoked = True
    if kind == "bearer":
        del found.bearers[first["passcode"]]
    assert found.use(kind).verified()["user"] == IDS[kind]
    assert found.accounts() == {(API[kind], IDS[kind])}


def test_a_number_is_taken_as_it_is_written(scene):
    found = scene()
    claim = {**found.claim("bearer"), "access_type": 1, "passkey": int(IDS["bearer"])}
    assert found.register(claim, as_json=True).json["account"] == IDS["bearer"]


MISSING = {
    ("access_type", "passkey", "passcode"): {},
    ("passkey", "passcode"): {"access_type": "2"},
    ("passcode",): {"access_type": "2", "passkey": "1", "passcode": ""},
    ("access_type",): {"passkey": "1", "passcode": "a:b"},
}


@pytest.mark.parametrize("as_json", [False, True], ids=["form", "JSON"])
@pytest.mark.parametrize("missing", MISSING)
def test_missing_fields_are_named(scene, missing, as_json):
    found = scene()
    answer = found.register(MISSING[missing], as_json)
    assert answer.status == 400
    assert answer.json == {"error": True, "message": f"Required field(s) {', '.join(missing)} missing or empty"}


def refused(answer, status=401):
    assert answer.status == status, repr(answer)
    assert answer.json["error"] is True and answer.json["message"] == "USER_CREATION_FAILED"
    assert len(answer.json["detail"]) > 15
    return answer.json["detail"]


@pytest.mark.parametrize("kind", API)
def test_a_false_claim(scene, kind):
    found = scene()
    claim = found.claim(kind)
    claim["passcode"] = {"oauth1": claim["passcode"] + "x", "bearer": "EAAB-wrong-one", "password": "wrong-password"}[
        kind
    ]
    refused(found.register(claim))
    assert not found.accounts()
    found.use(kind).problem(403, "http_request_denied")


@pytest.mark.parametrize("kind", ["oauth1", "bearer"])
def test_the_passcode_of_somebody_else(scene, kind):
    found = scene()
    claim = {**found.claim(kind, "77"), "passkey": "78"}
    refused(found.register(claim))
    assert not found.accounts()


DOWN = {
    "503": lambda call: call.respond(503, [("Content-Type", "text/html")], "Over capacity"),
    "nonsense": lambda call: call.respond(200, [("Content-Type", "text/html")], "<html>"),
    "no id": lambda call: call.respond(200, [("Content-Type", "application/json")], '{"name":"x"}'),
    "a redirect": lambda call: call.respond(302, [("Location", "https://elsewhere.test.example/")]),
}


@pytest.mark.parametrize("title", DOWN)
@pytest.mark.parametrize("kind", ["oauth1", "bearer"])
def test_a_provider_that_is_down_or_talks_nonsense(scene, kind, title):
    found = scene()
    claim = found.claim(kind)
    found.behaviour[kind] = DOWN[title]
    refused(found.register(claim), 502)
    assert not found.accounts()
    found.behaviour.clear()
    assert found.register(claim).status == 201


def test_a_provider_that_closes(scene):
    found = scene()

    def close(call):
        call.wire.socket.close()
        call.close = True

    found.behaviour["bearer"] = close
    refused(found.register(found.claim("bearer")), 502)


def test_a_provider_that_is_silent(scene):
    found = scene(timeouts={"response_header": "500ms"})
    found.behaviour["bearer"] = lambda call: call.wire.fill()
    refused(found.register(found.claim("bearer")), 504)
    assert not found.accounts()


def test_a_token_endpoint_that_is_down(scene):
    found = scene()
    claim = found.claim("password")
    found.members.failures = [Failure(503, "Over capacity")]
    refused(found.register(claim), 502)
    assert found.register(claim).status == 201


def test_an_untrusted_provider(scene, world, certificates, launch):
    """The same TLS policy as for every request: a stranger's certificate is not asked."""
    found = scene()
    impostor = world.provider.listen(certificates.untrusted)
    claim = found.claim("bearer")
    found.paraph.configuration["apis"]["facebook"]["connect_to"] = impostor.address
    found.paraph.rewrite()
    assert found.paraph.stop() == 0
    found.paraph.start()
    detail = refused(found.register(claim), 502)
    assert "certificate" in detail.lower() or "trust" in detail.lower(), detail
    assert impostor.requests == 0


# The list, and who may ask


def test_removing_an_account(scene):
    found = scene()
    for kind in API:
        assert found.register(found.claim(kind)).status == 201
    assert found.accounts() == {(API[k], IDS[k]) for k in API}
    path = f"/accounts/members/{IDS['password'].replace('@', '%40')}"
    assert found.paraph.administer("DELETE", path).status in (200, 204)
    assert found.paraph.administer("DELETE", path).status == 404
    assert found.accounts() == {(API[k], IDS[k]) for k in ("oauth1", "bearer")}
    found.use("password").problem(403, "http_request_denied")
    assert found.use("oauth1").verified()


def test_the_list_holds_no_secret(scene):
    found = scene()
    claims = [found.claim(kind) for kind in API]
    for claim in claims:
        assert found.register(claim).status == 201
    text = found.paraph.administer("GET", "/accounts").body.decode()
    for claim in claims:
        assert not [part for part in claim["passcode"].split(":") if part in text]


@pytest.mark.parametrize(
    "method, path", [("POST", "/register"), ("GET", "/accounts"), ("DELETE", "/accounts/twitter/1")]
)
def test_the_token_is_asked_for(scene, method, path):
    remember(TOKEN)
    found = scene(token=TOKEN)
    body = urlencode(found.claim("bearer")) if method == "POST" else None
    for token in (None, "wrong", TOKEN + "x"):
        answer = found.paraph.administer(method, path, body, "application/x-www-form-urlencoded", token)
        assert answer.status == 401 and answer.value("www-authenticate").startswith("Bearer"), repr(answer)
    assert not found.accounts()
    answer = found.paraph.administer(method, path, body, "application/x-www-form-urlencoded", TOKEN)
    assert answer.status == {"POST": 201, "GET": 200, "DELETE": 404}[method]
    assert found.paraph.admin("/healthz")[0] == 200 and found.paraph.admin("/readyz")[0] == 200


def test_many_enrolments_and_clients(scene, client):
    found = scene()
    for number in range(20):
        assert found.register(found.claim("bearer", str(5000 + number))).status == 201
    for number in (0, 7, 19):
        headers = {"Paraph-Account": str(5000 + number)}
        answer = client.send(found.paraph, Request(f"https://graph.test.example{found.graph}", headers=headers))
        assert answer.verified()["user"] == str(5000 + number)


def test_an_access_token_of_an_enrolled_account_is_refreshed(scene):
    found = scene()
    assert found.register(found.claim("password")).status == 201
    found.use("password").verified()
    found.members.revoke_access_tokens()
    found.use("password").verified()
    found.members.revoke_access_tokens()
    found.members.revoke_refresh_tokens()
    wait_until(lambda: found.use("password").status == 200, "a new access token")
    assert found.members.kinds == ["password", "refresh", "refresh", "password"]


def test_a_revoked_token_of_an_enrolled_account(scene):
    found = scene()
    claim = found.claim("oauth1")
    assert found.register(claim).status == 201
    found.application.tokens[claim["passcode"].partition(":")[0]].revoked = True
    assert "token refused" in found.use("oauth1").diagnosis(401).lower()


# `paraph accounts`, while the proxy runs


def test_accounts_on_the_command_line(scene):
    found = scene()
    for kind in API:
        assert found.register(found.claim(kind)).status == 201
    code, said = found.paraph.command("accounts", "list")
    assert code == 0, said
    for kind in API:
        assert API[kind] in said and IDS[kind] in said, said
    code, said = found.paraph.command("accounts", "show", "twitter", IDS["oauth1"])
    assert code == 0 and IDS["oauth1"] in said and "enrol" in said.lower(), said
    code, said = found.paraph.command("accounts", "remove", "twitter", IDS["oauth1"])
    assert code == 0, said
    wait_until(lambda: found.use("oauth1").status == 403, "the running proxy to notice")
    assert found.accounts() == {(API[k], IDS[k]) for k in ("bearer", "password")}
    code, said = found.paraph.command("accounts", "remove", "twitter", IDS["oauth1"])
    assert code != 0 and IDS["oauth1"] in said, said


def test_accounts_as_json(scene):
    found = scene()
    for kind in API:
        assert found.register(found.claim(kind)).status == 201
    code, said = found.paraph.command("accounts", "list", "--json")
    listed = [json.loads(line) for line in said.splitlines()]
    assert code == 0 and {(one["api"], one["account"]) for one in listed} == {(API[k], IDS[k]) for k in API}, said
    code, said = found.paraph.command("accounts", "show", f"twitter/{IDS['oauth1']}", "--json")
    shown = json.loads(said)
    assert code == 0 and shown["origin"] == "enrolment" and shown["used"] is True and shown["reason"] is None, said
    assert said == found.paraph.command("accounts", "list", "twitter", "--long", "--json")[1]
    code, said = found.paraph.command("accounts", "list", "twitter/nobody", f"twitter/{IDS['oauth1']}")
    assert code == 65 and IDS["oauth1"] in said and "holds nothing for twitter/nobody" in said, said
    code, said = found.paraph.command("accounts", "remove", "twitter/nobody", f"twitter/{IDS['oauth1']}", "--json")
    assert code == 65 and [json.loads(line)["removed"] for line in said.splitlines()] == [False, True], said
    rest = found.paraph.command("accounts", "list", "--json")[1]
    code, said = found.paraph.command("accounts", "remove", "--stdin", stdin=rest)
    assert code == 0 and len(said.splitlines()) == len(API) - 1, said
    assert found.paraph.command("accounts", "list") == (0, "")
