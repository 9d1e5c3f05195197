"""The three legs of RFC 5849, section 2, with oauthlib as the server: temporary credentials, approval, token
credentials. What a provider does differently is switched on for each test."""

import html
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs, parse_qsl, urlencode

from cryptography.hazmat.primitives import serialization
from oauthlib.oauth1 import RequestValidator, WebApplicationServer

from .applications import KNOWN_TOKENS, Token, remember
from .rfc5849 import encode
from .verification import Refused


@dataclass
class Quirks:
    methods: tuple = ("HMAC-SHA1",)
    realm: str | None = None
    needs_user_agent: bool = False
    pin_digits: int | None = None
    # Without these in its query the page where a user approves is refused.
    authorize_parameters: tuple = ()
    content_type: str = "application/x-www-form-urlencoded"
    # OAuth Core 1.0: no callback with the first leg, no confirmation, no verifier.
    version10: bool = False


@dataclass
class Temporary:
    token: str
    secret: str
    callback: str
    user: str | None = None
    verifier: str | None = None
    used: bool = False
    authorize_query: dict = field(default_factory=dict)


class Server(WebApplicationServer):
    def create_verifier(self, request, credentials):
        digits = self.request_validator.quirks.pin_digits
        if digits:
            value = "".join(secrets.choice("0123456789") for _ in range(digits))
        else:
            value = remember(secrets.token_urlsafe(12) + "+/=")
        verifier = {"oauth_token": request.resource_owner_key, "oauth_verifier": value}
        self.request_validator.save_verifier(request.resource_owner_key, verifier, request)
        return verifier


class ThreeLegged(RequestValidator):
    """One provider's endpoints for one application: `path` + /request_token, /authorize, /access_token."""

    def __init__(self, provider, application, **quirks):
        super().__init__()
        self.provider, self.application, self.quirks = provider, application, Quirks(**quirks)
        self.server = Server(self)
        self.server.token_generator = self.make_token
        self.path = provider.exchange_route(self.handle)
        self.temporary = {}
        self.issued = []
        self.requests = {"request_token": 0, "authorize": 0, "access_token": 0}
        # Of each leg: what becomes of the answer's text before it is sent.
        self.alter = {}

    @staticmethod
    def make_token():
        return secrets.token_urlsafe(18) + "/+ é="

    def settings(self, world, callback="oob", **more):
        """The account's `three_legged` block. Only the browser goes to authorize_url: that is another listener."""
        return {
            "request_token_url": f"{world.URL}{self.path}/request_token",
            "authorize_url": f"https://localhost:{world.other.port}{self.path}/authorize",
            "access_token_url": f"{world.URL}{self.path}/access_token",
            **({"callback": callback} if callback else {}),
            **({"version": "1.0"} if self.quirks.version10 else {}),
            **more,
        }

    # Endpoints

    def handle(self, call):
        body = call.read_body().decode("ascii")
        headers = {n.decode(): v.decode("latin-1") for n, v in call.record.fields}
        target = call.record.target.decode("ascii")
        leg = target.partition("?")[0].rpartition("/")[2]
        self.requests[leg] += 1
        call.leg, call.uri = leg, f"https://{call.head.value(b'host').decode()}{target}"
        if self.quirks.needs_user_agent and not {n.lower(): v for n, v in headers.items()}.get("user-agent"):
            return call.respond(403, [("Content-Type", "text/plain")], "Who are you?")
        getattr(self, leg)(call, body, headers)

    def request_token(self, call, body, headers):
        if self.quirks.version10:
            if not call.verify():
                return self.refuse(call)
            token = {"oauth_token": self.make_token(), "oauth_token_secret": self.make_token()}
            self.keep(token, "from the browser")
            return self.send(call, urlencode(token), 200)
        self.answer(call, self.server.create_request_token_response(call.uri, call.record.method, body, headers))

    def access_token(self, call, body, headers):
        if self.quirks.version10:
            return self.access_token_of_version10(call)
        self.answer(call, self.server.create_access_token_response(call.uri, call.record.method, body, headers))

    def access_token_of_version10(self, call):
        """Without a verifier: oauthlib does not know that version, the harness verifies by itself."""
        for one in self.temporary.values():
            if one.user and not one.used:
                self.application.tokens[one.token] = Token(one.token, one.secret, one.user)
        if not call.verify() or call.record.verdict.token.value not in self.temporary:
            return self.refuse(call)
        one = self.temporary[call.record.verdict.token.value]
        one.used = True
        del self.application.tokens[one.token]
        token = self.application.issue(one.user)
        self.issued.append(token)
        self.send(call, urlencode({"oauth_token": token.value, "oauth_token_secret": token.secret}), 200)

    def authorize(self, call, body, headers):
        query = {n: v[0] for n, v in parse_qs(call.uri.partition("?")[2]).items()}
        one = self.temporary.get(query.get("oauth_token"))
        if one is None or one.used or [n for n in self.quirks.authorize_parameters if n not in query]:
            return call.respond(400, [("Content-Type", "text/html")], "<p>No.</p>")
        one.authorize_query = query
        if call.record.method == "GET":
            form = (
                '<form method="post"><input name="user"><button name="decision" value="approve">Approve</button></form>'
            )
            return call.respond(200, [("Content-Type", "text/html; charset=utf-8")], form)
        form = dict(parse_qsl(body))
        if form["decision"] != "approve":
            return self.denied(call, one)
        one.user = form["user"]
        if self.quirks.version10:
            callback = query.get("oauth_callback", "oob")
            if callback == "oob":
                return call.respond(200, [("Content-Type", "text/html")], "<p>Approved.</p>")
            return self.redirect(call, callback, {"oauth_token": one.token})
        fields, text, status = self.server.create_authorization_response(call.uri, "POST", body, headers)
        if status == 302:
            return call.respond(302, [("Location", self.alter.get("redirect", lambda u: u)(fields["Location"]))])
        pin = parse_qs(text)["oauth_verifier"][0]
        call.respond(
            200, [("Content-Type", "text/html; charset=utf-8")], f"<p>PIN: <code>{html.escape(pin)}</code></p>"
        )

    def denied(self, call, one):
        one.used = True
        if one.callback == "oob":
            return call.respond(200, [("Content-Type", "text/html")], "<p>Denied.</p>")
        self.redirect(call, one.callback, {"denied": one.token, "oauth_problem": "user_refused"})

    @staticmethod
    def redirect(call, callback, parameters):
        mark = "&" if "?" in callback else "?"
        call.respond(302, [("Location", f"{callback}{mark}{urlencode(parameters)}")])

    def answer(self, call, outcome):
        _, text, status = outcome
        if status == 200:
            return self.send(call, text, status)
        # oauthlib says nothing of why: the harness's own reading does.
        call.check_alone()
        self.refuse(call, 401, text)

    def refuse(self, call, status=401, text=None):
        problem = call.record.problem or "permission_denied"
        call.respond(status, [("WWW-Authenticate", f'OAuth realm="test", oauth_problem="{problem}"')], text or problem)

    def send(self, call, text, status):
        text = self.alter.get(call.leg, lambda t: t)(text)
        call.respond(status, [("Content-Type", self.quirks.content_type)], text)

    def keep(self, token, callback):
        one = Temporary(token["oauth_token"], remember(token["oauth_token_secret"]), callback)
        KNOWN_TOKENS.update((one.token, encode(one.token)))
        self.temporary[one.token] = one

    # What oauthlib asks

    @property
    def allowed_signature_methods(self):
        return self.quirks.methods

    @property
    def realms(self):
        return [self.quirks.realm] if self.quirks.realm else []

    # The harness looks at the time by the provider's own clock.
    timestamp_lifetime = 10**9
    dummy_client = "nobody"
    dummy_request_token = "nothing"

    def check_client_key(self, client_key):
        return True

    check_request_token = check_access_token = check_verifier = check_client_key

    def check_nonce(self, nonce):
        return 6 <= len(nonce) <= 64 and nonce.isascii()

    def validate_client_key(self, client_key, request):
        return client_key == self.application.key

    def get_client_secret(self, client_key, request):
        return self.application.secret

    def get_request_token_secret(self, client_key, token, request):
        return self.temporary[token].secret if token in self.temporary else "nothing"

    def get_rsa_key(self, client_key, request):
        return self.application.public_key.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ).decode()

    def validate_timestamp_and_nonce(
        self, client_key, timestamp, nonce, request, request_token=None, access_token=None
    ):
        if abs(int(timestamp) - self.provider.now()) > 300:
            return False
        try:
            self.provider.remember_nonce(
                {
                    "oauth_consumer_key": client_key,
                    "oauth_token": request_token or "",
                    "oauth_timestamp": timestamp,
                    "oauth_nonce": nonce,
                }
            )
        except Refused:
            return False
        return True

    def validate_redirect_uri(self, client_key, redirect_uri, request):
        return redirect_uri == "oob" or redirect_uri.startswith(
            ("http://127.0.0.1:", "http://localhost:", "http://[::1]:")
        )

    def get_default_realms(self, client_key, request):
        return self.realms

    def validate_requested_realms(self, client_key, realms, request):
        return self.quirks.realm is None or request.realm == self.quirks.realm

    def validate_realms(self, client_key, token, request, uri=None, realms=None):
        return True

    def verify_realms(self, token, realms, request):
        return True

    def get_realms(self, token, request):
        return self.realms

    def save_request_token(self, token, request):
        self.keep(token, request.redirect_uri)

    def verify_request_token(self, token, request):
        return token in self.temporary and not self.temporary[token].used

    def get_redirect_uri(self, token, request):
        return self.temporary[token].callback

    def save_verifier(self, token, verifier, request):
        self.temporary[token].verifier = verifier["oauth_verifier"]

    def validate_request_token(self, client_key, token, request):
        return token in self.temporary and not self.temporary[token].used

    def validate_verifier(self, client_key, token, verifier, request):
        one = self.temporary.get(token)
        return (
            one is not None
            and one.verifier is not None
            and secrets.compare_digest(one.verifier.encode(), verifier.encode())
        )

    def invalidate_request_token(self, client_key, request_token, request):
        self.temporary[request_token].used = True

    def save_access_token(self, token, request):
        user = self.temporary[request.resource_owner_key].user
        found = Token(token["oauth_token"], remember(token["oauth_token_secret"]), user)
        KNOWN_TOKENS.update((found.value, encode(found.value)))
        self.application.tokens[found.value] = found
        self.issued.append(found)
