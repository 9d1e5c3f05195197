"""The password grant and the refresh of RFC 6749, with oauthlib as the server, and oPRO's dialect of it."""

import base64
import json
import secrets
import threading
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote_plus

from oauthlib.oauth2 import LegacyApplicationServer, RequestValidator

from .applications import KNOWN_TOKENS, Failure, remember, secret
from .waiting import LIMIT


@dataclass
class Client:
    client_id: str
    secret: str


@dataclass
class Grant:
    """What one password, or one refresh, gave out."""

    user: str
    access_token: str
    refresh_token: str | None
    revoked: bool = False
    refreshed: bool = False


class PasswordGrant(RequestValidator):
    """`path` + /token gives access tokens; /me tells whose one is; every resource is at `resource`."""

    def __init__(self, provider, lifetime=3600, rotates=True, authentication="body", oPRO=False):
        self.lifetime, self.rotates, self.authentication, self.oPRO = lifetime, rotates, authentication, oPRO
        self.client = Client("client-" + secrets.token_hex(4), secret("cl+/ &"))
        self.users = {}
        self.grants = []
        self.token_requests = []
        self.failures = []
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()
        self.lock = threading.Lock()
        make = lambda request: secrets.token_urlsafe(24)  # noqa: E731
        self.server = LegacyApplicationServer(self, make, lambda request: self.lifetime, make)
        self.path = provider.exchange_route(self.handle)
        self.resource = provider.route(self.answer)

    def new_user(self, name):
        self.users[name] = secret("pw é&+")
        return self.users[name]

    def settings(self, world, **more):
        """The API's `oauth2` block."""
        return {
            "token_url": f"{world.URL}{self.path}/token.json",
            "client_id": self.client.client_id,
            "client_secret": self.client.secret,
            **({"header": 'Token token="{token}"'} if self.oPRO else {}),
            **({"client_authentication": "basic"} if self.authentication == "basic" else {}),
            **more,
        }

    @property
    def kinds(self):
        """Of each request to the token endpoint, `password` or `refresh`."""
        return ["refresh" if "refresh_token" in one else "password" for one in self.token_requests]

    # Endpoints

    def handle(self, call):
        text = call.read_body().decode("ascii")
        headers = {n.decode(): v.decode("latin-1") for n, v in call.record.fields}
        if call.record.target.split(b"?")[0].endswith(b"/me"):
            return self.answer(call)
        form = self.form(text)
        with self.lock:
            self.token_requests.append(form)
            failure = self.failures.pop(0) if self.failures else None
        self.reached.set()
        self.gate.wait(LIMIT)
        if isinstance(failure, Failure):
            return call.respond(failure.status, [("Content-Type", failure.content_type)], failure.text)
        if failure is not None:
            return failure(call)
        if self.oPRO:
            # oPRO has no grant_type: it looks at what came.
            assert "grant_type" not in form, form
            kind = "refresh_token" if "refresh_token" in form else "password"
            text += f"&grant_type={kind}"
        uri = f"https://{call.head.value(b'host').decode()}{call.record.target.decode()}"
        fields, body, status = self.server.create_token_response(uri, call.record.method, text, headers)
        if self.oPRO and status != 200:
            message = "Could not find a user based on client_id={client_id} and client_secret={client_secret}".format(
                **form
            )
            fields, body, status = {"Content-Type": "application/json"}, json.dumps({"error": message}), 401
        call.respond(status, list(fields.items()), body)

    def answer(self, call):
        """A resource: whose token came with the request."""
        call.read_body()
        headers = {n.decode(): v.decode("latin-1") for n, v in call.record.fields}
        if self.oPRO:
            value = headers.get("Authorization", "")
            valid = value.startswith('Token token="') and value.endswith('"')
            grant = self.good(value[13:-1]) if valid else None
        else:
            uri = f"https://{call.head.value(b'host').decode()}{call.record.target.decode()}"
            valid, request = self.server.verify_request(uri, call.record.method, None, headers, [])
            grant = request.user if valid else None
        if grant is None:
            challenge = (
                'Bearer realm="members", error="invalid_token", error_description="The access token is not valid"'
            )
            return call.respond(401, [("WWW-Authenticate", challenge), ("X-Verified", "no")], "{}")
        call.respond(
            200,
            [("Content-Type", "application/json"), ("X-Verified", "yes")],
            json.dumps({"verified": True, "id": grant.user, "user": grant.user}),
        )

    @staticmethod
    def form(text):
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True)
        assert len(dict(pairs)) == len(pairs), f"a parameter is repeated: {pairs}"
        return dict(pairs)

    def good(self, access_token):
        return next((g for g in self.grants if g.access_token == access_token and not g.revoked), None)

    def revoke_access_tokens(self):
        for grant in self.grants:
            grant.revoked = True

    def revoke_refresh_tokens(self):
        for grant in self.grants:
            grant.refreshed = True

    # What oauthlib asks

    def authenticate_client(self, request):
        authorization = request.headers.get("Authorization")
        mine = (self.client.client_id, self.client.secret)
        if self.authentication == "basic":
            found = request.client_secret is None and self.basic(authorization) == mine
        else:
            found = authorization is None and (request.client_id, request.client_secret) == mine
        request.client = self.client if found else None
        return found

    @staticmethod
    def basic(authorization):
        """Both halves are form-encoded before they are joined (RFC 6749, section 2.3.1)."""
        scheme, _, data = (authorization or "").partition(" ")
        if scheme.lower() != "basic":
            return None
        left, _, right = base64.b64decode(data, validate=True).decode().partition(":")
        return unquote_plus(left), unquote_plus(right)

    def validate_grant_type(self, client_id, grant_type, client, request):
        return grant_type in ("password", "refresh_token")

    def validate_user(self, username, password, client, request):
        request.user = username
        return username in self.users and secrets.compare_digest(self.users[username].encode(), password.encode())

    def validate_scopes(self, client_id, scopes, client, request):
        return True

    def get_default_scopes(self, client_id, request):
        return []

    def get_original_scopes(self, refresh_token, request):
        return []

    def validate_refresh_token(self, refresh_token, client, request):
        found = next((g for g in self.grants if g.refresh_token == refresh_token), None)
        if found is None or found.refreshed:
            return False
        request.user = found.user
        return True

    def rotate_refresh_token(self, request):
        return self.rotates

    def save_bearer_token(self, token, request):
        if request.grant_type == "refresh_token" and self.rotates:
            for grant in self.grants:
                if grant.refresh_token == request.refresh_token:
                    grant.refreshed = True
        for value in (token["access_token"], token.get("refresh_token")):
            if value:
                remember(value)
                KNOWN_TOKENS.add(value)
        refresh_token = token.get("refresh_token")
        with self.lock:
            self.grants.append(Grant(request.user, token["access_token"], refresh_token))

    def validate_bearer_token(self, token, scopes, request):
        request.user = self.good(token)
        return request.user is not None
