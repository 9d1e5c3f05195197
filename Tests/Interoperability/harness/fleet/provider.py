"""A provider that counts: the password grant and refresh tokens that may be used once (RFC 6749), and an API.

A refresh token that comes a second time logs the account out: all of its tokens are refused from then on, until it is
granted with its password again. A new access token ends those before it, `grace` seconds later.
"""

import asyncio
import itertools
import json
import secrets
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from .wire import receive, written

HOST = "members.test"
CLIENT = {"client_id": "fleet", "client_secret": "secret-of-the-fleet"}


@dataclass
class Issue:
    """One access token and the refresh token beside it."""

    serial: int
    account: str
    ends: float
    refresh_token: str
    is_used: bool = False


@dataclass
class Account:
    password: str
    issues: list = field(default_factory=list)


@dataclass(frozen=True)
class Habits:
    """What the provider does by chance: parts of one, and seconds."""

    slow: float = 0.2
    # Below any time that a replica allows for an exchange: what takes longer than that is repeated by right.
    slowness: tuple = (0.1, 3)
    dropped: float = 0.03


class CountingProvider:
    def __init__(self, history, draw, lifetime=4, grace=2.0, habits=Habits()):
        self.history, self.draw, self.lifetime, self.grace, self.habits = history, draw, lifetime, grace, habits
        self.accounts, self.by_access_token, self.by_refresh_token = {}, {}, {}
        self.exchanges, self.serials = itertools.count(1), itertools.count(1)
        self.begun = 0
        self.is_calm = False
        self.servers = []

    def new_account(self, name):
        """Its password."""
        self.accounts[name] = Account(f"pw-{secrets.token_urlsafe(18)}")
        return self.accounts[name].password

    async def listen(self, replica):
        """A port for one replica, which uses it as the proxy on its way out: so it is known who asks."""
        server = await asyncio.start_server(lambda *streams: self.serve(replica, *streams), "127.0.0.1", 0)
        self.servers.append(server)
        return server.sockets[0].getsockname()[1]

    def close(self):
        for server in self.servers:
            server.close()

    async def serve(self, replica, reader, writer):
        try:
            while message := await receive(reader):
                method, target, _ = message.start
                if method == "CONNECT":
                    writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                elif target.removeprefix(f"http://{HOST}") == "/token":
                    if not await self.exchange(replica, message, reader, writer):
                        break
                else:
                    self.respond(writer, *self.resource(replica, message))
        except (OSError, asyncio.CancelledError):
            # The server's streams complain of handlers that are cancelled.
            pass
        finally:
            writer.transport.abort()

    @staticmethod
    def respond(writer, status, answer, fields=()):
        fields = [("Content-Type", "application/json"), *fields]
        writer.write(written(f"HTTP/1.1 {status} Said", fields, json.dumps(answer).encode()))

    # The token endpoint

    async def exchange(self, replica, message, reader, writer):
        """Returns whether the connection goes on."""
        form = dict(parse_qsl(message.body.decode("ascii"), keep_blank_values=True))
        number, used = next(self.exchanges), self.by_refresh_token.get(form.get("refresh_token"))
        account = used.account if used else form.get("username")
        self.begun += 1
        facts = {"exchange": number, "account": account, "replica": replica}
        grant, refresh = form.get("grant_type"), used.serial if used else None
        self.history.add("exchange", **facts, grant=grant, refresh=refresh)
        waits, waits_first, drops = (self.draw.random() for _ in range(3))
        seconds = self.draw.uniform(*self.habits.slowness)
        seconds = 0 if self.is_calm or waits >= self.habits.slow else seconds
        there = await self.stays(reader, seconds) if waits_first < 0.5 else True
        status, answer = self.token(form, used, facts)
        if there and waits_first >= 0.5:
            there = await self.stays(reader, seconds)
        drops = there and status == 200 and not self.is_calm and drops < self.habits.dropped
        outcome = "abandoned" if not there else "dropped" if drops else "answered" if status == 200 else "refused"
        self.history.add("exchange ended", **facts, outcome=outcome)
        if there and not drops:
            self.respond(writer, status, answer)
        return there and not drops

    @staticmethod
    async def stays(reader, seconds):
        """Waits; false as soon as the client is gone. It sends nothing before it has its answer."""
        if not seconds:
            return True
        try:
            async with asyncio.timeout(seconds):
                return bool(await reader.read(1))
        except TimeoutError:
            return True
        except OSError:
            return False

    def token(self, form, used, facts):
        """Status and body."""
        if any(form.get(name) != value for name, value in CLIENT.items()):
            return 401, {"error": "invalid_client"}
        if form.get("grant_type") == "refresh_token":
            if used is None:
                return 400, {"error": "invalid_grant"}
            if used.is_used:
                self.log_out(used.account)
                return 400, {"error": "invalid_grant"}
            used.is_used = True
        elif form.get("grant_type") == "password":
            account = self.accounts.get(form.get("username"))
            if account is None or form.get("password") != account.password:
                return 400, {"error": "invalid_grant"}
        else:
            return 400, {"error": "unsupported_grant_type"}
        return 200, self.issue(facts)

    def log_out(self, name):
        for one in self.accounts[name].issues:
            one.ends, one.is_used = 0, True
        self.history.add("logged out", account=name)

    def issue(self, facts):
        now, account = time.monotonic(), self.accounts[facts["account"]]
        for before in account.issues:
            before.ends = min(before.ends, now + self.grace)
        serial = next(self.serials)
        access_token, refresh_token = (f"{kind}-{serial}-{secrets.token_urlsafe(18)}" for kind in ("at", "rt"))
        one = Issue(serial, facts["account"], now + self.lifetime, refresh_token)
        account.issues.append(one)
        self.by_access_token[access_token] = self.by_refresh_token[refresh_token] = one
        self.history.add("issued", **facts, serial=serial)
        return {
            "access_token": access_token,
            "token_type": "Bearer",
            "expires_in": self.lifetime,
            "refresh_token": refresh_token,
        }

    # The API

    def resource(self, replica, message):
        """Status, body and fields: whose token came with the request, by its serial number."""
        value = message.fields.get("authorization", "").removeprefix("Bearer ")
        found = self.by_access_token.get(value)
        if found is None:
            return 401, {}, [("WWW-Authenticate", 'Bearer error="invalid_token"')]
        accepted = time.monotonic() < found.ends
        self.history.add("use", account=found.account, serial=found.serial, replica=replica, accepted=accepted)
        answer = {"account": found.account, "serial": found.serial}
        if accepted:
            return 200, answer, []
        return 401, answer, [("WWW-Authenticate", 'Bearer error="invalid_token"')]
