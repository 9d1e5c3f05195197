"""Providers of each access type, and a proxy that enrols accounts with them."""

import json
from urllib.parse import urlencode

from .applications import remember, secret
from .password_grant import PasswordGrant
from .raw import ask

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
