"""POST /register: each claim is proved to the provider, and from then on requests are signed as the account."""

import json
from urllib.parse import urlencode

import pytest

from harness.applications import Failure, remember, secret
from harness.clients import Request
from harness.password_grant import PasswordGrant
from harness.raw import ask
from harness.waiting import wait_until

TOKEN = "admin-token-of-the-tests"
IDS = {"oauth1": "123456789012345678901", "bearer": "1000042", "password": "alice@test.example"}


class Scene:
    """A provider for each access type, and a proxy that enrols with all three."""

    def __init__(self, world, launch, token=None, **more):
        self.world, self.token = world, token
        self.application = world.provider.new_application()
        self.behaviour = {}
        self.members = PasswordGrant(world.provider)
        self.bearers = {}
        verify = world.provider.exchange_route(self.verify_credentials)
        me = world.provider.exchange_route(self.me)
        self.graph = world.provider.route(self.answer_bearer)
        apis = {
            "twitter": world.api(("api.test.example",), self.application, {}),
            "facebook": {**world.api(("graph.test.example",), accounts={}), "bearer": {}},
            "members": {**world.api(("members.test.example",), accounts={}), "oauth2": self.members.settings(world)},
        }
        apis["members"]["oauth2"]["token_url"] = f"https://members.test.example{self.members.path}/token.json"
        for name in ("facebook", "members"):
            del apis[name]["oauth1"]
        enrolment = {
            "access_types": {
                0: {"api": "members"},
                1: {"api": "facebook", "verify_url": f"https://graph.test.example{me}/me", "id": "id"},
                2: {
                    "api": "twitter",
                    "verify_url": f"https://api.test.example{verify}/verify_credentials.json",
                    "id": "id_str",
                },
            },
            **({"token": token} if token else {}),
        }
        self.paraph = launch(world.configuration(apis, enrolment=enrolment, **more))

    # The providers

    def verify_credentials(self, call):
        verdict = call.verify()
        if "oauth1" in self.behaviour:
            return self.behaviour["oauth1"](call)
        if not verdict or not verdict.token.value:
            return call.respond(
                401, [("Content-Type", "application/x-www-form-urlencoded")], f"oauth_problem={call.record.problem}"
            )
        answer = {"id": int(verdict.token.user), "id_str": verdict.token.user, "screen_name": "x"}
        call.respond(200, [("Content-Type", "application/json")], json.dumps(answer))

    def bearer_of(self, call):
        call.read_body()
        values = [v.decode() for v in call.record.values("authorization")]
        return self.bearers.get(values[0].removeprefix("Bearer ")) if len(values) == 1 else None

    def me(self, call):
        user = self.bearer_of(call)
        if "bearer" in self.behaviour:
            return self.behaviour["bearer"](call)
        if not user:
            challenge = [("WWW-Authenticate", 'Bearer realm="graph", error="invalid_token"')]
            return call.respond(401, challenge, json.dumps({"error": {"message": "Invalid token", "code": 190}}))
        call.respond(200, [("Content-Type", "application/json")], json.dumps({"id": user}))

    def answer_bearer(self, call):
        user = self.bearer_of(call)
        call.respond(200, [("X-Verified", "yes" if user else "no")], json.dumps({"verified": bool(user), "user": user}))

    # Claims

    def claim(self, kind, user=None):
        """The fields of a true claim."""
        user = user or IDS[kind]
        if kind == "oauth1":
            token = self.application.issue(user)
            return {"access_type": "2", "passkey": user, "passcode": f"{token.value}:{token.secret}"}
        if kind == "bearer":
            value = remember("EAAB" + secret("").replace("+", ""))
            self.bearers[value] = user
            return {"access_type": "1", "passkey": user, "passcode": value}
        return {"access_type": "0", "passkey": user, "passcode": self.members.new_user(user)}

    def register(self, claim, as_json=False, token=True):
        body, kind = (
            (json.dumps(claim), "application/json")
            if as_json
            else (urlencode(claim), "application/x-www-form-urlencoded")
        )
        answer = self.paraph.administer("POST", "/register", body, kind, self.token if token else None)
        assert answer.value("content-type").startswith("application/json"), repr(answer)
        assert claim.get("passcode", "-") not in answer.body.decode() or claim["passcode"] == "", repr(answer)
        return answer

    def accounts(self):
        answer = self.paraph.administer("GET", "/accounts", token=self.token)
        assert answer.status == 200, repr(answer)
        return {(a["api"], a["account"]) for a in answer.json["accounts"]}

    def use(self, kind, user=None):
        """A request as the enrolled account."""
        path = {"oauth1": "/x", "bearer": self.graph, "password": self.members.resource}[kind]
        host = {"oauth1": "api", "bearer": "graph", "password": "members"}[kind]
        fields = [("Paraph-Account", user or IDS[kind])]
        return ask(self.paraph, f"https://{host}.test.example{path}", fields=fields)


API = {"oauth1": "twitter", "bearer": "facebook", "password": "members"}


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
    found = scene(timeouts={"response_header": "1s", "drain": "5s"})
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
