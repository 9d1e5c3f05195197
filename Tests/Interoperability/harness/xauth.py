"""Twitter's xAuth: a user name and a password, once, for token credentials."""

from urllib.parse import urlencode

from . import rfc5849
from .applications import secret


class XAuth:
    """`path` is the endpoint's. Passwords hold characters that have to be encoded."""

    def __init__(self, provider, application):
        self.application = application
        self.path = provider.exchange_route(self.handle)
        self.users = {}
        self.requests = 0
        self.issued = []

    def new_user(self, name):
        self.users[name] = secret("pw é&+%")
        return self.users[name]

    def settings(self, world, user):
        return {"access_token_url": f"{world.URL}{self.path}", "username": user, "password": self.users[user]}

    def handle(self, call):
        self.requests += 1
        verdict = call.verify()
        form = {n.decode(): v.decode() for n, v in rfc5849.form_pairs(call.record.body)}
        if not verdict or "oauth_token" in verdict.parameters or verdict.application is not self.application:
            return call.respond(401, [("Content-Type", "text/html")], "Failed to validate oauth signature and token")
        user, password = form.get("x_auth_username"), form.get("x_auth_password")
        if form.get("x_auth_mode") != "client_auth" or user not in self.users or self.users[user] != password:
            return call.respond(401, [("Content-Type", "text/html")], "Invalid user name or password")
        token = self.application.issue(user)
        self.issued.append(token)
        pairs = {"oauth_token": token.value, "oauth_token_secret": token.secret, "user_id": "7", "screen_name": user}
        call.respond(200, [("Content-Type", "text/html; charset=utf-8")], urlencode(pairs))
