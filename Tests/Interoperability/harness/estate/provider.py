"""A provider that grants what is asked rightly, and that a test can make say anything else."""

import json
import re
from dataclasses import dataclass, field

from .. import rfc5849
from ..call import Hangup
from ..echoes import Reply
from .planted import VISIBLE_TAIL


@dataclass
class Sent:
    """What the provider answered a request, as it went on the wire."""

    fields: list = field(default_factory=list)
    body: bytes = b""


class Providing:
    """The part of an estate that answers for every API. `script` has what is said instead, by path."""

    def handle(self, call):
        call.read_body()
        path = call.record.target.split(b"?")[0].decode("latin-1")
        reply = (self.script.get(path) or self.usual)(call)
        if reply.raw is not None:
            call.send(reply.raw)
            raise Hangup
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        fields = [("Content-Type", reply.content_type), *reply.fields]
        self.sent[call.record.number] = Sent([(n, v) for n, v in fields], body)
        call.respond(reply.status, fields, body, reply.reason)

    def say(self, path, reply):
        """From now on `reply` is the answer to every request for `path`, and the others are answered as usual."""
        self.script = {path: lambda call: reply}

    def usual(self, call):
        """What a provider does that works."""
        path = call.record.target.split(b"?")[0].decode("latin-1")
        form = {n.decode(): v.decode() for n, v in rfc5849.form_pairs(call.record.body)}
        if path.startswith("/token/"):
            return self.grant(path.removeprefix("/token/"), form)
        if path in ("/oauth/request_token", "/oauth/access_token"):
            return self.exchange(call, path, form)
        if path.startswith("/xauth/"):
            return self.exchange_password(call, form)
        if path.startswith("/legs/"):
            return self.three_legs(call, path)
        user = self.user(call)
        if user is None:
            return Reply(401, call.record.refused or "not authorized", "text/plain")
        body = {"id": self.ids.get(user, user), "echo": (call.head.value(b"authorization") or b"").decode("latin-1")}
        return Reply(200, json.dumps(body), "application/json", (("X-Verified", "yes"),))

    def user(self, call):
        """Who is asking, by whatever authorization."""
        value = (call.head.value(b"authorization") or b"").decode("latin-1")
        found = re.fullmatch(r'(?:Bearer (\S+)|Token token="([^"]+)")', value)
        if found:
            return self.oauth2_tokens.get(found.group(1) or found.group(2))
        call.check_alone()
        return call.record.verdict and (call.record.verdict.token.user or "application")

    def grant(self, name, form):
        """The password grant, and the refreshing of what it brought. Refresh tokens rotate."""
        if form.get("grant_type") == "refresh_token" or "refresh_token" in form:
            user = self.refresh_tokens.pop(form.get("refresh_token", ""), None)
        else:
            expected = {f"user of {name}": self.passwords[name], **self.oauth2_grants}
            user = form.get("username")
            user = user if user and expected.get(user) == form.get("password") else None
        if user is None:
            return Reply(400, '{"error":"invalid_grant"}', "application/json")
        return self.issue_access_token(user)

    def issue_access_token(self, user, expires_in=3600):
        token = self.plant(f"access token for {user}", VISIBLE_TAIL)
        refresh = self.plant(f"refresh token for {user}")
        self.oauth2_tokens[token], self.refresh_tokens[refresh] = user, user
        body = {
            "access_token": token,
            "refresh_token": refresh,
            "expires_in": expires_in,
            "token_type": "bearer",
            "id_token": self.plant("id token"),
            "scope": "all",
            "user": {"client_secret": self.client_secrets["members"]},
            "session": self.passwords["members"],
        }
        return Reply(200, json.dumps(body), "application/json")

    def exchange(self, call, path, form):
        call.check_alone()
        if call.record.verdict is None:
            return Reply(401, f"Failed to validate oauth signature and token ({call.record.refused})", "text/html")
        flow = self.signed.reverse_auth
        step = flow.first if path == "/oauth/request_token" else flow.second
        outcome = step(call.record.verdict, rfc5849.form_pairs(call.record.body))
        return Reply(200, outcome) if isinstance(outcome, str) else Reply(outcome.status, outcome.text)

    def exchange_password(self, call, form):
        call.check_alone()
        if call.record.verdict is None or form.get("x_auth_password") != self.xauth_password:
            return Reply(401, "Could not authenticate you", "text/plain")
        token = call.record.verdict.application.issue("xauth")
        return self.form_of(token, screen_name="Señor", x_auth_expires="0", password=self.xauth_password)

    def three_legs(self, call, path):
        call.check_alone()
        verdict = call.record.verdict
        if verdict is None:
            return Reply(401, call.record.refused or "no", "text/plain")
        if path == "/legs/request_token":
            token = verdict.application.issue("nobody yet", "temporary secret")
            self.callback = verdict.parameters.get("oauth_callback")
            self.temporary[token.value] = self.plant("verifier", "")
            return self.form_of(token, oauth_callback_confirmed="true")
        expected = self.temporary.get(verdict.token.value)
        # OAuth Core 1.0 has none.
        if verdict.parameters.get("oauth_verifier", expected) != expected:
            return Reply(401, "oauth_problem=verifier_invalid", "text/plain")
        return self.form_of(verdict.application.issue("person"), username="person", consumer=self.signed.secret)

    @staticmethod
    def form_of(token, **more):
        pairs = {"oauth_token": token.value, "oauth_token_secret": token.secret, **more}
        return Reply(200, "&".join(f"{n}={rfc5849.encode(v)}" for n, v in pairs.items()))
